#include "probe/measure/result_files.h"

#include "common/base/cannot_write.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cerrno>

namespace lw {
namespace {

std::string text_of(const nlohmann::json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

Result<void> write_json_file(const std::filesystem::path& file, const nlohmann::json& json) {
  const auto partial = file.string() + ".part";
  std::FILE* out = std::fopen(partial.c_str(), "w");
  if (out == nullptr) return cannot_write(partial);
  const auto text = text_of(json, 1);
  const bool written = std::fwrite(text.data(), 1, text.size(), out) == text.size() && std::fflush(out) == 0;
  const int error = errno;
  std::fclose(out);
  errno = error;
  if (written && std::rename(partial.c_str(), file.c_str()) == 0) return {};
  const auto failed = cannot_write(file);
  std::remove(partial.c_str());
  return failed;
}

Result<ResultFiles> ResultFiles::create(const std::filesystem::path& directory, const std::string& name) {
  ResultFiles files;
  files.base_ = directory / "runs" / name;
  std::error_code failed;
  std::filesystem::create_directories(files.base_.parent_path(), failed);
  if (failed)
    return Error{fmt::format("cannot create {}: {}", files.base_.parent_path().string(), failed.message()),
                 "name another directory"};
  if (std::filesystem::exists(files.base_.string() + ".json"))
    return Error{files.base_.string() + ".json exists", "name another directory, or remove it"};
  const auto intervals = files.base_.string() + ".ndjson";
  files.intervals_.reset(std::fopen(intervals.c_str(), "w"));
  if (!files.intervals_) return cannot_write(intervals);
  return files;
}

Result<void> ResultFiles::add_interval(const nlohmann::json& interval) {
  const auto text = text_of(interval, -1);
  if (std::fwrite(text.data(), 1, text.size(), intervals_.get()) != text.size() || std::fflush(intervals_.get()) != 0)
    return cannot_write(base_.string() + ".ndjson");
  return {};
}

Result<void> ResultFiles::finish(const nlohmann::json& result) {
  return write_json_file(base_.string() + ".json", result);
}

}  // namespace lw
