// Laws of decoding: whichever packets of a band are missing, its rows are those of the frame or missing; a missing
// packet costs the rows of its chunks only; all buffers come back; threads give the same rows as the caller itself.
#include "wall-client/decode/tile_decoder.h"

#include "common/wall/tile_slots.h"
#include "tests/support/network.h"
#include "wall-client/assemble/band_assembler.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <vector>

using namespace lw;

namespace {

constexpr unsigned width = 150, rows = 61;

class Board final : public BellBoard {
  void wake() override {}
};

// A band of noise and of flat rows, as it arrives without these packets.
class Arrived {
public:
  Arrived(unsigned seed, PacketLayout layout) : cut_{700, layout}, rgb_(std::size_t{width} * rows * 3) {
    truth::Random random(seed);
    for (std::size_t i = 0; i < rgb_.size(); ++i)
      rgb_[i] = static_cast<std::byte>(i / 3 / width / 8 % 2 == 0 ? random.word() : seed + i / 3 / width);
    std::vector<std::byte> band(frame_bytes(PixelFormat::lossless, width, rows));
    LosslessEncoder encoder;
    stamp_.used = static_cast<std::uint32_t>(encoder.encode(rgb_.data(), std::size_t{width} * 3, width, rows, band));
    templates_ = PacketTemplates::lay_out(PixelFormat::lossless, width, rows, cut_, 1).value();
    templates_.stamp(stamp_, 1);
    for (const auto& packet : templates_.packets().first(templates_.packets_of(stamp_))) {
      std::vector<std::byte> bytes(templates_.header(packet), templates_.header(packet) + packet.header_bytes);
      const auto from = band.begin() + static_cast<std::ptrdiff_t>(packet.pixel_offset);
      bytes.insert(bytes.end(), from, from + packet.pixel_bytes);
      bytes.insert(bytes.end(), templates_.padding(packet), templates_.padding(packet) + packet.padding_bytes);
      packets_.push_back(std::move(bytes));
    }
  }
  [[nodiscard]] std::size_t packets() const { return packets_.size(); }
  [[nodiscard]] const std::vector<std::byte>& rgb() const { return rgb_; }

  // The band's memory belongs to this object.
  ReceivedBand without(const std::set<std::size_t>& missing) {
    memory_.assign(band_memory_bytes(width, rows, cut_), std::byte{0x77});  // as of an earlier frame
    assembler_ = std::make_unique<BandAssembler>(BandGeometry{3, width, 0, rows}, cut_, memory_.data(), 1U, 1U);
    for (std::size_t i = 0; i < packets_.size(); ++i) {
      if (missing.contains(i)) continue;
      MediaPacket parsed;
      REQUIRE(parse_media_packet(packets_[i], parsed).empty());
      REQUIRE(assembler_->place(parsed, WallTime{}) == PacketFate::used);
    }
    const auto band = assembler_->take_finished([](WallTime) { return true; });
    REQUIRE(band);
    REQUIRE(band->whole == missing.empty());
    return *band;
  }

private:
  const PacketCut cut_;
  std::vector<std::byte> rgb_;
  FrameStamp stamp_{WallTime{std::chrono::seconds{1}}, 1, 1, 1};
  PacketTemplates templates_;
  std::vector<std::vector<std::byte>> packets_;
  std::vector<std::byte> memory_;
  std::unique_ptr<BandAssembler> assembler_;
};

struct Decoder {
  explicit Decoder(unsigned threads)
      : workers(DecodeWorkers::start({threads, {}, width, 64}).value()),
        tile(TileDecoder::make(width, {{3, rows}}, 2, *workers, board).value()) {}

  TileDecoder::Decoded decode(const ReceivedBand& band) {
    REQUIRE(tile->add(band));
    for (;;)
      if (auto decoded = tile->take()) return *decoded;
  }

