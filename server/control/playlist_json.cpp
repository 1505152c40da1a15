#include "server/control/playlist_json.h"

namespace lw {

std::optional<Transition> take_transition(Params& params, std::optional<std::string>& problem) {
  const auto name = params.optional_text("transition");
  const auto fade_ms = params.optional_integer("fade_ms", Transition::fade_min.count(), Transition::fade_max.count());
  if (name && *name != "cut" && *name != "fade") problem = "transition must be cut or fade";
  if (fade_ms && name != "fade") problem = "fade_ms belongs to the transition fade";
  if (!name || problem) return std::nullopt;
  if (*name == "cut") return Transition{};
  return Transition{std::chrono::milliseconds{fade_ms.value_or(Transition::fade_usual.count())}};
}

std::int64_t ms_of(Nanoseconds time) { return std::chrono::duration_cast<std::chrono::milliseconds>(time).count(); }

Json to_json(const PlaylistEntry& entry) {
  Json json{{"name", entry.name}};
  if (entry.id != 0) json["id"] = entry.id;
  if (entry.loops) json["loops"] = *entry.loops;
  if (entry.seconds) json["seconds"] = *entry.seconds;
  if (entry.transition != Transition{}) {
    json["transition"] = "fade";
    json["fade_ms"] = ms_of(entry.transition.fade);
  }
  return json;
}

Json entries_json(const Playlist& playlist) {
  Json entries = Json::array();
  for (const auto& entry : playlist.entries) entries.push_back(to_json(entry));
  return entries;
}

std::optional<std::string> take_entry(const Json& json, Playlist& playlist) {
  Params params(json);
  PlaylistEntry entry;
  entry.name = params.text("name");
  entry.id = static_cast<std::uint64_t>(params.optional_integer("id", 1, INT64_MAX).value_or(0));
  if (const auto loops = params.optional_integer("loops", 1, PlaylistEntry::loops_max))
    entry.loops = static_cast<std::uint32_t>(*loops);
  entry.seconds = params.optional_number("seconds", PlaylistEntry::seconds_min, PlaylistEntry::seconds_max);
  std::optional<std::string> problem;
  entry.transition = take_transition(params, problem).value_or(Transition{});
  playlist.entries.push_back(std::move(entry));
  return params.problem() ? params.problem() : problem;
}

}  // namespace lw
