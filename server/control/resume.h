// Keeps what is playing in a file, so that a restarted server continues with it.
#pragma once

#include "common/base/result.h"
#include "server/play/session.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lw {

inline constexpr std::size_t resume_bytes_max = std::size_t{4} << 20U;

struct Resume {
  std::string name;  // of the visualization that plays; empty: none
  std::uint32_t frame = 0;
  bool paused = false;
  double rate = 1;
  bool loop = true;
  SoundLevel sound;
  std::optional<FrameRange> range;
  std::optional<PlaylistEntry> entry;  // that plays now
  Playlist playlist;
  bool operator==(const Resume&) const = default;
};

Resume resume_of(const PlayState& state);
std::string to_json_text(const Resume& resume);
// Accepts any text; pure. Errors do not name the file.
Result<Resume> parse_resume(std::string_view text);

// Empty if the file does not exist.
Result<std::optional<Resume>> load_resume(const std::filesystem::path& file);
// Replaces the file completely or not at all: writes a new file, syncs it to disk, then renames it.
Result<void> save_resume(const std::filesystem::path& file, const std::string& text);

// Resumes playing. Skips what can no longer be played, and returns the first reason.
Result<void> go_on(Session& session, const Resume& resume);

}  // namespace lw
