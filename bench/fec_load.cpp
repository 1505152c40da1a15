#include "bench/fec_load.h"

#include "common/base/cache_lines.h"
#include "common/fec/reed_solomon.h"
#include "common/memory/pages.h"

#include <isa-l/erasure_code.h>
#include <isa-l/raid.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace lw::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Byte = unsigned char;

// Like a wall's frames: on huge pages if the host provides them.
Result<Pages> filled(std::size_t bytes) {
  auto memory = Pages::allocate(bytes);
  if (!memory) return memory;
  std::minstd_rand random(1);
  for (std::size_t i = 0; i < bytes; ++i) memory->data()[i] = static_cast<std::byte>(random());
  return memory;
}

// A function to measure over this many bytes, by its best round.
struct Work {
  std::size_t bytes;
  std::function<void()> run;
  double gb_per_s = 0;
};

// In turns, because a virtual machine's speed changes from one moment to the next.
void measure(std::span<Work> works) {
  constexpr int rounds = 15;
  for (auto& work : works) work.run();
  for (int round = 0; round < rounds; ++round) {
    for (auto& work : works) {
      const auto start = Clock::now();
      work.run();
      const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
      work.gb_per_s = std::max(work.gb_per_s, static_cast<double>(work.bytes) / 1e9 / seconds);
    }
  }
}

// The frame's memory, its groups as the flow sender forms them, and the parity.
struct Frame {
  FecGroups groups;
  Pages pixels;
  Pages parity;

  static Result<Frame> make(const FecLoad& load) {
    const FecGroups groups(load.packets, load.strength);
    auto pixels = filled(load.packets * load.packet_bytes);
    if (!pixels) return pixels.error();
    auto parity = filled(groups.parity_packets() * cache_line_stride(load.packet_bytes));
    if (!parity) return parity.error();
    return Frame{groups, std::move(*pixels), std::move(*parity)};
  }
};

std::vector<ReedSolomon::Symbol> symbols_of(const Frame& frame, std::size_t group, std::size_t bytes) {
  std::vector<ReedSolomon::Symbol> data;
  for (std::size_t i = 0; i < frame.groups.size(group); ++i)
    data.push_back({frame.pixels.data() + frame.groups.packet(group, i) * bytes, bytes});
  return data;
}

std::vector<std::byte*> rows_of(const Frame& frame, std::size_t group, const FecLoad& load) {
  std::vector<std::byte*> rows;
  for (unsigned row = 0; row < load.strength.parity; ++row)
    rows.push_back(frame.parity.data() + frame.groups.parity_number(group, row) * cache_line_stride(load.packet_bytes));
  return rows;
}

