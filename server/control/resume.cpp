#include "server/control/resume.h"

#include "common/access/private_file.h"
#include "common/base/beneath.h"
#include "common/base/json_depth.h"
#include "common/messages/message.h"
#include "server/control/play_messages.h"

#include <utility>
#include <vector>

namespace lw {
namespace {

constexpr int version = 1;
constexpr int depth_max = 8;
constexpr const char* mend = "the wall starts without it; remove the file if this message comes again";

// The part that all versions of the file have.
struct ResumeVersion {
  int number = 0;

  static constexpr bool closed = false;
  static void members(auto& file, auto& visit) { visit("version", file.number, Whole{0, INT32_MAX}); }
};

// The file: docs/operations.md.
struct ResumeMessage {
  int file_version = version;
  std::optional<std::string> name;
  std::optional<std::uint32_t> frame;
  bool paused = false;
  double rate = 1;
  bool loop = true;
  std::optional<SoundLevel> sound;
  bool repeat = false;
  std::optional<std::uint32_t> in, out;
  std::vector<EntryMessage> entry;  // one or none
  std::vector<EntryMessage> playlist;

  static constexpr bool closed = true;
  static void members(auto& file, auto& visit) {
    visit("version", file.file_version);
    visit("name", file.name);
    visit("frame", file.frame, frame_number);
    visit("paused", file.paused, MayBeAbsent{});
    visit("rate", file.rate, Within{-play_rate_max, play_rate_max});
    visit("loop", file.loop);
    visit("sound", file.sound);
    visit("repeat", file.repeat, MayBeAbsent{});
    visit("in", file.in, frame_number);
    visit("out", file.out, frame_number);
    visit("entry", file.entry, MayBeAbsent{}, AbsentIfEmpty{}, AtMost{1});
    visit("playlist", file.playlist, MayBeAbsent{}, AtMost{playlist_entries_max});
  }
  [[nodiscard]] std::optional<std::string> problem() const {
    return is_play_rate(rate) ? std::nullopt : std::optional<std::string>("rate is out of range");
  }
};

// Returns the first of several failures.
void note(Result<void>& first, const Result<void>& next) {
  if (first && !next) first = next;
}

Playlist playlist_with_entry(const Resume& resume) {
  auto playlist = resume.playlist;
  auto& entries = playlist.entries;
  // With repeat it is already at the end, for the next round.
  if (playlist.repeat && !entries.empty() && entries.back().id == resume.entry->id) entries.pop_back();
  entries.push_front(*resume.entry);
  return playlist;
}

}  // namespace

Resume resume_of(const PlayState& state) {
  Resume resume;
  resume.rate = state.rate;
  resume.loop = state.loop;
  resume.sound = state.sound;
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
  ResumeMessage file;
  file.rate = resume.rate;
  file.loop = resume.loop;
  if (resume.sound != SoundLevel{}) file.sound = resume.sound;
  file.playlist = messages_of(resume.playlist);
  file.repeat = resume.playlist.repeat;
  if (!resume.name.empty()) {
    file.name = resume.name;
    file.frame = resume.frame;
    file.paused = resume.paused;
  }
  if (resume.range) {
    file.in = resume.range->first;
    file.out = resume.range->last;
  }
  if (resume.entry) file.entry = {message_of(*resume.entry)};
  return to_json(file).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Resume> parse_resume(std::string_view text) {
  if (text.size() > resume_bytes_max) return Error{"it is too long", mend};
  if (is_json_deeper_than(depth_max, text)) return Error{"it is nested too deeply", mend};
  const auto json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return Error{"not a JSON object", mend};
  if (const auto of = read_message<ResumeVersion>(json); of && of->number != version)
    return Error{"it is of another version", mend};
  const auto file = read_message<ResumeMessage>(json);
  if (!file) return Error{file.error().what, mend};
  Resume resume;
  resume.name = file->name.value_or("");
  resume.frame = file->frame.value_or(0);
  resume.paused = file->paused;
  resume.rate = file->rate;
  resume.loop = file->loop;
  resume.sound = file->sound.value_or(SoundLevel{});
  if (file->in && file->out && *file->in <= *file->out) resume.range = {*file->in, *file->out};
  if (!file->entry.empty()) resume.entry = entry_of(file->entry.front());
  for (const auto& entry : file->playlist) resume.playlist.entries.push_back(entry_of(entry));
  resume.playlist.repeat = file->repeat;
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
  return write_private_file(
      file, text, "free some space there; the wall keeps playing, but a restarted server would not resume here");
}

Result<void> go_on(Session& session, const Resume& resume) {
  auto first = session.set_rate(resume.rate);
  note(first, session.set_loop(resume.loop, {}, {}));
  if (resume.sound != session.state().sound) note(first, session.set_sound(resume.sound));
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
