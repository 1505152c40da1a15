#include "wall-control/models/playlist_draft.h"

#include "common/base/printable.h"

#include <QJsonDocument>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace lw {
namespace {

constexpr const char* version_key = "lambdawall_playlist";
constexpr int version = 1;
// The server's bounds.
constexpr int loops_max = 1'000'000;
constexpr double seconds_min = 0.1;
constexpr double seconds_max = 7 * 24 * 3600;
constexpr int fade_ms_min = 200, fade_ms_max = 20'000;
constexpr int fade_ms_usual = 1000;

QJsonObject json_of(const DraftEntry& entry) {
  QJsonObject json{{"name", entry.name}};
  if (entry.loops) json["loops"] = *entry.loops;
  if (entry.seconds) json["seconds"] = *entry.seconds;
  if (entry.fade_ms) {
    json["transition"] = "fade";
    json["fade_ms"] = *entry.fade_ms;
  }
  return json;
}

DraftEntry entry_of(const QJsonObject& json) {
  DraftEntry entry;
  entry.id = json["id"].toInteger();
  entry.name = json["name"].toString();
  if (json["loops"].isDouble()) entry.loops = json["loops"].toInt();
  if (json["seconds"].isDouble()) entry.seconds = json["seconds"].toDouble();
  if (json["transition"].toString() == "fade") entry.fade_ms = json["fade_ms"].toInt(fade_ms_usual);
  return entry;
}

// What is wrong with an entry of a file, or nothing.
QString problem_of(const QJsonValue& value) {
  if (!value.isObject()) return PlaylistDraft::tr("is no object");
  const auto json = value.toObject();
  for (const auto& key : json.keys())
    if (!QStringList{"name", "loops", "seconds", "transition", "fade_ms"}.contains(key))
      return PlaylistDraft::tr("has an unknown member %1").arg(key);
  if (json["name"].toString().isEmpty()) return PlaylistDraft::tr("has no name");
  if (json.contains("loops") && json.contains("seconds")) return PlaylistDraft::tr("has both loops and seconds");
  const double loops = json["loops"].toDouble(0);
  if (json.contains("loops") && (loops < 1 || loops > loops_max || loops != std::floor(loops)))
    return PlaylistDraft::tr("has loops that are no whole number from 1 to %1").arg(loops_max);
  const double seconds = json["seconds"].toDouble(0);
  if (json.contains("seconds") && !(seconds >= seconds_min && seconds <= seconds_max))
    return PlaylistDraft::tr("has seconds that are not from %1 to %2").arg(seconds_min).arg(seconds_max, 0, 'f', 0);
  const auto transition = json["transition"].toString("cut");
  if (transition != "cut" && transition != "fade") return PlaylistDraft::tr("has a transition that is no cut or fade");
  const double fade = json["fade_ms"].toDouble(fade_ms_usual);
  if (json.contains("fade_ms") && (transition != "fade" || !(fade >= fade_ms_min && fade <= fade_ms_max)))
    return PlaylistDraft::tr("has a fade_ms that is not of a fade, or not from %1 to %2")
        .arg(fade_ms_min)
        .arg(fade_ms_max);
  return {};
}

}  // namespace

QString duration_text(const DraftEntry& entry) {
  if (entry.loops == 1) return PlaylistDraft::tr("1 time");
  if (entry.loops) return PlaylistDraft::tr("%1 times").arg(*entry.loops);
  if (entry.seconds) return PlaylistDraft::tr("for %1 s").arg(*entry.seconds);
  return PlaylistDraft::tr("once");
}

EntryState PlaylistDraft::state_of(qsizetype index) const {
  const auto& entry = entries_[index];
  if (entry.id == 0) return EntryState::edited;
  if (on_wall_ && on_wall_->id == entry.id) return EntryState::on_wall;
  const bool queued = std::ranges::find(queue_, entry.id, &DraftEntry::id) != queue_.end();
  return queued ? EntryState::queued : EntryState::played;
}

// Behind the one on the wall; with repeat then from the first up to that one again.
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
  if (entries_.size() < entries_max) entries_.insert(at, DraftEntry{0, name, {}, {}, {}});
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

void PlaylistDraft::set_live(const QJsonObject& state) {
  on_wall_.reset();
  const auto coming = state["coming"]["entry"];  // it has left the queue, but for the wall's fade
  if (const auto entry = coming.isObject() ? coming : state["entry"]; entry.isObject())
    on_wall_ = entry_of(entry.toObject());
  queue_.clear();
  for (const auto& entry : state["playlist"].toArray()) queue_ << entry_of(entry.toObject());
  live_repeat_ = state["repeat"].toBool();
}

// With repeat, what is on the wall is the last of the queue, too.
void PlaylistDraft::take_live() {
  entries_ = queue_;
  repeat_ = live_repeat_;
  if (!on_wall_) return;
  entries_.removeIf([this](const DraftEntry& entry) { return entry.id == on_wall_->id; });
  entries_.prepend(*on_wall_);
}

QJsonObject PlaylistDraft::params(bool from_start) const {
  QJsonArray entries;
  for (const auto index : chosen(from_start)) {
    auto json = json_of(entries_[index]);
    if (entries_[index].id != 0) json["id"] = entries_[index].id;
    entries << json;
  }
  return {{"entries", entries}, {"repeat", repeat_}};
}

void PlaylistDraft::applied(bool from_start, const QJsonObject& answer) {
  const auto given = answer["entries"].toArray();
  const auto chosen = this->chosen(from_start);
  queue_.clear();
  for (const auto& entry : given) queue_ << entry_of(entry.toObject());
  live_repeat_ = answer["repeat"].toBool();
  for (qsizetype i = 0; i < std::min(given.size(), chosen.size()); ++i) entries_[chosen[i]].id = queue_[i].id;
}

QByteArray PlaylistDraft::to_file() const {
  QJsonArray entries;
  for (const auto& entry : entries_) entries << json_of(entry);
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
  for (const auto& entry : entries) entries_ << entry_of(entry.toObject());
  for (auto& entry : entries_) entry.id = 0;
  repeat_ = json["repeat"].toBool();
  return {};
}

}  // namespace lw
