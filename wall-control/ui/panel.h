// A part of the window that can be in a dock: its content, with the notes and tools of its header, which the window
// draws. A panel knows neither its dock nor the other panels.
#pragma once

#include <QAction>
#include <QList>
#include <QString>
#include <QWidget>

namespace lw {

class Panel : public QWidget {
  Q_OBJECT

public:
  explicit Panel(QWidget* parent = nullptr) : QWidget(parent) {}

  // Beside the title: "26 visualizations".
  [[nodiscard]] const QString& note() const { return note_; }
  // At the right of the header, with icons.
  [[nodiscard]] const QList<QAction*>& tools() const { return tools_; }

  // For a panel that draws its own header: places the dock's menu there, and returns true.
  virtual bool take_menu(QWidget*) { return false; }

signals:
  void header_changed();

protected:
  void set_note(const QString& note) {
    if (note == note_) return;
    note_ = note;
    emit header_changed();
  }
  void set_tools(const QList<QAction*>& tools) {
    tools_ = tools;
    emit header_changed();
  }

private:
  QString note_;
  QList<QAction*> tools_;
};

}  // namespace lw
