#include "common/host/sysfs.h"

#include <charconv>
#include <fstream>
#include <limits>

namespace lw {

std::optional<std::string> read_line(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  if (!std::getline(stream, line)) return {};
  while (!line.empty() && (line.back() == ' ' || line.back() == '\0')) line.pop_back();
  if (line.empty()) return {};
  return line;
}

std::optional<std::int64_t> read_number(const std::filesystem::path& file) {
  const auto line = read_line(file);
  if (!line) return {};
  std::int64_t value = 0;
  const auto* end = line->data() + line->size();
  const auto [stopped, error] = std::from_chars(line->data(), end, value);
  if (error != std::errc{} || stopped != end) return {};
  return value;
}

std::optional<unsigned> read_index(const std::filesystem::path& file) {
  const auto value = read_number(file);
  if (!value || *value < 0 || *value > std::numeric_limits<int>::max()) return {};
  return static_cast<unsigned>(*value);
}

}  // namespace lw