// Like the library's own benchmark (erasure_code_perf), over consecutive aligned buffers: encoding with tables made
// once; decoding with a matrix of data x data inverted for each block.
class Library {
public:
  static Result<Library> make(const FecLoad& load) {
    const std::size_t stride = cache_line_stride(load.packet_bytes);
    auto pixels = filled(load.packets * stride);
    if (!pixels) return pixels.error();
    auto parity = filled(load.packets / load.strength.data * load.strength.parity * stride);
    if (!parity) return parity.error();
    auto rebuilt = filled(load.strength.parity * stride);
    if (!rebuilt) return rebuilt.error();
    return Library(load, stride, std::move(*pixels), std::move(*parity), std::move(*rebuilt));
  }
  [[nodiscard]] std::size_t bytes() const { return blocks_ * from_.size() * load_.packet_bytes; }
  void encode() {
    for (std::size_t block = 0; block < blocks_; ++block) {
      for (std::size_t i = 0; i < from_.size(); ++i) from_[i] = at(pixels_, block * from_.size() + i);
      for (std::size_t i = 0; i < to_.size(); ++i) to_[i] = at(parity_, block * to_.size() + i);
      ec_encode_data(static_cast<int>(load_.packet_bytes), static_cast<int>(from_.size()), static_cast<int>(to_.size()),
                     tables_.data(), from_.data(), to_.data());
    }
  }
  // Rebuilds as many symbols of each block as there are parity symbols, into the same few buffers.
  void decode(std::span<const unsigned> missing) {
    for (std::size_t block = 0; block < blocks_; ++block) {
      invert_for(missing);
      std::size_t n = 0;
      for (unsigned i = 0; i < from_.size(); ++i)
        if (!std::ranges::binary_search(missing, i)) from_[n++] = at(pixels_, block * from_.size() + i);
      for (std::size_t row = 0; n < from_.size(); ++row) from_[n++] = at(parity_, block * to_.size() + row);
      for (std::size_t i = 0; i < to_.size(); ++i) to_[i] = at(rebuilt_, i);
      ec_encode_data(static_cast<int>(load_.packet_bytes), static_cast<int>(from_.size()), static_cast<int>(to_.size()),
                     decoding_tables_.data(), from_.data(), to_.data());
    }
  }

private:
  Library(const FecLoad& load, std::size_t stride, Pages pixels, Pages parity, Pages rebuilt)
      : load_(load),
        stride_(stride),
        blocks_(load.packets / load.strength.data),
        pixels_(std::move(pixels)),
        parity_(std::move(parity)),
        rebuilt_(std::move(rebuilt)),
        from_(load.strength.data),
        to_(load.strength.parity) {
    const std::size_t k = load.strength.data;
    const std::size_t m = load.strength.parity;
    matrix_.resize((k + m) * k);
    tables_.resize(32 * m * k);
    decoding_tables_.resize(tables_.size());
    left_.resize(k * k);
    inverse_.resize(k * k);
    rows_.resize(m * k);
    gf_gen_cauchy1_matrix(matrix_.data(), static_cast<int>(k + m), static_cast<int>(k));
    ec_init_tables(static_cast<int>(k), static_cast<int>(m), matrix_.data() + k * k, tables_.data());
  }
  void invert_for(std::span<const unsigned> missing) {
    const std::size_t k = from_.size();
    auto to = left_.begin();
    for (unsigned row = 0; row < k + missing.size(); ++row)
      if (!std::ranges::binary_search(missing, row))
        to = std::copy_n(matrix_.begin() + static_cast<std::ptrdiff_t>(row * k), k, to);
    gf_invert_matrix(left_.data(), inverse_.data(), static_cast<int>(k));
    to = rows_.begin();
    for (const auto row : missing) to = std::copy_n(inverse_.begin() + static_cast<std::ptrdiff_t>(row * k), k, to);
    ec_init_tables(static_cast<int>(k), static_cast<int>(missing.size()), rows_.data(), decoding_tables_.data());
  }
  [[nodiscard]] Byte* at(const Pages& memory, std::size_t packet) const {
    return reinterpret_cast<Byte*>(memory.data() + packet * stride_);
  }

  FecLoad load_;
  std::size_t stride_;
  std::size_t blocks_;
  Pages pixels_, parity_, rebuilt_;
  std::vector<Byte> matrix_, tables_;
  std::vector<Byte> left_, inverse_, rows_, decoding_tables_;  // for the remaining rows, for decoding
  std::vector<Byte*> from_, to_;
};

Work exclusive_or(const FecLoad& load, const Frame& frame) {
  const std::size_t blocks = load.packets / load.strength.data;
  const auto bytes = load.packet_bytes / 32 * 32;
  return {blocks * load.strength.data * bytes, [=, &load, &frame] {
            std::vector<void*> vectors(load.strength.data + 1);
            for (std::size_t block = 0; block < blocks; ++block) {
              for (std::size_t i = 0; i < load.strength.data; ++i)
                vectors[i] = frame.pixels.data() + (block * load.strength.data + i) * bytes;
              vectors.back() = frame.parity.data();  // of one block, written repeatedly
              xor_gen(static_cast<int>(vectors.size()), static_cast<int>(bytes), vectors.data());
            }
          }};
}

// Gilbert's model.
class Losses {
public:
  explicit Losses(const PathLoss& path) : leave_(path.leave_bad()), enter_(path.enter_bad()) {}
  bool next() { return bad_ = bad_ ? uniform_(random_) >= leave_ : uniform_(random_) < enter_; }

private:
  double leave_, enter_;
  bool bad_ = false;
  std::mt19937_64 random_{1};
  std::uniform_real_distribution<> uniform_;
};

double incomplete_with_groups(const FecLoad& load) {
  const FecGroups groups(load.path_packets, load.strength);
  Losses losses(load.path);
  unsigned failed = 0;
  std::vector<unsigned> lost(groups.count());
  for (unsigned frame = 0; frame < load.path_frames; ++frame) {
    std::ranges::fill(lost, 0U);
    for (std::size_t i = 0; i < load.path_packets + groups.parity_packets(); ++i)
      if (losses.next()) ++lost[i % groups.count()];
    failed += std::ranges::any_of(lost, [&](unsigned count) { return count > load.strength.parity; });
  }
  return static_cast<double>(failed) / load.path_frames;
}

