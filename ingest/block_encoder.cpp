#include "ingest/block_encoder.h"

#include "common/pixel/bc7_tables.h"
#include "common/pixel/block_decoder.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

namespace lw {
namespace {

constexpr unsigned pixels_of_block = block_side * block_side;

// A function that becomes part of its caller, and so uses the instructions that the caller may.
#define LW_LANES [[gnu::always_inline]] inline

// A number for each of N blocks. Sums and products are rounded one by one, never fused (ingest/CMakeLists.txt), so that
// a store does not depend on the processor that made it.
template <unsigned N>
struct Lanes {
  using Number [[gnu::vector_size(N * sizeof(float))]] = float;
  using Whole [[gnu::vector_size(N * sizeof(int))]] = int;
};
template <unsigned N>
using Number = typename Lanes<N>::Number;
template <unsigned N>
using Whole = typename Lanes<N>::Whole;

template <unsigned N>
using Color = std::array<Number<N>, 3>;
template <unsigned N>
using Pixels = std::array<Color<N>, pixels_of_block>;
template <unsigned N>
using Indices = std::array<Whole<N>, pixels_of_block>;

// What a format stores of a block: the channels' bits of both endpoints, the colours that these mean, and where each
// pixel lies between them.
template <unsigned N>
struct Fit {
  std::array<std::array<Whole<N>, 3>, 2> stored;
  std::array<Whole<N>, 2> low_bit;  // BC7
  std::array<Color<N>, 2> ends;
  Indices<N> indices;
  Number<N> error;  // sum of squares
};

template <class Vector>
LW_LANES void keep_within(Vector& value, const Vector& least, const Vector& most) {
  value = value < least ? least : value;
  value = value > most ? most : value;
}

template <unsigned N>
LW_LANES Number<N> product(const Color<N>& a, const Color<N>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The axis along which the pixels' colours spread most, and their mean.
template <unsigned N>
LW_LANES void find_axis(const Pixels<N>& pixels, Color<N>& mean, Color<N>& axis) {
  mean = {};
  for (const auto& pixel : pixels)
    for (unsigned c = 0; c < 3; ++c) mean[c] += pixel[c];
  for (auto& channel : mean) channel *= 1.0F / pixels_of_block;
  std::array<Color<N>, 3> spread{};
  for (const auto& pixel : pixels) {
    const Color<N> from_mean{pixel[0] - mean[0], pixel[1] - mean[1], pixel[2] - mean[2]};
    for (unsigned c = 0; c < 3; ++c)
      for (unsigned d = c; d < 3; ++d) spread[c][d] += from_mean[c] * from_mean[d];
  }
  for (unsigned c = 0; c < 3; ++c)
    for (unsigned d = 0; d < c; ++d) spread[c][d] = spread[d][c];
  // Power iteration, from the channel that varies most.
  axis = spread[0];
  Number<N> most = spread[0][0];
  for (unsigned c = 1; c < 3; ++c) {
    const auto more = spread[c][c] > most;
    most = more ? spread[c][c] : most;
    for (unsigned d = 0; d < 3; ++d) axis[d] = more ? spread[c][d] : axis[d];
  }
  constexpr unsigned rounds = 4;
  for (unsigned round = 0; round < rounds; ++round) {
    Number<N> size = most * 0 + 1e-6F;
    for (const auto& channel : axis) {
      size = channel > size ? channel : size;
      size = -channel > size ? -channel : size;
    }
    const Color<N> from{axis[0] / size, axis[1] / size, axis[2] / size};
    for (unsigned c = 0; c < 3; ++c) axis[c] = product<N>(spread[c], from);
  }
}

// The ends of the pixels' projections onto the axis.
template <unsigned N>
LW_LANES void find_ends(const Pixels<N>& pixels, std::array<Color<N>, 2>& ends) {
  Color<N> mean, axis;
  find_axis<N>(pixels, mean, axis);
  const Number<N> length = product<N>(axis, axis);
  const auto flat = length < 1e-12F;
  const Number<N> scale = 1.0F / (flat ? length * 0 + 1 : length);
  Number<N> least{}, most{};
  for (const auto& pixel : pixels) {
    const Color<N> from_mean{pixel[0] - mean[0], pixel[1] - mean[1], pixel[2] - mean[2]};
    const Number<N> at = product<N>(from_mean, axis);
    least = at < least ? at : least;
    most = at > most ? at : most;
  }
  least = flat ? length * 0 : least * scale;
  most = flat ? length * 0 : most * scale;
  for (unsigned c = 0; c < 3; ++c) {
    ends[0][c] = mean[c] + axis[c] * least;
    ends[1][c] = mean[c] + axis[c] * most;
  }
}

// The ends from which pixels with these indices differ least; unchanged where the indices leave them open.
template <unsigned N>
LW_LANES void improve_ends(const Pixels<N>& pixels, const Indices<N>& indices, float index_max,
                           std::array<Color<N>, 2>& ends) {
  Number<N> first_squared{}, both{}, second_squared{};
  std::array<Color<N>, 2> sums{};
  for (unsigned i = 0; i < pixels_of_block; ++i) {
    const Number<N> second = __builtin_convertvector(indices[i], Number<N>) / index_max;
    const Number<N> first = 1 - second;
    first_squared += first * first;
    both += first * second;
    second_squared += second * second;
    for (unsigned c = 0; c < 3; ++c) {
      sums[0][c] += first * pixels[i][c];
      sums[1][c] += second * pixels[i][c];
    }
  }
  const Number<N> determinant = first_squared * second_squared - both * both;
  const auto open = determinant < 1e-4F;
  const Number<N> scale = 1.0F / (open ? determinant * 0 + 1 : determinant);
  for (unsigned c = 0; c < 3; ++c) {
    const Number<N> first = (second_squared * sums[0][c] - both * sums[1][c]) * scale;
    const Number<N> second = (first_squared * sums[1][c] - both * sums[0][c]) * scale;
    ends[0][c] = open ? ends[0][c] : first;
    ends[1][c] = open ? ends[1][c] : second;
  }
}

// BC7 in mode 6: seven bits of each channel, and a lowest bit that the channels of an end share; 16 steps between them.
struct Bc7 {
  static constexpr float index_max = 15;

  template <unsigned N>
  LW_LANES static void round_to(Number<N> value, const Number<N>& low, Whole<N>& stored, Number<N>& meant) {
    Number<N> half = (value - low) * 0.5F;
    keep_within<Number<N>>(half, value * 0, value * 0 + 127);
    stored = __builtin_convertvector(half + 0.5F, Whole<N>);
    meant = __builtin_convertvector(stored, Number<N>) * 2 + low;
  }

  template <unsigned N>
  LW_LANES static void round_ends(const std::array<Color<N>, 2>& ends, Fit<N>& fit) {
    for (unsigned end = 0; end < 2; ++end) {
      Number<N> errors[2]{};
      std::array<Whole<N>, 3> stored[2];
      Color<N> meant[2];
      for (unsigned low = 0; low < 2; ++low)
        for (unsigned c = 0; c < 3; ++c) {
          const auto& value = ends[end][c];
          round_to<N>(value, value * 0 + static_cast<float>(low), stored[low][c], meant[low][c]);
          const Number<N> off = meant[low][c] - value;
          errors[low] += off * off;
        }
      const auto odd = errors[1] < errors[0];
      fit.low_bit[end] = odd & 1;
      for (unsigned c = 0; c < 3; ++c) {
        fit.stored[end][c] = odd ? stored[1][c] : stored[0][c];
        fit.ends[end][c] = odd ? meant[1][c] : meant[0][c];
      }
    }
  }
};

// BC1 with four colours: 5, 6 and 5 bits, four steps.
struct Bc1 {
  static constexpr float index_max = 3;

  template <unsigned N>
  LW_LANES static void round_ends(const std::array<Color<N>, 2>& ends, Fit<N>& fit) {
    for (unsigned end = 0; end < 2; ++end)
      for (unsigned c = 0; c < 3; ++c) {
        const unsigned bits = c == 1 ? 6 : 5;
        const auto most = static_cast<float>((1U << bits) - 1);
        Number<N> value = ends[end][c] * (most / 255);
        keep_within<Number<N>>(value, value * 0, value * 0 + most);
        auto& stored = fit.stored[end][c];
        stored = __builtin_convertvector(value + 0.5F, Whole<N>);
        fit.ends[end][c] = __builtin_convertvector(stored << (8 - bits) | stored >> (2 * bits - 8), Number<N>);
      }
  }
};

// Where each pixel lies between the rounded ends, and how much it is off.
template <class Format, unsigned N>
LW_LANES void place_pixels(const Pixels<N>& pixels, Fit<N>& fit) {
  Color<N> step;
  for (unsigned c = 0; c < 3; ++c) step[c] = fit.ends[1][c] - fit.ends[0][c];
  const Number<N> length = product<N>(step, step);
  const Number<N> scale = length > 0 ? Format::index_max / (length > 0 ? length : length + 1) : length;
  const Number<N> least{}, most = least + Format::index_max;
  fit.error = least;
  for (unsigned i = 0; i < pixels_of_block; ++i) {
    const Color<N> from_first{pixels[i][0] - fit.ends[0][0], pixels[i][1] - fit.ends[0][1],
                              pixels[i][2] - fit.ends[0][2]};
    Number<N> at = product<N>(from_first, step) * scale;
    keep_within<Number<N>>(at, least, most);
    fit.indices[i] = __builtin_convertvector(at + 0.5F, Whole<N>);
    const Number<N> share = __builtin_convertvector(fit.indices[i], Number<N>) / Format::index_max;
    for (unsigned c = 0; c < 3; ++c) {
      const Number<N> off = from_first[c] - step[c] * share;
      fit.error += off * off;
    }
  }
}

template <unsigned N>
LW_LANES void keep_better(const Fit<N>& other, Fit<N>& fit) {
  const auto better = other.error < fit.error;
  for (unsigned end = 0; end < 2; ++end) {
    fit.low_bit[end] = better ? other.low_bit[end] : fit.low_bit[end];
    for (unsigned c = 0; c < 3; ++c) {
      fit.stored[end][c] = better ? other.stored[end][c] : fit.stored[end][c];
      fit.ends[end][c] = better ? other.ends[end][c] : fit.ends[end][c];
    }
  }
  for (unsigned i = 0; i < pixels_of_block; ++i) fit.indices[i] = better ? other.indices[i] : fit.indices[i];
  fit.error = better ? other.error : fit.error;
}

template <class Format, unsigned N>
LW_LANES void find_fit(const Pixels<N>& pixels, Fit<N>& fit) {
  constexpr unsigned improvements = 2;
  std::array<Color<N>, 2> ends;
  find_ends<N>(pixels, ends);
  fit.low_bit = {};
  Format::template round_ends<N>(ends, fit);
  place_pixels<Format, N>(pixels, fit);
  Fit<N> next = fit;
  for (unsigned i = 0; i < improvements; ++i) {
    improve_ends<N>(pixels, next.indices, Format::index_max, ends);
    Format::template round_ends<N>(ends, next);
    place_pixels<Format, N>(pixels, next);
    keep_better<N>(next, fit);
  }
}

// One block of those in lanes.
struct OneFit {
  std::array<std::array<unsigned, 3>, 2> stored{};
  std::array<unsigned, 2> low_bit{};
  std::array<unsigned, pixels_of_block> indices{};
};

template <unsigned N>
LW_LANES void take_lane(const Fit<N>& fit, unsigned lane, OneFit& one) {
  for (unsigned end = 0; end < 2; ++end) {
    one.low_bit[end] = static_cast<unsigned>(fit.low_bit[end][lane]);
    for (unsigned c = 0; c < 3; ++c) one.stored[end][c] = static_cast<unsigned>(fit.stored[end][c][lane]);
  }
  for (unsigned i = 0; i < pixels_of_block; ++i) one.indices[i] = static_cast<unsigned>(fit.indices[i][lane]);
}

// Bits of a block from the lowest on.
class BitWriter {
public:
  void add(std::uint64_t value, unsigned bits) {
    halves_[at_ / 64] |= value << at_ % 64;
    if (at_ % 64 + bits > 64) halves_[at_ / 64 + 1] |= value >> (64 - at_ % 64);
    at_ += bits;
  }
  void write(std::byte* out) const {
    for (const auto half : halves_)
      for (unsigned i = 0; i < 8; ++i) *out++ = static_cast<std::byte>(half >> 8 * i);
  }

private:
  std::array<std::uint64_t, 2> halves_{};
  unsigned at_ = 0;
};

void swap_ends(OneFit& fit, unsigned index_max) {
  std::swap(fit.stored[0], fit.stored[1]);
  std::swap(fit.low_bit[0], fit.low_bit[1]);
  for (auto& index : fit.indices) index = index_max - index;
}

void write_bc7(OneFit& fit, std::byte* out) {
  if (fit.indices[0] > 7) swap_ends(fit, 15);  // the anchor's highest bit is not stored
  BitWriter bits;
  bits.add(1U << 6U, 7);  // mode 6
  for (unsigned c = 0; c < 3; ++c)
    for (unsigned end = 0; end < 2; ++end) bits.add(fit.stored[end][c], 7);
  for (unsigned end = 0; end < 2; ++end) bits.add(127, 7);  // alpha
  for (unsigned end = 0; end < 2; ++end) bits.add(fit.low_bit[end], 1);
  bits.add(fit.indices[0], 3);
  for (unsigned i = 1; i < pixels_of_block; ++i) bits.add(fit.indices[i], 4);
  bits.write(out);
}

unsigned color_of(const std::array<unsigned, 3>& stored) { return stored[0] << 11U | stored[1] << 5U | stored[2]; }

// Codes 0 and 1 are the ends, 2 and 3 the steps after the first and before the second; with equal ends, all are 0.
void write_bc1(OneFit& fit, std::byte* out) {
  constexpr std::array codes{0U, 2U, 3U, 1U};
  if (color_of(fit.stored[0]) < color_of(fit.stored[1])) swap_ends(fit, 3);
  const bool equal = fit.stored[0] == fit.stored[1];
  std::uint64_t block = color_of(fit.stored[0]) | color_of(fit.stored[1]) << 16U;
  if (!equal)
    for (unsigned i = 0; i < pixels_of_block; ++i) block |= std::uint64_t{codes[fit.indices[i]]} << (32 + 2 * i);
  for (unsigned i = 0; i < 8; ++i) *out++ = static_cast<std::byte>(block >> 8 * i);
}

// A value's ends, so that a step between them is that value, or nearest to it.
struct EndPair {
  std::uint8_t first = 0, second = 0;
};
using EndPairs = std::array<EndPair, 256>;

// Mode 5 of BC7 has ends of seven bits, and a step at 21/64: it has every value.
constexpr EndPairs make_exact_ends() {
  EndPairs pairs{};
  for (int value = 0; value < 256; ++value)
    for (int first = value / 2; first < value / 2 + 2; ++first)
      for (int second = std::max(0, first - 2); second < std::min(128, first + 3); ++second) {
        const int a = first << 1 | first >> 6, b = second << 1 | second >> 6;
        if (first < 128 && (43 * a + 21 * b + 32) >> 6 == value)
          pairs[static_cast<std::size_t>(value)] = {static_cast<std::uint8_t>(first),
                                                    static_cast<std::uint8_t>(second)};
      }
  return pairs;
}

constexpr EndPairs make_near_ends(int bits) {
  const int most = (1 << bits) - 1;
  EndPairs pairs{};
  for (int value = 0; value < 256; ++value) {
    int least = 1 << 20;
    const int near = value * most / 255;
    for (int first = std::max(0, near - 3); first <= std::min(most, near + 4); ++first)
      for (int second = std::max(0, near - 3); second <= std::min(most, near + 4); ++second) {
        const int a = first << (8 - bits) | first >> (2 * bits - 8);
        const int b = second << (8 - bits) | second >> (2 * bits - 8);
        const int off = (2 * a + b + 1) / 3 - value, apart = first - second;
        // GPUs interpolate with slightly different roundings: of equal pairs, the closer one.
        const int error = 64 * (off < 0 ? -off : off) + (apart < 0 ? -apart : apart);
        if (error >= least) continue;
        least = error;
        pairs[static_cast<std::size_t>(value)] = {static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(second)};
      }
  }
  return pairs;
}

using Rgb = std::array<std::uint8_t, 3>;

void write_bc7_of(const Rgb& color, std::byte* out) {
  static constexpr EndPairs ends = make_exact_ends();
  BitWriter bits;
  bits.add(1U << 5U, 8);  // mode 5, no rotation
  for (const auto value : color) {
    bits.add(ends[value].first, 7);
    bits.add(ends[value].second, 7);
  }
  bits.add(0xffff, 16);  // alpha
  bits.add(1, 1);
  for (unsigned i = 1; i < pixels_of_block; ++i) bits.add(1, 2);
  bits.write(out);
}

void write_bc1_of(const Rgb& color, std::byte* out) {
  static constexpr std::array<EndPairs, 2> ends{make_near_ends(5), make_near_ends(6)};
  OneFit fit;
  for (unsigned c = 0; c < 3; ++c) {
    const auto& pair = ends[c == 1 ? 1 : 0][color[c]];
    fit.stored[0][c] = pair.first;
    fit.stored[1][c] = pair.second;
  }
  fit.indices.fill(1);
  write_bc1(fit, out);
}

// Blocks side by side: their pixels, and which of them have a single colour.
template <unsigned N>
struct Batch {
  alignas(64) std::array<std::array<std::array<float, N>, 3>, pixels_of_block> pixels;
  std::array<Rgb, N> first;
  std::array<bool, N> single;
};

template <unsigned N>
LW_LANES void read_blocks(const RgbPixels& from, unsigned x, unsigned y, Batch<N>& batch) {
  for (unsigned lane = 0; lane < N; ++lane) {
    const unsigned left = std::min(x + lane * block_side, from.width - 1);
    const bool complete = left + block_side <= from.width;
    unsigned differs = 0;
    for (unsigned row = 0; row < block_side; ++row) {
      const auto* line = from.first + std::min(y + row, from.height - 1) * from.stride;
      for (unsigned column = 0; column < block_side; ++column) {
        const auto* rgb = line + std::size_t{complete ? left + column : std::min(left + column, from.width - 1)} * 3;
        if (row + column == 0) batch.first[lane] = {rgb[0], rgb[1], rgb[2]};
        for (unsigned c = 0; c < 3; ++c) {
          batch.pixels[row * block_side + column][c][lane] = rgb[c];
          differs |= static_cast<unsigned>(rgb[c] ^ batch.first[lane][c]);
        }
      }
    }
    batch.single[lane] = differs == 0;
  }
}

template <class Format, unsigned N>
LW_LANES void encode(const RgbPixels& from, std::byte* out) {
  constexpr bool bc7 = std::is_same_v<Format, Bc7>;
  constexpr unsigned block_bytes = bc7 ? 16 : 8;
  Batch<N> batch;
  for (unsigned y = 0; y < from.height; y += block_side)
    for (unsigned x = 0; x < from.width; x += N * block_side) {
      read_blocks<N>(from, x, y, batch);
      Pixels<N> pixels;
      std::memcpy(&pixels, &batch.pixels, sizeof(pixels));
      Fit<N> fit;
      find_fit<Format, N>(pixels, fit);
      const unsigned blocks = std::min(N, (from.width - x + block_side - 1) / block_side);
      for (unsigned lane = 0; lane < blocks; ++lane, out += block_bytes) {
        if (batch.single[lane]) {
          (bc7 ? write_bc7_of : write_bc1_of)(batch.first[lane], out);
          continue;
        }
        OneFit one;
        take_lane<N>(fit, lane, one);
        (bc7 ? write_bc7 : write_bc1)(one, out);
      }
    }
}

using Encode = void (*)(const RgbPixels&, std::byte*);

void encode_bc7(const RgbPixels& from, std::byte* out) { encode<Bc7, 4>(from, out); }
void encode_bc1(const RgbPixels& from, std::byte* out) { encode<Bc1, 4>(from, out); }

#ifdef __x86_64__
[[gnu::target("avx2")]] void encode_bc7_avx2(const RgbPixels& from, std::byte* out) { encode<Bc7, 8>(from, out); }
[[gnu::target("avx2")]] void encode_bc1_avx2(const RgbPixels& from, std::byte* out) { encode<Bc1, 8>(from, out); }

Encode choose(PixelFormat format) {
  const bool wide = __builtin_cpu_supports("avx2") != 0;
  if (format == PixelFormat::bc7) return wide ? encode_bc7_avx2 : encode_bc7;
  return wide ? encode_bc1_avx2 : encode_bc1;
}
#else
Encode choose(PixelFormat format) { return format == PixelFormat::bc7 ? encode_bc7 : encode_bc1; }
#endif

#undef LW_LANES

}  // namespace

void encode_blocks(PixelFormat format, const RgbPixels& pixels, std::span<std::byte> out) {
  assert(info(format).has_blocks() && out.size() >= frame_bytes(format, pixels.width, pixels.height));
  choose(format)(pixels, out.data());
}

}  // namespace lw
