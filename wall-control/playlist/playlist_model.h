// The playlist's entries as a list, with the edits of the operator, each of which can be undone. Entries are moved by
// dragging them, and inserted by dropping visualizations of the library.
#pragma once

#include "wall-control/models/playlist_draft.h"

#include <QAbstractListModel>

#include <functional>
#include <optional>

namespace lw {

class Commands;

class PlaylistModel : public QAbstractListModel {
  Q_OBJECT

public:
  // `commands` remembers the edits, and must outlive this.
  explicit PlaylistModel(Commands& commands, QObject* parent = nullptr)
      : QAbstractListModel(parent), commands_(commands) {}

  [[nodiscard]] const PlaylistDraft& draft() const { return draft_; }
  // All of a row in words, for a screen reader and the tooltip.
  void set_describer(const std::function<QString(int row)>& describe) { describe_ = describe; }

  // Edits.
  void insert(int at, const QStringList& names);
  void remove(int row);
  void move(int from, int to);
  void set_duration(int row, std::optional<int> loops, std::optional<double> seconds);
  void set_fade(int row, std::optional<int> fade_ms);
  void set_repeat(bool repeat);
  QString open(const QByteArray& file);
  void revert();

  // The server's part: nothing to undo.
  void set_live(const StateMessage& state);
  void applied(bool from_start, const PlaylistReply& answer);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(draft_.entries().size());
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  [[nodiscard]] Qt::DropActions supportedDropActions() const override { return Qt::MoveAction | Qt::CopyAction; }
  [[nodiscard]] QStringList mimeTypes() const override;
  bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                       const QModelIndex& parent) const override;
  bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                    const QModelIndex& parent) override;
  bool moveRows(const QModelIndex& from_parent, int from, int count, const QModelIndex& to_parent, int before) override;

signals:
  void changed(int current);  // the entry to go on with, or -1 for the one before

private:
  class Edit;
  // Makes the change, and remembers how to undo it.
  void edit(const QString& words, int current, const std::function<void(PlaylistDraft&)>& change);
  void restore(const QList<DraftEntry>& entries, bool repeat, int current);

  Commands& commands_;
  PlaylistDraft draft_;
  std::optional<StateMessage> taken_;  // the state that the draft reflects
  std::function<QString(int)> describe_;
};

}  // namespace lw
