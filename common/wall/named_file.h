// A file that the wall file names. Read by who needs it, when it needs it.
#pragma once

#include <filesystem>
#include <string>

namespace lw {

struct NamedFile {
  std::filesystem::path path;  // empty: none
  std::string where;           // "wall.toml:12", for errors

  [[nodiscard]] bool named() const { return !path.empty(); }
};

}  // namespace lw
