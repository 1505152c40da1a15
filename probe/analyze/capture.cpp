#include "probe/analyze/capture.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

namespace lw {
namespace {

constexpr std::uint32_t pcap_microseconds = 0xa1b2c3d4;
constexpr std::uint32_t pcap_nanoseconds = 0xa1b23c4d;
constexpr std::uint32_t section_header = 0x0a0d0d0a;
constexpr std::uint32_t section_order = 0x1a2b3c4d;
constexpr std::uint32_t interface_description = 1;
constexpr std::uint32_t simple_packet = 3;
constexpr std::uint32_t enhanced_packet = 6;
constexpr std::uint16_t option_resolution = 9;
constexpr std::uint16_t option_offset = 14;

const Error no_capture{"not a packet capture", "use a pcap or pcapng file, as written by tcpdump -w and Wireshark"};

// Numbers in the byte order of the file. Callers check the length.
class Numbers {
public:
  explicit Numbers(bool swapped) : swapped_(swapped) {}
  [[nodiscard]] bool swapped() const { return swapped_; }
  [[nodiscard]] std::uint16_t u16(std::span<const std::byte> bytes, std::size_t at) const {
    const auto value = load<std::uint16_t>(bytes, at);
    return swapped_ ? __builtin_bswap16(value) : value;
  }
  [[nodiscard]] std::uint32_t u32(std::span<const std::byte> bytes, std::size_t at) const {
    const auto value = load<std::uint32_t>(bytes, at);
    return swapped_ ? __builtin_bswap32(value) : value;
  }

private:
  template <class T>
  static T load(std::span<const std::byte> bytes, std::size_t at) {
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof(value));
    return value;
  }
  bool swapped_;
};

CaptureCounts read_pcap(std::span<const std::byte> capture, Numbers numbers, bool nanoseconds,
                        const PacketVisitor& visit) {
  constexpr std::size_t file_header = 24, record_header = 16;
  constexpr std::uint32_t link_type_bits = 0x0fffffff;  // the bits above are flags
  CaptureCounts counts;
  const auto link_type = numbers.u32(capture, 20) & link_type_bits;
  for (auto rest = capture.subspan(file_header); !rest.empty();) {
    if (rest.size() < record_header || rest.size() - record_header < numbers.u32(rest, 8)) {
      counts.ends_early = true;
      break;
    }
    const auto fraction = Nanoseconds{std::int64_t{numbers.u32(rest, 4)} * (nanoseconds ? 1 : 1000)};
    const auto length = numbers.u32(rest, 8);
    ++counts.packets;
    visit({std::chrono::seconds{numbers.u32(rest, 0)} + fraction, link_type, rest.subspan(record_header, length),
           numbers.u32(rest, 12) > length});
    rest = rest.subspan(record_header + length);
  }
  return counts;
}

// An interface of a section: the unit of its packets' times.
struct CaptureInterface {
  std::uint32_t link_type = 0;
  double unit_ns = 1000;
  bool whole_ns = false;  // unit_ns is a whole number of nanoseconds
  std::int64_t offset_s = 0;

  [[nodiscard]] Nanoseconds time(std::uint64_t units) const {
    // Exact integer units: a double does not have enough digits for nanoseconds since 1970.
    constexpr std::int64_t latest = 4'000'000'000'000'000'000;  // 2096; also keeps differences of times in range
    const auto since = whole_ns ? static_cast<std::int64_t>(units * static_cast<std::uint64_t>(unit_ns))
                                : static_cast<std::int64_t>(std::min(static_cast<double>(units) * unit_ns, 4e18));
    return Nanoseconds{std::clamp(since, std::int64_t{0}, latest)} + Nanoseconds{std::chrono::seconds{offset_s}};
  }
};

class BlockReader {
public:
  explicit BlockReader(const PacketVisitor& visit) : visit_(visit) {}

  Result<CaptureCounts> read(std::span<const std::byte> capture) {
    while (!capture.empty()) {
      const auto length = block_length(capture);
      if (!length) return counts_.packets > 0 || sections_ > 0 ? Result<CaptureCounts>(early()) : no_capture;
      block(capture.first(*length));
      capture = capture.subspan(*length);
    }
    return counts_;
  }

private:
  static constexpr std::size_t head = 8, tail = 4;

  CaptureCounts early() {
    counts_.ends_early = true;
    return counts_;
  }

