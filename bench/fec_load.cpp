#include "bench/fec_load.h"

#include "common/fec/reed_solomon.h"

#include <isa-l/erasure_code.h>
#include <isa-l/raid.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

namespace lw::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Byte = unsigned char;

struct Free {
  void operator()(std::byte* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<std::byte, Free>;

Memory filled(std::size_t bytes) {
  Memory memory(static_cast<std::byte*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64)));
  std::minstd_rand random(1);
  for (std::size_t i = 0; i < bytes; ++i) memory.get()[i] = static_cast<std::byte>(random());
  return memory;
}

// GB/s of `bytes`, the best of some rounds.
template <class Work>
double gb_per_s(std::size_t bytes, Work work) {
  double best = 0;
  work();
  for (int round = 0; round < 7; ++round) {
    const auto start = Clock::now();
    work();
    best =
        std::max(best, static_cast<double>(bytes) / 1e9 / std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

// The frame's memory, its groups as the flow sender forms them, and the parity.
struct Frame {
  explicit Frame(const FecLoad& load)
      : groups(load.packets, load.strength),
        pixels(filled(load.packets * load.packet_bytes)),
        parity(filled(groups.parity_packets() * load.packet_bytes)) {}
  FecGroups groups;
  Memory pixels;
  Memory parity;
};

std::vector<ReedSolomon::Symbol> symbols_of(const Frame& frame, std::size_t group, std::size_t bytes) {
  std::vector<ReedSolomon::Symbol> data;
  for (std::size_t i = 0; i < frame.groups.size(group); ++i)
    data.push_back({frame.pixels.get() + frame.groups.packet(group, i) * bytes, bytes});
  return data;
}

std::vector<std::byte*> rows_of(const Frame& frame, std::size_t group, const FecLoad& load) {
  std::vector<std::byte*> rows;
  for (unsigned row = 0; row < load.strength.parity; ++row)
    rows.push_back(frame.parity.get() + frame.groups.parity_number(group, row) * load.packet_bytes);
  return rows;
}

// As the library's own benchmark does it (erasure_code_perf): tables made once, aligned buffers one behind the other.
double library(const FecLoad& load) {
  const std::size_t stride = (load.packet_bytes + 63) / 64 * 64;
  const auto pixels = filled(load.packets * stride);
  const auto parity = filled(load.packets / load.strength.data * load.strength.parity * stride);
  const auto k = static_cast<int>(load.strength.data);
  const auto m = static_cast<int>(load.strength.parity);
  std::vector<Byte> matrix(static_cast<std::size_t>((k + m) * k));
  std::vector<Byte> tables(static_cast<std::size_t>(32 * m * k));
  gf_gen_cauchy1_matrix(matrix.data(), k + m, k);
  ec_init_tables(k, m, matrix.data() + k * k, tables.data());
  const std::size_t blocks = load.packets / load.strength.data;
  std::vector<Byte*> from(load.strength.data);
  std::vector<Byte*> to(load.strength.parity);
  const auto at = [&](const Memory& memory, std::size_t packet) {
    return reinterpret_cast<Byte*>(memory.get() + packet * stride);
  };
  return gb_per_s(blocks * load.strength.data * load.packet_bytes, [&] {
    for (std::size_t block = 0; block < blocks; ++block) {
      for (std::size_t i = 0; i < from.size(); ++i) from[i] = at(pixels, block * from.size() + i);
      for (std::size_t i = 0; i < to.size(); ++i) to[i] = at(parity, block * to.size() + i);
      ec_encode_data(static_cast<int>(load.packet_bytes), k, m, tables.data(), from.data(), to.data());
    }
  });
}

double exclusive_or(const FecLoad& load, const Frame& frame) {
  const std::size_t blocks = load.packets / load.strength.data;
  std::vector<void*> vectors(load.strength.data + 1);
  const auto bytes = load.packet_bytes / 32 * 32;
  Memory parity(static_cast<std::byte*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64)));
  return gb_per_s(blocks * load.strength.data * bytes, [&] {
    for (std::size_t block = 0; block < blocks; ++block) {
      for (std::size_t i = 0; i < load.strength.data; ++i)
        vectors[i] = frame.pixels.get() + (block * load.strength.data + i) * bytes;
      vectors.back() = parity.get();
      xor_gen(static_cast<int>(vectors.size()), static_cast<int>(bytes), vectors.data());
    }
  });
}

// Gilbert's chain.
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

// A matrix of side x side packets with a parity packet for each row and column, as often as the frame needs; each
// missing packet is rebuilt while it is the only one of its row or column.
double incomplete_with_rows_and_columns(const FecLoad& load) {
  const auto side = static_cast<std::size_t>(
      std::lround(2.0 * load.strength.data / load.strength.parity));  // 2 side / side^2 = parity / data
  const std::size_t cell = side + 1;                                  // with its parity
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
  const Frame frame(load);
  ReedSolomon code(load.strength, load.packet_bytes);
  const std::size_t bytes = load.packets * load.packet_bytes;
  std::vector<std::vector<ReedSolomon::Symbol>> data;
  std::vector<std::vector<std::byte*>> rows;
  for (std::size_t group = 0; group < frame.groups.count(); ++group) {
    data.push_back(symbols_of(frame, group, load.packet_bytes));
    rows.push_back(rows_of(frame, group, load));
  }
  const double encode = gb_per_s(bytes, [&] {
    for (std::size_t group = 0; group < data.size(); ++group) code.encode(data[group], rows[group]);
  });
  // As many packets of each group are missing as can be: at the same places of all groups, as a long burst loses them,
  // or elsewhere than in the group before.
  std::array<std::vector<unsigned>, 2> missing;
  for (unsigned i = 0; i < load.strength.parity; ++i) {
    missing[0].push_back(i * 3 % load.strength.data);
    missing[1].push_back((i * 3 + 1) % load.strength.data);
  }
  for (auto& places : missing) std::ranges::sort(places);
  const auto decode = [&](std::size_t patterns) {
    return gb_per_s(bytes, [&, patterns] {
      std::vector<ReedSolomon::Parity> parity(load.strength.parity);
      for (std::size_t group = 0; group < data.size(); ++group) {
        for (unsigned row = 0; row < load.strength.parity; ++row) parity[row] = {row, rows[group][row]};
        code.decode(data[group], missing[group % patterns], parity);
      }
    });
  };
  const FecGroups on_path(load.path_packets, load.strength);
  return Report{{{"encode_gb_per_s", encode},
                 {"decode_gb_per_s", decode(1)},
                 {"decode_elsewhere_gb_per_s", decode(2)},
                 {"library_gb_per_s", library(load)},
                 {"xor_gb_per_s", exclusive_or(load, frame)},
                 {"frames_incomplete", incomplete_with_groups(load)},
                 {"frames_incomplete_predicted", frame_loss_probability(on_path, load.strength, load.path)},
                 {"frames_incomplete_rows_and_columns", incomplete_with_rows_and_columns(load)},
                 {"overhead", static_cast<double>(on_path.parity_packets()) / static_cast<double>(load.path_packets)}}};
}

}  // namespace lw::bench
