// A field to search in: a magnifying glass at the left, and at the right the key that leads here, while it is empty.
#pragma once

#include <QKeySequence>
#include <QLineEdit>

namespace lw {

class SearchField : public QLineEdit {
  Q_OBJECT

public:
  explicit SearchField(const QString& placeholder, const QKeySequence& key, QWidget* parent = nullptr);

protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

private:
  void show_glass();

  QAction* glass_ = nullptr;
  QString hint_;
};

}  // namespace lw
