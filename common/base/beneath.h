// Files in folders that somebody else may write to. A folder that a person named (on a command line) is opened as it is
// named, and may be a link. What lies beneath it is opened without following a link and without leaving it, and only if
// it is a regular file: no pipe, device or socket, whose opening could wait for ever or do something.
//
// A folder that is open stays the one it is, whatever happens to its name meanwhile.
#pragma once

#include "common/base/descriptor.h"
#include "common/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <ctime>

namespace lw {

// How a name is looked up: by the kernel in one step (openat2, Linux 5.6), else folder by folder.
enum class Lookup : std::uint8_t { kernel, by_folder };

// `error` of the Results: what failed and why; the fix is the caller's `fix`.
Result<Descriptor> open_folder(const std::filesystem::path& folder, const std::string& fix);

// `name` is relative to the open `folder`; `shown` is what a person knows the file by.
struct Beneath {
  int folder = -1;
  std::filesystem::path shown;  // of the folder
  std::string fix;              // for errors

  [[nodiscard]] Result<Descriptor> open_folder(const std::filesystem::path& name, Lookup lookup = Lookup::kernel) const;
  [[nodiscard]] Result<Descriptor> open_file(const std::filesystem::path& name, Lookup lookup = Lookup::kernel) const;
  // The whole of a file that is not larger than `bytes_max`.
  [[nodiscard]] Result<std::string> read(const std::filesystem::path& name, std::size_t bytes_max) const;
  // Whether there is anything of that name, a link that leads nowhere included.
  [[nodiscard]] bool has(const std::filesystem::path& name) const;
  // Replaces a file in one step: writes one of a random name beside it and renames that when it is on the disk. `time`:
  // that it is to have been written at.
  [[nodiscard]] Result<void> replace(const std::string& name, std::string_view text,
                                     const std::optional<timespec>& time = {}) const;
};

}  // namespace lw
