#include "tests/simulate/disk.h"

#include <cerrno>
#include <cstring>

namespace lw::simulate {
namespace {

using namespace std::chrono_literals;

std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

std::uint64_t row_seed(std::uint64_t seed, std::uint32_t frame, unsigned tile, unsigned row) {
  return mixed(mixed(mixed(seed + frame) + tile) + row) | 1U;
}

// Calls each(offset, word, bytes) for the row's words until it returns false.
template <class Each>
bool for_each_word(std::uint64_t state, std::size_t bytes, Each each) {
  for (std::size_t at = 0; at < bytes; at += 8) {
    state ^= state << 13U;
    state ^= state >> 7U;
    state ^= state << 17U;
    if (!each(at, state, std::min<std::size_t>(8, bytes - at))) return false;
  }
  return true;
}

}  // namespace

std::uint64_t seed_of(std::string_view visualization) {
  std::uint64_t seed = 0xcbf29ce484222325U;
  for (const char c : visualization) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return seed;
}

void paint_row(std::uint64_t seed, std::uint32_t frame, unsigned tile, unsigned row, std::span<std::byte> out) {
  for_each_word(row_seed(seed, frame, tile, row), out.size(), [&](std::size_t at, std::uint64_t word, std::size_t n) {
    std::memcpy(out.data() + at, &word, n);
    return true;
  });
}

bool is_row(std::uint64_t seed, std::uint32_t frame, unsigned tile, unsigned row, std::span<const std::byte> bytes) {
  return for_each_word(
      row_seed(seed, frame, tile, row), bytes.size(),
      [&](std::size_t at, std::uint64_t word, std::size_t n) { return std::memcmp(bytes.data() + at, &word, n) == 0; });
}

bool SimReader::start(const FrameExtent& /*extent*/, FrameBuffer& buffer) {
  if (under_way_ == reads_max_) return false;
  ++under_way_;
  // Tile and frame are the buffer's only after this returned: they are asked for when the read ends.
  auto takes = disk_.latency;
  if (disk_.jitter > Nanoseconds{0})
    takes += Nanoseconds{static_cast<std::int64_t>(random_.below(static_cast<std::size_t>(disk_.jitter.count())))};
  const Read read{&buffer, name_, 0, 0};
  timeline_.at(timeline_.now().wall + takes, [this, read, alive = alive_] {
    if (*alive) end(read);
  });
  return true;
}

void SimReader::end(const Read& read) {
  if (disk_.hangs) {
    timeline_.at(timeline_.now().wall + 5ms, [this, read, alive = alive_] {
      if (*alive) end(read);
    });
    return;
  }
  auto& buffer = *read.buffer;
  const bool fails = disk_.fails > 0 && static_cast<double>(random_.below(1'000'000)) < disk_.fails * 1e6;
  const auto row = row_bytes(buffer.format, wall_.tile_width);
  for (unsigned y = 0; y < wall_.tile_height && !fails; ++y)
    paint_row(seed_of(read.name), buffer.frame, buffer.tile, y, {buffer.data + y * row, row});
  done_.push_back({&buffer, fails ? EIO : 0});
  on_end_();
}

std::size_t SimReader::wait(std::span<ReadDone> done, Nanoseconds /*timeout*/) {
  std::size_t count = 0;
  for (; count < done.size() && !done_.empty(); ++count) {
    done[count] = done_.front();
    done_.pop_front();
    --under_way_;
  }
  return count;
}

}  // namespace lw::simulate
