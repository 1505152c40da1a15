// The content of a simulated server's disks. The files are real, so that the server's own code can open and check them:
// their names, lengths and times count, and nothing is written into them. This class knows their content: every byte is
// a function of (visualization, version, frame, tile, row), so that each row can be checked when it is shown.
//
// Stores change while they play: they are replaced, truncated and rewritten, or overwritten. From then on they have
// another version.
#pragma once

#include "common/pixel/pixel_format.h"
#include "common/store/manifest.h"
#include "common/wall/wall_file.h"
#include "tests/support/network.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lw::simulate {

using truth::Random;

struct StoreVersion;
// For a tile's row, of pixels if the version's format varies in length.
void paint_row(const StoreVersion& version, std::uint32_t frame, TileIndex tile, unsigned row,
               std::span<std::byte> out);
bool is_row(const StoreVersion& version, std::uint32_t frame, TileIndex tile, unsigned row,
            std::span<const std::byte> bytes);

struct Visualization {
  std::string name;
  FrameRate rate;
  std::uint32_t frames = 0;
  PixelFormat format = PixelFormat::rgb8;
  unsigned bands = 0;  // not 0: its frames lie as the packets of so many flows per tile
  bool sounds = false;
};

// The sound of visualizations: two channels. The first says of which visualization and which sample it is; both
// together are always the same sum, which a fade makes smaller.
struct SoundPlace {
  std::size_t visualization = 0;  // its place in Content::all()
  std::int64_t sample = 0;
};
inline constexpr unsigned sound_channels = 2;
inline constexpr std::int64_t sound_sum = std::int64_t{0x7fffff} << 8U;
std::int32_t sample_of(const SoundPlace& place);  // in the first channel
SoundPlace place_of_sample(std::int32_t first_channel);

struct StoreVersion {
  std::uint64_t seed = 0;
  std::uint32_t frames = 0;
  PixelFormat format = PixelFormat::rgb8;
  bool whole = false;             // it may be opened, and shown
  bool gone = false;              // none of it is on a disk any more
  std::size_t visualization = 0;  // its place in Content::all()
};

class Content {
public:
  Content(std::filesystem::path folder, const Wall& wall);

  [[nodiscard]] const std::vector<Visualization>& all() const { return visualizations_; }
  [[nodiscard]] const Visualization* find(std::string_view name) const;
  // Of all visualizations; none is ever removed.
  [[nodiscard]] const std::deque<StoreVersion>& versions() const { return versions_; }
  // Whether the store of this name may be opened.
  [[nodiscard]] bool is_whole(std::string_view name) const;
  // The version of these bytes of an open file; null if it ends before them.
  [[nodiscard]] const StoreVersion* at(int file, std::uint64_t offset, std::size_t bytes) const;

  enum class Change : std::uint8_t {
    replaced,     // by new files; the old ones can still be read while open
    cut_short,    // and rewritten from the beginning
    overwritten,  // frame by frame, as NumPy does
    another,      // truncated and rewritten, with fewer frames
    reshaped,     // by one for another wall, and back
    count,
  };
  // False if a change is already under way.
  bool begin_change(const std::string& name, Change change);
  // This share of the bytes is rewritten.
  void go_on(const std::string& name, double share);
  void end_change(const std::string& name);

private:
  struct Store {
    StoreVersion* version = nullptr;
    StoreVersion* next = nullptr;  // while it changes
    Change change = Change::count;
  };
  struct Body {  // of a file
    const StoreVersion* version = nullptr;
    const StoreVersion* next = nullptr;
    std::uint64_t next_bytes = 0;  // this much of it belongs to the next version
  };
  StoreVersion* make_version(const Visualization& visualization, bool whole);
  void write_files(const std::string& name, const Manifest& manifest, const StoreVersion* version);
  void write_manifest(const std::string& name, const Manifest& manifest);
  void write_sound(std::size_t visualization);
  void set_time(const std::filesystem::path& file);
  [[nodiscard]] std::vector<std::filesystem::path> files_of(const std::string& name) const;
  [[nodiscard]] std::filesystem::path manifest_of(const std::string& name) const;
  [[nodiscard]] Visualization& visualization(const std::string& name);

  const std::filesystem::path folder_;
  const Wall& wall_;
  std::vector<Visualization> visualizations_;
  std::deque<StoreVersion> versions_;
  std::map<std::string, Store, std::less<>> stores_;
  std::map<std::uint64_t, Body> bodies_;  // by inode
  std::int64_t writes_ = 0;
};

}  // namespace lw::simulate
