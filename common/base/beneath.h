// Files in folders that others may write to. A folder named by a person (on a command line) is opened as named, and may
// be a link. Anything beneath it is opened without following links and without leaving the folder, and only if it is a
// regular file: opening a pipe, device or socket could block forever or have side effects.
//
// An open folder stays the same folder, whatever happens to its name.
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

// How a name is looked up: by the kernel in one step (openat2, Linux 5.6), or folder by folder.
enum class Lookup : std::uint8_t { kernel, by_folder };

// Errors say what failed and why; `fix` is the caller's advice.
Result<Descriptor> open_folder(const std::filesystem::path& folder, const std::string& fix);

// `name` is relative to the open `folder`; `shown` is the name for people.
struct Beneath {
  int folder = -1;
  std::filesystem::path shown;  // of the folder
  std::string fix;              // for errors

  [[nodiscard]] Result<Descriptor> open_folder(const std::filesystem::path& name, Lookup lookup = Lookup::kernel) const;
  [[nodiscard]] Result<Descriptor> open_file(const std::filesystem::path& name, Lookup lookup = Lookup::kernel) const;
  // The content of a file of at most `bytes_max`.
  [[nodiscard]] Result<std::string> read(const std::filesystem::path& name, std::size_t bytes_max) const;
  // Whether anything has this name, including a dangling link.
  [[nodiscard]] bool has(const std::filesystem::path& name) const;
  // Replaces a file in one step: writes a file with a random name beside it, and renames it once it is on the disk.
  // `time`: the modification time to set.
  [[nodiscard]] Result<void> replace(const std::string& name, std::string_view text,
                                     const std::optional<timespec>& time = {}) const;
};

}  // namespace lw
