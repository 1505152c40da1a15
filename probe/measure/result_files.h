// A directory of results: runs/NAME.json of each run, and runs/NAME.ndjson with its intervals as they arrived.
#pragma once

#include "common/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

namespace lw {

// Writes under a temporary name, then renames: files under their final names are always complete.
Result<void> write_json_file(const std::filesystem::path& file, const nlohmann::json& json);

class ResultFiles {
public:
  // An error if it exists: a measurement never replaces another.
  static Result<ResultFiles> create(const std::filesystem::path& directory, const std::string& name);
  Result<void> add_interval(const nlohmann::json& interval);
  Result<void> finish(const nlohmann::json& result);
  [[nodiscard]] std::filesystem::path records() const { return base_.string() + "-records"; }

private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::filesystem::path base_;  // without extension
  std::unique_ptr<std::FILE, Close> intervals_;
};

}  // namespace lw
