#include "common/store/checksum.h"

#include "common/store/npy_header.h"
#include "common/store/stripe_layout.h"

#include <xxhash.h>

#include <boost/endian/conversion.hpp>

#include <cstring>
#include <fstream>

namespace lw {

constexpr std::size_t checksums_bytes_max = std::size_t{1} << 30U;

std::uint64_t checksum(std::span<const std::byte> frame) { return XXH3_64bits(frame.data(), frame.size()); }

struct RunningChecksum::State {
  XXH3_state_t* xxh = XXH3_createState();
  State() { XXH3_64bits_reset(xxh); }
  ~State() { XXH3_freeState(xxh); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

RunningChecksum::RunningChecksum() : state_(std::make_unique<State>()) {}
RunningChecksum::~RunningChecksum() = default;
void RunningChecksum::add(std::span<const std::byte> bytes) {
  XXH3_64bits_update(state_->xxh, bytes.data(), bytes.size());
}
std::uint64_t RunningChecksum::value() const { return XXH3_64bits_digest(state_->xxh); }

Result<ChecksumTable> load_checksums(const Beneath& folder, const std::string& name) {
  const auto file = folder.shown / name;
  const auto content = folder.read(name, checksums_bytes_max);
  if (!content) return content.error();
  const std::span bytes{reinterpret_cast<const std::byte*>(content->data()), content->size()};
  auto header = parse_npy_array(bytes);
  if (!header) return Error(header.error()).in(file.string());
  if (header->descr != "<u8" || header->shape.size() != 2)
    return Error{file.string() + ": expected 64-bit little-endian numbers of shape (frames, tiles)",
                 "ingest the visualization again"};
  const auto frames = header->shape[0];
  const auto tiles = header->shape[1];
  if (frames > UINT32_MAX || tiles > 65'536 || (bytes.size() - header->header_bytes) / 8 < frames * tiles)
    return Error{file.string() + " is shorter than its header says", "ingest the visualization again"};
  ChecksumTable table{static_cast<std::uint32_t>(frames), static_cast<unsigned>(tiles), {}};
  table.values.resize(frames * tiles);
  std::memcpy(table.values.data(), bytes.data() + header->header_bytes, table.values.size() * 8);
  for (auto& value : table.values) value = boost::endian::little_to_native(value);
  return table;
}

Result<void> save_checksums(const ChecksumTable& table, const std::filesystem::path& file) {
  std::ofstream out(file, std::ios::binary);
  out << npy_array_header("<u8", {table.frames, table.tiles}, 64);
  for (const auto value : table.values) {
    const auto little = boost::endian::native_to_little(value);
    out.write(reinterpret_cast<const char*>(&little), sizeof(little));
  }
  out.close();
  if (!out) return Error{"cannot write " + file.string(), "free some space on the disk"};
  return {};
}

}  // namespace lw
