#include "probe/loads/packet_records.h"

#include "probe/analyze/analysis.h"
#include "tests/support/fake_tree.h"

#include <catch2/catch.hpp>

#include <array>
#include <filesystem>

namespace lw {
namespace {

// Two flows of 10 frames of 4 packets, 20 ms apart; flow 1 has lost one packet.
std::vector<PacketRecord> two_flows() {
  std::vector<PacketRecord> packets;
  for (std::uint32_t i = 0; i < 40; ++i)
    for (std::uint32_t flow = 0; flow < 2; ++flow) {
      if (flow == 1 && i == 21) continue;
      const auto frame = i / 4;
      packets.push_back({1'000'000'000LL + frame * 20'000'000LL + i % 4 * 1'000LL, 70'000 + i, 5000 + frame * 1800,
                         flow, 1400, static_cast<std::uint16_t>(i % 4 == 3)});
    }
  return packets;
}

TEST_CASE("records are written, read and analyzed") {
  const test::FakeTree folder;
  const auto file = folder.root() / "records.npy";
  const auto packets = two_flows();
  {
    auto writer = PacketRecordWriter::create(file);
    REQUIRE(writer.has_value());
    REQUIRE(writer->write({packets.data(), 30}).has_value());
    REQUIRE(writer->write({packets.data() + 30, packets.size() - 30}).has_value());
    REQUIRE(writer->finish().has_value());
  }
  CHECK_FALSE(PacketRecordWriter::create(file).has_value());  // none is replaced
  const auto mapped = MappedFile::open(file);
  REQUIRE(mapped.has_value());
  REQUIRE(is_packet_records(mapped->bytes()));
  std::size_t index = 0;
  const auto count = read_packet_records(mapped->bytes(), [&](const PacketRecord& packet) {
    CHECK(packet.sequence == packets[index].sequence);
    CHECK(packet.arrival_ns == packets[index].arrival_ns);
    ++index;
  });
  REQUIRE(count.has_value());
  CHECK(*count == 79);

  const auto analysis = analyze(mapped->bytes());
  REQUIRE(analysis.has_value());
  REQUIRE(analysis->streams.size() == 2);
  CHECK(analysis->streams[0].flow == 0U);
  CHECK(analysis->streams[0].figures.lost == 0);
  CHECK(analysis->streams[0].figures.frames == 10);
  CHECK(*analysis->streams[0].figures.frame_jitter_us == 0);
  CHECK(analysis->streams[1].figures.lost == 1);
  CHECK(analysis->streams[1].figures.bytes == 39 * 1400);
}

TEST_CASE("a file cut off by a crash keeps what was written") {
  const test::FakeTree folder;
  const auto file = folder.root() / "records.npy";
  const auto packets = two_flows();
  {
    auto writer = PacketRecordWriter::create(file);
    REQUIRE(writer.has_value());
    REQUIRE(writer->write(packets).has_value());
  }  // without finish()
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 10);
  const auto mapped = MappedFile::open(file);
  REQUIRE(mapped.has_value());
  const auto count = read_packet_records(mapped->bytes(), [](const PacketRecord&) {});
  REQUIRE(count.has_value());
  CHECK(*count == 78);
}

TEST_CASE("a damaged record is an error that says which") {
  const test::FakeTree folder;
  const auto file = folder.root() / "records.npy";
  auto packets = two_flows();
  packets[3].arrival_ns = -1;
  auto writer = PacketRecordWriter::create(file);
  REQUIRE(writer.has_value());
  REQUIRE(writer->write(packets).has_value());
  REQUIRE(writer->finish().has_value());
  const auto mapped = MappedFile::open(file);
  REQUIRE(mapped.has_value());
  const auto count = read_packet_records(mapped->bytes(), [](const PacketRecord&) {});
  REQUIRE(count.has_error());
  CHECK(count.error().what.find("packet record 3 ") == 0);
}

TEST_CASE("a file of another kind is refused") {
  const std::array<std::byte, 300> zeros{};
  CHECK_FALSE(is_packet_records(zeros));
  CHECK_FALSE(read_packet_records(zeros, [](const PacketRecord&) {}).has_value());
  CHECK_FALSE(is_packet_records({}));
}

}  // namespace
}  // namespace lw
