#include "wall-control/models/playlist_draft.h"

#include "common/base/printable.h"
#include "wall-control/messages/told.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace lw {
namespace {

constexpr const char* version_key = "lambdawall_playlist";
constexpr int version = 1;

EntryMessage message_of(const DraftEntry& entry) {
  EntryMessage message{entry.name.toStdString(), {}, {}, entry.seconds, {}};
  if (entry.loops) message.loops = static_cast<std::uint32_t>(*entry.loops);
  if (entry.fade_ms) message.transition = {TransitionKind::fade, *entry.fade_ms};
  return message;
}

DraftEntry entry_of(const EntryMessage& message) {
  DraftEntry entry;
  entry.id = static_cast<qint64>(message.id.value_or(0));
  entry.name = QString::fromStdString(message.name);
  if (message.loops) entry.loops = static_cast<int>(*message.loops);
  entry.seconds = message.seconds;
  if (message.transition.kind == TransitionKind::fade)
    entry.fade_ms = static_cast<int>(message.transition.fade_ms.value_or(fade_usual.count()));
  return entry;
}

// The error in an entry of a file, or an empty text.
QString problem_of(const QJsonValue& value) {
  if (!value.isObject()) return PlaylistDraft::tr("is no object");
  const auto entry = entry_from(value.toObject());
  if (!entry) return PlaylistDraft::tr("is wrong: %1").arg(QString::fromStdString(entry.error().what));
  if (entry->name.empty()) return PlaylistDraft::tr("has no name");
  if (entry->loops && entry->seconds) return PlaylistDraft::tr("has both loops and seconds");
  return {};
}

}  // namespace

QString duration_text(const DraftEntry& entry) {
  if (entry.loops == 1) return PlaylistDraft::tr("once");
  if (entry.loops) return PlaylistDraft::tr("%1 passes").arg(*entry.loops);
  if (entry.seconds) return PlaylistDraft::tr("%1 s").arg(*entry.seconds);
  return PlaylistDraft::tr("until Next");
}

EntryState PlaylistDraft::state_of(qsizetype index) const {
  const auto& entry = entries_[index];
  if (entry.id == 0) return EntryState::edited;
  if (on_wall_ && on_wall_->id == entry.id) return EntryState::on_wall;
  const bool queued = std::ranges::find(queue_, entry.id, &DraftEntry::id) != queue_.end();
  return queued ? EntryState::queued : EntryState::played;
}

// After the one on the wall; with repeat, then from the first up to that one again.
QList<qsizetype> PlaylistDraft::following() const {
  QList<qsizetype> following;
  qsizetype wall = -1;
  for (qsizetype i = 0; i < entries_.size(); ++i)
    if (state_of(i) == EntryState::on_wall) wall = i;
  for (qsizetype i = wall + 1; i < entries_.size(); ++i)
    if (wall >= 0 || state_of(i) != EntryState::played) following << i;
  for (qsizetype i = 0; repeat_ && i <= wall; ++i) following << i;
  return following;
}

QList<qsizetype> PlaylistDraft::chosen(bool from_start) const {
  if (!from_start) return following();
  QList<qsizetype> all(entries_.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

bool PlaylistDraft::edited() const {
  const auto following = this->following();
  const auto id_of = [this](qsizetype index) { return entries_[index].id; };
  return repeat_ != live_repeat_ || !std::ranges::equal(following, queue_, {}, id_of, &DraftEntry::id);
}

void PlaylistDraft::insert(qsizetype at, const QString& name) {
  if (entries_.size() < entries_max) entries_.insert(at, DraftEntry{0, name, 1, {}, {}});
}

void PlaylistDraft::replace(const QList<DraftEntry>& entries, bool repeat) {
  entries_ = entries;
  repeat_ = repeat;
}

void PlaylistDraft::remove(qsizetype index) { entries_.removeAt(index); }

void PlaylistDraft::move(qsizetype from, qsizetype to) { entries_.move(from, to); }

void PlaylistDraft::set_duration(qsizetype index, std::optional<int> loops, std::optional<double> seconds) {
  auto& entry = entries_[index];
  if (entry.loops == loops && entry.seconds == seconds) return;
  entry.id = 0;
  entry.loops = loops;
  entry.seconds = seconds;
}

void PlaylistDraft::set_fade(qsizetype index, std::optional<int> fade_ms) {
  auto& entry = entries_[index];
  if (entry.fade_ms == fade_ms) return;
  entry.id = 0;
  entry.fade_ms = fade_ms;
}

void PlaylistDraft::set_live(const StateMessage& state) {
  on_wall_.reset();
  // The next entry has left the queue, except for the wall's fade.
  if (const auto& entry = state.coming && state.coming->entry ? state.coming->entry : state.entry)
    on_wall_ = entry_of(*entry);
  queue_.clear();
  for (const auto& entry : state.playlist) queue_ << entry_of(entry);
  live_repeat_ = state.repeat;
}

// With repeat, the entry on the wall is also the last of the queue.
void PlaylistDraft::take_live() {
  entries_ = queue_;
  repeat_ = live_repeat_;
  if (!on_wall_) return;
  entries_.removeIf([this](const DraftEntry& entry) { return entry.id == on_wall_->id; });
  entries_.prepend(*on_wall_);
}

PlaylistRequest PlaylistDraft::request(bool from_start) const {
  std::vector<EntryMessage> entries;
  for (const auto index : chosen(from_start)) {
    entries.push_back(message_of(entries_[index]));
    if (entries_[index].id != 0) entries.back().id = static_cast<std::uint64_t>(entries_[index].id);
  }
  return {{}, std::move(entries), repeat_};
}

void PlaylistDraft::applied(bool from_start, const PlaylistReply& answer) {
  const auto chosen = this->chosen(from_start);
  queue_.clear();
  for (const auto& entry : answer.entries) queue_ << entry_of(entry);
  live_repeat_ = answer.repeat;
  for (qsizetype i = 0; i < std::min(queue_.size(), chosen.size()); ++i) entries_[chosen[i]].id = queue_[i].id;
}

QByteArray PlaylistDraft::to_file() const {
  QJsonArray entries;
  for (const auto& entry : entries_) entries << to_qt(to_json(message_of(entry)));
  return QJsonDocument(QJsonObject{{version_key, version}, {"repeat", repeat_}, {"entries", entries}}).toJson();
}

QString PlaylistDraft::open(const QByteArray& file) {
  QJsonParseError error;
  const auto document = QJsonDocument::fromJson(QByteArray::fromStdString(printable_json(file.toStdString())), &error);
  if (error.error != QJsonParseError::NoError)
    return tr("it is no JSON: %1 at byte %2").arg(error.errorString()).arg(error.offset);
  const auto json = document.object();
  if (json[version_key].toInt() != version) return tr("it is no playlist of version %1").arg(version);
  if (!json["entries"].isArray()) return tr("it has no entries");
  if (json.contains("repeat") && !json["repeat"].isBool()) return tr("repeat must be true or false");
  const auto entries = json["entries"].toArray();
  if (entries.size() > entries_max) return tr("it has more than %1 entries").arg(entries_max);
  for (qsizetype i = 0; i < entries.size(); ++i)
    if (const auto problem = problem_of(entries[i]); !problem.isEmpty())
      return tr("entry %1 %2").arg(i + 1).arg(problem);
  entries_.clear();
  for (const auto& entry : entries)
    if (const auto read = entry_from(entry.toObject())) entries_ << entry_of(*read);
  for (auto& entry : entries_) entry.id = 0;
  repeat_ = json["repeat"].toBool();
  return {};
}

}  // namespace lw