  Board board;
  std::unique_ptr<DecodeWorkers> workers;
  std::unique_ptr<TileDecoder> tile;
};

unsigned check_rows(const ReceivedBand& band, const std::vector<std::byte>& rgb) {
  unsigned present = 0;
  const auto row_size = std::size_t{width} * 3;
  for (unsigned row = 0; row < rows; ++row) {
    if (!band.row_present(row)) continue;
    ++present;
    REQUIRE(std::memcmp(band.pixels.at(row * row_size), rgb.data() + row * row_size, row_size) == 0);
  }
  return present;
}

}  // namespace

TEST_CASE("a complete band is decoded exactly, by the caller and by threads") {
  const auto layout = GENERATE(PacketLayout::in_rows, PacketLayout::in_slots);
  Decoder decoder(GENERATE(0U, 1U, 3U));
  for (unsigned seed = 1; seed < 20; ++seed) {
    Arrived arrived(seed, layout);
    const auto decoded = decoder.decode(arrived.without({}));
    REQUIRE((decoded.rgb.whole && decoded.rgb.decoded && decoded.rgb.format == PixelFormat::rgb8));
    REQUIRE((decoded.source.flow == 3 && !decoded.source.decoded));
    REQUIRE(check_rows(decoded.rgb, arrived.rgb()) == rows);
    decoder.tile->give_back(3, decoded.rgb.buffer);
  }
}

TEST_CASE("a missing packet costs the rows of its chunks, wherever it is") {
  const auto layout = GENERATE(PacketLayout::in_rows, PacketLayout::in_slots);
  Arrived arrived(7, layout);
  Decoder decoder(0);
  for (std::size_t missing = 0; missing < arrived.packets(); ++missing) {
    const auto band = arrived.without({missing});
    const auto decoded = decoder.decode(band);
    CAPTURE(missing);
    REQUIRE_FALSE(decoded.rgb.whole);
    const auto present = check_rows(decoded.rgb, arrived.rgb());
    for (unsigned row = 0; row < rows; ++row) REQUIRE(decoded.rgb.row_present(row) == band.row_present(row));
    // Noise of eight rows fills several packets; a packet touches at most a chunk of noise and the flat ones beside it.
    REQUIRE(present >= rows - 3 * lossless_chunk_rows);
    REQUIRE(present < rows);
    decoder.tile->give_back(3, decoded.rgb.buffer);
  }
}

TEST_CASE("whatever is missing, only rows of the frame are shown") {
  truth::Random random(GENERATE(1U, 2U, 3U));
  Decoder decoder(2);
  for (unsigned i = 0; i < 60; ++i) {
    Arrived arrived(i + 1, random.once_in(2) ? PacketLayout::in_rows : PacketLayout::in_slots);
    std::set<std::size_t> missing;
    for (std::size_t packet = 0; packet + 1 < arrived.packets(); ++packet)
      if (random.once_in(3)) missing.insert(packet);
    const auto decoded = decoder.decode(arrived.without(missing));
    check_rows(decoded.rgb, arrived.rgb());
    if (missing.contains(0) && missing.contains(arrived.packets() - 1))
      REQUIRE(check_rows(decoded.rgb, arrived.rgb()) == 0);
    decoder.tile->give_back(3, decoded.rgb.buffer);
  }
}

TEST_CASE("without a free buffer a band is refused, and the next one is taken when one came back") {
  Decoder decoder(1);
  Arrived arrived(1, PacketLayout::in_rows);
  const auto band = arrived.without({});
  const auto first = decoder.decode(band), second = decoder.decode(band);
  CHECK_FALSE(decoder.tile->add(band));
  CHECK(first.rgb.buffer != second.rgb.buffer);
  decoder.tile->give_back(3, first.rgb.buffer);
  CHECK(decoder.decode(band).rgb.buffer == first.rgb.buffer);
}

TEST_CASE("a node decodes by as many threads as its pixels need, and no more than it has cores") {
  CHECK(decode_threads(1, 8) == 1);
  CHECK(decode_threads(3840.0 * 2160 * 30, 8) == 2);
  CHECK(decode_threads(3840.0 * 2160 * 60, 8) == 4);
  CHECK(decode_threads(1e12, 8) == 8);
  CHECK(decode_threads(1e12, 0) == 1);
}
