// The visualizations of the server, with their posters.
#pragma once

#include <QAbstractListModel>
#include <QJsonArray>
#include <QPixmap>
#include <QSortFilterProxyModel>

#include <vector>

namespace lw {

struct VisualizationRow {
  QString name;
  QString title;
  QString description;
  QStringList tags;
  QString pixel_format;
  QString frame_rate;
  QString size;    // "1296 x 816"
  QString reason;  // why it does not fit
  int frames = 0;
  double gbit_per_s = 0;
  bool fits = false;
  bool has_poster = false;
  QPixmap poster;
};

class LibraryModel : public QAbstractListModel {
  Q_OBJECT

public:
  enum Role { row_role = Qt::UserRole, name_role, search_role };

  explicit LibraryModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}

  // The result of `list`. Posters that are known stay.
  void set_visualizations(const QJsonArray& visualizations);
  void set_poster(const QString& name, const QPixmap& poster);
  void set_playing(const QString& name);
  [[nodiscard]] QString playing() const { return playing_; }
  [[nodiscard]] QStringList without_poster() const;
  [[nodiscard]] const VisualizationRow* find(const QString& name) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] const VisualizationRow& row(int index) const { return rows_[static_cast<std::size_t>(index)]; }

private:
  std::vector<VisualizationRow> rows_;
  QString playing_;
};

}  // namespace lw
