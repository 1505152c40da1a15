// The visualizations of the server, with their thumbnails and whether this wall and its link can play them.
#pragma once

#include "common/messages/library.h"
#include "common/messages/plan_reply.h"

#include <QAbstractListModel>
#include <QDateTime>
#include <QPixmap>

#include <functional>
#include <optional>
#include <vector>

namespace lw {

struct VisualizationRow {
  QString name;
  QString title;
  QString description;
  QStringList tags;
  QString pixel_format;
  QString sound;  // its channels
  QString frame_rate;
  QString size;      // "1296 x 816"
  QString reason;    // why it does not fit
  QString cut_from;  // its folder on the server's host, from which it can be cut for this wall; empty: it cannot
  int frames = 0;
  bool growing = false;  // it is still being written, and has so many frames so far
  double seconds = 0;
  double gbit_per_s = 0;
  double bytes = 0;
  bool fits = false;
  bool has_poster = false;
  int thumbnails = 0;   // thumbnails side by side in the strip
  QString tiles;        // how many the server's store holds; empty: all
  QStringList servers;  // of a wall with several: what each has, as a text with a symbol
  QString lacks;        // the first of them that cannot send it
  QDateTime made;
  QPixmap poster;
  QPixmap strip;
  std::optional<Verdict> verdict;  // of the server's plan, once it is known
  QString limit;                   // the first limit that is exceeded
  QString limit_short;             // "44.2 of 40 Gbit/s"
  QStringList mends;               // all exceeded limits, each with a remedy
  std::optional<int> importing;    // percent; only known as an import if there are no frames

  // False: only other servers have it, and nothing else is known.
  [[nodiscard]] bool described() const { return frames > 0; }
  [[nodiscard]] bool plays() const { return fits && verdict != Verdict::impossible; }
  // Why it does not play, in a few words; empty if it does.
  [[nodiscard]] QString short_reason() const;
  [[nodiscard]] QString search_text() const;
};

// "1.2 GB"
QString bytes_text(double bytes);
// Whether it fits wall and link.
QString badge_text(const VisualizationRow& row);
// "2:40 \u00b7 24 fps"
QString length_text(const VisualizationRow& row);

// An import under way.
struct ImportedRow {
  QString name;
  int percent = 0;
  bool operator==(const ImportedRow&) const = default;
};

// The data of a drag out of the library: names, one in each line.
inline constexpr const char* visualizations_mime = "application/x-lambdawall-visualizations";

class LibraryModel : public QAbstractListModel {
  Q_OBJECT

public:
  enum Role { row_role = Qt::UserRole, name_role };

  explicit LibraryModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}

  // The result of `list`. Known posters are kept.
  void set_visualizations(const std::vector<VisualizationMessage>& visualizations);
  void set_poster(const QString& name, const QPixmap& poster);
  void set_strip(const QString& name, const QPixmap& strip);
  // The answer to `plan`.
  void set_plan(const QString& name, const PlanReply& plan);
  void set_playing(const QString& name);
  [[nodiscard]] QString playing() const { return playing_; }
  // New ones have a row of their own until the library has them.
  void set_imports(const QList<ImportedRow>& imports);
  // From now on another host answers.
  void forget_plans();
  [[nodiscard]] QStringList without_poster() const;
  [[nodiscard]] QStringList without_plan() const;  // those that fit
  [[nodiscard]] QStringList tags() const;          // of all, sorted
  [[nodiscard]] const VisualizationRow* find(const QString& name) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  [[nodiscard]] QStringList mimeTypes() const override { return {visualizations_mime}; }
  [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;
  [[nodiscard]] const VisualizationRow& row(int index) const { return rows_[static_cast<std::size_t>(index)]; }

private:
  void change(const QString& name, const std::function<void(VisualizationRow&)>& change);
  // Of these rows; appends those that have none.
  void add_imports(std::vector<VisualizationRow>& rows) const;

  std::vector<VisualizationRow> rows_;
  QList<ImportedRow> imports_;
  QString playing_;
};

}  // namespace lw