  // Empty if the block runs past the file, or is not a block. A section header sets the byte order of its own length.
  std::optional<std::size_t> block_length(std::span<const std::byte> capture) {
    if (capture.size() < head + tail) return {};
    if (Numbers(false).u32(capture, 0) == section_header) {
      const auto order = Numbers(false).u32(capture, 8);
      if (order != section_order && __builtin_bswap32(order) != section_order) return {};
      numbers_ = Numbers(order != section_order);
    } else if (sections_ == 0) {
      return {};
    }
    const std::size_t length = numbers_.u32(capture, 4);
    if (length < head + tail || length % 4 != 0 || length > capture.size()) return {};
    return length;
  }

  void block(std::span<const std::byte> bytes) {
    const auto body = bytes.subspan(head, bytes.size() - head - tail);
    switch (numbers_.u32(bytes, 0)) {
      case section_header:
        ++sections_;
        interfaces_.clear();
        break;
      case interface_description:
        interface(body);
        break;
      case enhanced_packet:
        packet(body);
        break;
      case simple_packet:
        ++counts_.untimed;
        break;
      default:
        break;
    }
  }

  void interface(std::span<const std::byte> body) {
    CaptureInterface interface;
    interface.whole_ns = true;
    constexpr std::size_t fixed = 8;
    if (body.size() >= fixed) {
      interface.link_type = numbers_.u16(body, 0);
      options(body.subspan(fixed), interface);
    }
    interfaces_.push_back(interface);
  }

  void options(std::span<const std::byte> rest, CaptureInterface& interface) const {
    while (rest.size() >= 4) {
      const auto code = numbers_.u16(rest, 0);
      const std::size_t length = numbers_.u16(rest, 2), padded = (length + 3) / 4 * 4;
      if (code == 0 || padded > rest.size() - 4) return;
      if (code == option_resolution && length == 1) set_resolution(std::to_integer<unsigned>(rest[4]), interface);
      if (code == option_offset && length == 8) {
        // Seconds in 64 bits; the lower 32 are enough until 2038.
        interface.offset_s = static_cast<std::int32_t>(numbers_.u32(rest, numbers_.swapped() ? 8 : 4));
      }
      rest = rest.subspan(4 + padded);
    }
  }

  // 10^-n or, with the top bit, 2^-n seconds.
  static void set_resolution(unsigned value, CaptureInterface& interface) {
    const double exponent = value & 0x7fU;
    interface.unit_ns = 1e9 * std::pow((value & 0x80U) != 0 ? 2 : 10, -exponent);
    interface.whole_ns = interface.unit_ns >= 1 && interface.unit_ns == std::floor(interface.unit_ns);
  }

  void packet(std::span<const std::byte> body) {
    constexpr std::size_t fixed = 20;
    if (body.size() < fixed) return;
    const auto index = numbers_.u32(body, 0);
    const auto length = numbers_.u32(body, 12);
    if (index >= interfaces_.size() || length > body.size() - fixed) return;
    const auto& interface = interfaces_[index];
    const auto units = std::uint64_t{numbers_.u32(body, 4)} << 32U | numbers_.u32(body, 8);
    ++counts_.packets;
    visit_({interface.time(units), interface.link_type, body.subspan(fixed, length), numbers_.u32(body, 16) > length});
  }

  const PacketVisitor& visit_;
  Numbers numbers_{false};
  unsigned sections_ = 0;
  std::vector<CaptureInterface> interfaces_;
  CaptureCounts counts_;
};

}  // namespace

Result<CaptureCounts> read_capture(std::span<const std::byte> capture, const PacketVisitor& visit) {
  constexpr std::size_t pcap_header = 24;
  if (capture.size() < pcap_header) return no_capture;
  for (const bool swapped : {false, true}) {
    const Numbers numbers(swapped);
    const auto magic = numbers.u32(capture, 0);
    if (magic == pcap_microseconds || magic == pcap_nanoseconds)
      return read_pcap(capture, numbers, magic == pcap_nanoseconds, visit);
  }
  return BlockReader(visit).read(capture);
}

Result<MappedFile> MappedFile::open(const std::filesystem::path& file) {
  const auto problem = [&] {
    return Error{file.string() + ": " + std::strerror(errno), "use a pcap or pcapng file that you may read"};
  };
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return problem();
  struct stat status {};
  void* mapped = MAP_FAILED;
  if (fstat(fd, &status) == 0 && status.st_size > 0)
    mapped = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
  const auto failed = mapped == MAP_FAILED ? std::optional(problem()) : std::nullopt;
  close(fd);
  if (failed && status.st_size == 0) return Error{file.string() + " is empty", no_capture.mend};
  if (failed) return *failed;
  return MappedFile({static_cast<const std::byte*>(mapped), static_cast<std::size_t>(status.st_size)});
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace lw
