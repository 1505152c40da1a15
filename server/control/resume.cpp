#include "server/control/resume.h"

#include "common/access/private_file.h"
#include "common/base/beneath.h"
#include "common/base/json_depth.h"
#include "server/control/playlist_json.h"
#include "server/play/play_rate.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

constexpr int version = 1;
constexpr int depth_max = 8;
constexpr const char* mend = "the wall begins without it; remove the file if this is said again";

// Of the entry's own member, or of those that follow.
std::optional<std::string> take_entries(Params& params, Resume& resume) {
  Playlist one;
  const auto entry = params.optional_objects("entry");
  const auto entries = params.optional_objects("playlist");
  if (entry && entry->size() > 1) return "entry has more than one";
  if (entries && entries->size() > playlist_entries_max) return "its playlist is too long";
  for (const auto& json : entry.value_or(std::vector<Json>{}))
    if (auto problem = take_entry(json, one)) return problem;
  for (const auto& json : entries.value_or(std::vector<Json>{}))
    if (auto problem = take_entry(json, resume.playlist)) return problem;
  if (!one.entries.empty()) resume.entry = one.entries.front();
  return {};
}

// Returns the first of several failures.
void note(Result<void>& first, const Result<void>& next) {
  if (first && !next) first = next;
}

Playlist playlist_with_entry(const Resume& resume) {
  auto playlist = resume.playlist;
  auto& entries = playlist.entries;
  // With repeat it stands at the end already, for the next round.
  if (playlist.repeat && !entries.empty() && entries.back().id == resume.entry->id) entries.pop_back();
  entries.push_front(*resume.entry);
  return playlist;
}

}  // namespace

Resume resume_of(const PlayState& state) {
  Resume resume;
  resume.rate = state.rate;
  resume.loop = state.loop;
  resume.playlist = state.playlist;
  if (state.status == PlayStatus::stopped) return resume;
  resume.name = state.name;
  resume.frame = state.frame;
  resume.paused = state.status == PlayStatus::paused;
  resume.range = state.range;
  resume.entry = state.entry;
  if (!state.coming) return resume;
  resume.name = state.coming->name;
  resume.frame = 0;
  resume.range.reset();
  resume.entry = state.coming->entry;
  return resume;
}

std::string to_json_text(const Resume& resume) {
  Json json{{"version", version},
            {"rate", resume.rate},
            {"loop", resume.loop},
            {"playlist", entries_json(resume.playlist)},
            {"repeat", resume.playlist.repeat}};
  if (!resume.name.empty()) {
    json["name"] = resume.name;
    json["frame"] = resume.frame;
    json["paused"] = resume.paused;
  }
  if (resume.range) {
    json["in"] = resume.range->first;
    json["out"] = resume.range->last;
  }
  if (resume.entry) json["entry"] = Json::array({to_json(*resume.entry)});
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Resume> parse_resume(std::string_view text) {
  if (text.size() > resume_bytes_max) return Error{"it is too long", mend};
  if (is_json_deeper_than(depth_max, text)) return Error{"it is nested too deeply", mend};
  const auto json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return Error{"not a JSON object", mend};
  Params params(json);
  Resume resume;
  if (params.integer("version", 0, INT32_MAX) != version && !params.problem())
    return Error{"it is of another version", mend};
  resume.name = params.optional_text("name").value_or("");
  resume.frame = static_cast<std::uint32_t>(params.optional_integer("frame", 0, INT32_MAX).value_or(0));
  resume.paused = params.boolean_or("paused", false);
  resume.rate = params.number("rate", -play_rate_max, play_rate_max);
  resume.loop = params.boolean("loop");
  resume.playlist.repeat = params.boolean_or("repeat", false);
  const auto in = params.optional_integer("in", 0, INT32_MAX);
  const auto out = params.optional_integer("out", 0, INT32_MAX);
  const auto wrong = take_entries(params, resume);
  if (auto problem = params.problem()) return Error{*problem, mend};
  if (wrong) return Error{*wrong, mend};
  if (!is_play_rate(resume.rate)) return Error{"rate is out of range", mend};
  if (in && out && *in <= *out) resume.range = {static_cast<std::uint32_t>(*in), static_cast<std::uint32_t>(*out)};
  return Result<Resume>(std::move(resume));
}

Result<std::optional<Resume>> load_resume(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(std::filesystem::symlink_status(file, error))) return std::optional<Resume>{};
  const auto folder = open_folder(file.parent_path(), mend);
  if (!folder) return folder.error();
  const auto text = Beneath{folder->get(), file.parent_path(), mend}.read(file.filename(), resume_bytes_max);
  if (!text) return text.error();
  auto resume = parse_resume(*text);
  if (!resume) return Error(resume.error()).in(file.string());
  return std::optional(std::move(*resume));
}

Result<void> save_resume(const std::filesystem::path& file, const std::string& text) {
  return write_private_file(file, text, "free some space there; the wall plays on, but would not resume here");
}

Result<void> go_on(Session& session, const Resume& resume) {
  auto first = session.set_rate(resume.rate);
  note(first, session.set_loop(resume.loop, {}, {}));
  bool of_playlist = resume.entry && !resume.name.empty();
  const auto set = session.set_playlist(of_playlist ? playlist_with_entry(resume) : resume.playlist);
  note(first, set);
  if (resume.name.empty()) return first;
  of_playlist = of_playlist && set && session.next(Transition{}) && session.state().name == resume.name;
  if (of_playlist) {
    note(first, session.seek(resume.frame));
    if (resume.paused) note(first, session.pause());
  } else if (auto loaded = session.load(resume.name, resume.frame, resume.paused, {}); !loaded) {
    note(first, loaded);
    if (!session.load(resume.name, 0, resume.paused, {})) return first;  // it may be shorter now
  }
  if (resume.range) note(first, session.set_loop(resume.loop, resume.range->first, resume.range->last));
  return first;
}

}  // namespace lw
