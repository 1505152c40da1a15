// A store that is being written, and plays as far as it is. In the hidden folder of an import, growing.json is a
// manifest (manifest.h) whose `frames` are those that are on the disks, with their checksums; it is replaced as more
// come. docs/frame-store.md describes it for people who write a store without our tools.
//
// Several servers that play such a store may know different numbers of its frames. Each number is an edition with its
// own digest, which follows from the checksums of these frames of all tiles: who has more can say whether they begin
// with the same ones.
#pragma once

#include "common/base/beneath.h"
#include "common/base/result.h"
#include "common/store/manifest.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

inline constexpr std::string_view growing_file_name = "growing.json";
// Of the frames so far: the numbers of a checksum file (checksum.h) without its header.
inline constexpr std::string_view growing_checksums_name = "journal.checksums";

// The hidden folder in which a store of this name is written, and the other way around. Empty: not such a folder's
// name.
std::string growing_folder_name(std::string_view name);
std::string name_of_growing(std::string_view folder);

// The manifest of an open folder's growing store, as it is now.
Result<Manifest> load_growing(const Beneath& folder);

class GrowingEditions {
public:
  // Of what a manifest describes; none of its frames.
  explicit GrowingEditions(const Manifest& manifest);

  // The checksums of all tiles of the frames that follow.
  void add(std::span<const std::uint64_t> checksums);
  // Those of a growing store, up to so many frames: reads only what is new. An error if the file is shorter.
  Result<void> read(const Beneath& folder, std::uint32_t frames);
  [[nodiscard]] std::uint32_t frames() const { return static_cast<std::uint32_t>(after_.size() - 1); }
  // Of the first so many frames, which are known.
  [[nodiscard]] std::string digest(std::uint32_t frames) const;
  // Whether this digest is of the first frames of this store. Empty: it is of more frames than are known.
  [[nodiscard]] std::optional<bool> begins_with(std::string_view digest) const;
  // The number of frames of such a digest; empty: it is that of a complete store.
  static std::optional<std::uint32_t> frames_of(std::string_view digest);

private:
  unsigned tiles_;
  std::vector<std::uint64_t> after_;  // so many frames: a checksum of all before
};

}  // namespace lw
