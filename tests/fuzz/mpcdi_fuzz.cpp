// Any bytes are an MPCDI file that becomes a valid wall with files of safe names, or an error with a fix. An input that
// begins with '<' is a description alone; another is an archive, or, after a first byte 'x', a description in one.
#include "common/wall/wall_file.h"
#include "probe/mpcdi/mpcdi_import.h"
#include "wall-client/display/output/warp_mesh.h"

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

namespace {

void check_error(const lw::Error& error) {
  if (error.mend.empty() || error.text().find('\n') != std::string::npos) std::abort();
}

void check_description(std::string_view xml) {
  const auto parsed = lw::parse_mpcdi(xml);
  if (!parsed) return check_error(parsed.error());
  if (parsed->buffers.empty()) std::abort();
  for (const auto& buffer : parsed->buffers)
    for (const auto& region : buffer.regions)
      if (!(region.x >= 0 && region.width > 0 && region.x + region.width <= 1.0001) || region.columns == 0)
        std::abort();
}

void put(std::string& to, std::size_t value, unsigned count) {
  for (unsigned i = 0; i < count; ++i) to += static_cast<char>(value >> 8U * i);
}

// A checksum is not to be guessed: packs an entry without compression.
void pack(std::string& local, std::string& central, const std::string& name, std::string_view bytes) {
  std::string fields("\24\0\0\0\0\0\0\0\0\0", 10);
  put(fields, crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())), 4);
  put(fields, bytes.size(), 4);
  put(fields, bytes.size(), 4);
  put(fields, name.size(), 2);
  put(fields, 0, 2);
  const auto at = local.size();
  local += "PK\3\4" + fields + name;
  local += bytes;
  central += std::string("PK\1\2\24\0", 6) + fields;
  put(central, 0, 8);
  put(central, 0, 2);
  put(central, at, 4);
  central += name;
}

// "mpcdi.xml", and behind a byte 0 the content of "a", which stands for its warps and maps.
std::string archive_of(std::string_view input) {
  const auto end = input.find('\0');
  std::string local, central;
  pack(local, central, "mpcdi.xml", input.substr(0, end));
  pack(local, central, "a", end == std::string_view::npos ? std::string_view() : input.substr(end + 1));
  std::string tail("PK\5\6\0\0\0\0\2\0\2\0", 12);
  put(tail, central.size(), 4);
  put(tail, local.size(), 4);
  put(tail, 0, 2);
  return local + central + tail;
}

void check_import(std::string_view archive) {
  lw::MpcdiOptions options;
  options.limits = {64, std::uint64_t{1} << 20U, std::uint64_t{4} << 20U};
  std::map<std::string, std::string> files;
  const auto sink = [&files](const std::string& name, const std::string& bytes) {
    constexpr const char* safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    if (name.find_first_not_of(safe) != std::string::npos || name.front() == '.') std::abort();
    if (!files.emplace(name, bytes).second) std::abort();
    return lw::Result<void>{};
  };
  const auto made = lw::import_mpcdi(archive, "fuzz", options, sink);
  if (!made) return check_error(made.error());
  const auto wall = lw::parse_wall(files.at("wall.toml"), "wall.toml");
  if (!wall || wall->tile_count() != made->projectors) std::abort();
  for (const auto& node : wall->nodes)
    for (const auto& placement : node.tiles)
      if (placement.output.warp.named() && !lw::parse_warp_mesh(files.at(placement.output.warp.path.filename())))
        std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (input.starts_with('<')) {
    check_description(input);
  } else if (input.starts_with('x')) {
    check_import(archive_of(input.substr(1)));
  } else {
    check_import(input);
  }
  return 0;
}
