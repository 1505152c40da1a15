// import.places: what a server's imports read, and where they can write. docs/protocol.md describes it.
#pragma once

#include "common/messages/rules.h"
#include "common/store/store_text_limits.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lw {

// A directory in which the server reads visualizations or their stripes.
struct ImportFolderMessage {
  std::string directory;
  bool content = false;                            // a store can begin here; otherwise only stripes can be here
  bool usual = false;                              // imports go here unless the request says otherwise
  std::optional<std::uint64_t> free_bytes, bytes;  // of its filesystem; absent if it cannot be read

  static constexpr bool closed = false;
  static void members(auto& folder, auto& visit) {
    visit("directory", folder.directory, Text{StoreTextLimits::path});
    visit("content", folder.content, MayBeAbsent{});
    visit("usual", folder.usual, MayBeAbsent{});
    visit("free_bytes", folder.free_bytes, Tolerated{});
    visit("bytes", folder.bytes, Tolerated{});
  }
  bool operator==(const ImportFolderMessage&) const = default;
};

struct ImportPlaces {
  std::string wall_file;                     // on the server's host
  std::vector<ImportFolderMessage> folders;  // the usual ones first, in the order in which imports use them
  std::vector<std::string> inputs;           // files and folders right below `import_from`, possibly incomplete

  static constexpr std::size_t inputs_max = 500;
  static constexpr std::size_t folders_max = 1024;
  static constexpr bool closed = false;
  static void members(auto& places, auto& visit) {
    visit("wall_file", places.wall_file, Text{StoreTextLimits::path});
    visit("folders", places.folders, ValidOnly{}, AtMost{folders_max});
    visit("inputs", places.inputs, Tolerated{}, AbsentIfEmpty{}, AtMost{inputs_max}, Text{StoreTextLimits::path});
  }
  bool operator==(const ImportPlaces&) const = default;
};

}  // namespace lw