// A matrix of side x side packets with a parity packet for each row and column, repeated as often as the frame needs. A
// missing packet is rebuilt when it is the only one missing in its row or column.
double incomplete_with_rows_and_columns(const FecLoad& load) {
  const auto side = static_cast<std::size_t>(
      std::lround(2.0 * load.strength.data / load.strength.parity));  // 2 side / side^2 = parity / data
  const std::size_t cell = side + 1;                                  // including its parity
  const std::size_t matrices = (load.path_packets + side * side - 1) / (side * side);
  Losses losses(load.path);
  unsigned failed = 0;
  std::vector<bool> lost;
  for (unsigned frame = 0; frame < load.path_frames; ++frame) {
    bool whole = true;
    for (std::size_t matrix = 0; matrix < matrices; ++matrix) {
      lost.assign(cell * cell, false);
      for (std::size_t row = 0; row < cell; ++row)
        for (std::size_t column = 0; column < cell; ++column)
          if (row < side || column < side) lost[row * cell + column] = losses.next();
      const auto count = [&](std::size_t first, std::size_t step) {
        unsigned missing = 0;
        for (std::size_t i = 0; i < cell; ++i) missing += lost[first + i * step];
        return missing;
      };
      const auto fill = [&](std::size_t first, std::size_t step) {
        for (std::size_t i = 0; i < cell; ++i) lost[first + i * step] = false;
      };
      for (bool more = true; more;) {
        more = false;
        for (std::size_t i = 0; i < side; ++i) {
          if (count(i * cell, 1) == 1) more = true, fill(i * cell, 1);
          if (count(i, cell) == 1) more = true, fill(i, cell);
        }
      }
      for (std::size_t row = 0; row < side; ++row)
        for (std::size_t column = 0; column < side; ++column) whole &= !lost[row * cell + column];
    }
    failed += !whole;
  }
  return static_cast<double>(failed) / load.path_frames;
}

}  // namespace

Result<Report> run(const FecLoad& load) {
  auto frame = Frame::make(load);
  if (!frame) return frame.error();
  auto library = Library::make(load);
  if (!library) return library.error();
  ReedSolomon code(load.strength, load.packet_bytes);
  const std::size_t bytes = load.packets * load.packet_bytes;
  std::vector<std::vector<ReedSolomon::Symbol>> data;
  std::vector<std::vector<std::byte*>> rows;
  for (std::size_t group = 0; group < frame->groups.count(); ++group) {
    data.push_back(symbols_of(*frame, group, load.packet_bytes));
    rows.push_back(rows_of(*frame, group, load));
  }
  // As many packets of each group are missing as can be rebuilt: at the same positions of all groups, as after a long
  // burst, or at other positions than in the previous group.
  std::array<std::vector<unsigned>, 2> missing;
  for (unsigned i = 0; i < load.strength.parity; ++i) {
    missing[0].push_back(i * 3 % load.strength.data);
    missing[1].push_back((i * 3 + 1) % load.strength.data);
  }
  for (auto& places : missing) std::ranges::sort(places);
  std::vector<ReedSolomon::Parity> parity(load.strength.parity);
  const auto decode = [&](std::size_t patterns) {
    for (std::size_t group = 0; group < data.size(); ++group) {
      for (unsigned row = 0; row < load.strength.parity; ++row) parity[row] = {row, rows[group][row]};
      code.decode(data[group], missing[group % patterns], parity);
    }
  };
  std::array works{Work{bytes,
                        [&] {
                          for (std::size_t group = 0; group < data.size(); ++group)
                            code.encode(data[group], rows[group]);
                        }},
                   Work{bytes, [&] { decode(1); }},
                   Work{bytes, [&] { decode(2); }},
                   Work{library->bytes(), [&] { library->encode(); }},
                   Work{library->bytes(), [&] { library->decode(missing[0]); }},
                   exclusive_or(load, *frame)};
  measure(works);
  const FecGroups on_path(load.path_packets, load.strength);
  return Report{{{"encode_gb_per_s", works[0].gb_per_s},
                 {"decode_gb_per_s", works[1].gb_per_s},
                 {"decode_elsewhere_gb_per_s", works[2].gb_per_s},
                 {"library_encode_gb_per_s", works[3].gb_per_s},
                 {"library_decode_gb_per_s", works[4].gb_per_s},
                 {"xor_gb_per_s", works[5].gb_per_s},
                 {"frames_incomplete", incomplete_with_groups(load)},
                 {"frames_incomplete_predicted", frame_loss_probability(on_path, load.strength, load.path)},
                 {"frames_incomplete_rows_and_columns", incomplete_with_rows_and_columns(load)},
                 {"overhead", static_cast<double>(on_path.parity_packets()) / static_cast<double>(load.path_packets)}}};
}

}  // namespace lw::bench
