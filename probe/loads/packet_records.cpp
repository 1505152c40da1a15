#include "probe/loads/packet_records.h"

#include "common/base/cannot_write.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <string>

namespace lw {
namespace {

// A .npy header, version 1.0 (numpy.lib.format), padded so that its length does not change when the count is filled in.
constexpr std::size_t header_bytes = 256;
constexpr std::string_view magic{"\x93NUMPY\x01\x00", 8};
constexpr std::string_view descr =
    "[('arrival_ns', '<i8'), ('sequence', '<u4'), ('timestamp', '<u4'), ('flow', '<u4'), ('bytes', '<u2'), "
    "('marker', '<u2')]";

std::string header_of(std::uint64_t count) {
  std::string text(magic);
  constexpr std::uint16_t length = header_bytes - 10;
  text += static_cast<char>(length & 0xffU);
  text += static_cast<char>(length >> 8U);
  text += fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': ({},)}}", descr, count);
  text.resize(header_bytes - 1, ' ');
  return text + '\n';
}

// Times are subtracted from each other, so they must be far from the limits of the type.
bool is_possible(const PacketRecord& packet) {
  return packet.arrival_ns >= 0 && packet.arrival_ns < std::int64_t{1} << 62U;
}

}  // namespace

Result<PacketRecordWriter> PacketRecordWriter::create(const std::filesystem::path& file) {
  std::FILE* raw = std::fopen(file.c_str(), "wbx");
  if (raw == nullptr) return cannot_write(file);
  PacketRecordWriter writer(raw, file);
  const auto header = header_of(0);
  if (std::fwrite(header.data(), header.size(), 1, raw) != 1) return cannot_write(file);
  return writer;
}

Result<void> PacketRecordWriter::write(std::span<const PacketRecord> packets) {
  if (std::fwrite(packets.data(), sizeof(PacketRecord), packets.size(), file_.get()) != packets.size())
    return cannot_write(name_);
  count_ += packets.size();
  return {};
}

Result<void> PacketRecordWriter::finish() {
  const auto header = header_of(count_);
  auto* file = file_.get();
  if (std::fseek(file, 0, SEEK_SET) != 0 || std::fwrite(header.data(), header.size(), 1, file) != 1 ||
      std::fflush(file) != 0)
    return cannot_write(name_);
  return {};
}

bool is_packet_records(std::span<const std::byte> file) {
  const auto header = header_of(0);
  const std::size_t known = header.find("'shape'");
  return file.size() >= header_bytes && std::memcmp(file.data(), header.data(), known) == 0;
}

// If the writer was killed, the count in the header is 0: the file's length determines the number of records.
Result<std::uint64_t> read_packet_records(std::span<const std::byte> file,
                                          const std::function<void(const PacketRecord&)>& visit) {
  if (!is_packet_records(file))
    return Error{"this is not a file of packet records", "use one that wall-probe run wrote"};
  std::uint64_t count = 0;
  for (auto rest = file.subspan(header_bytes); rest.size() >= sizeof(PacketRecord);
       rest = rest.subspan(sizeof(PacketRecord)), ++count) {
    PacketRecord packet;
    std::memcpy(&packet, rest.data(), sizeof(packet));
    if (!is_possible(packet))
      return Error{"packet record " + std::to_string(count) + " has a time that cannot be", "the file is damaged"};
    visit(packet);
  }
  return count;
}

}  // namespace lw
