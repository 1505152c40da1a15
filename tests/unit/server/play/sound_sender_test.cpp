// Pins the sender of sound: each millisecond of the wall's time has one packet, with the store's samples as the line
// says, whatever is posted and however late the thread is; two servers send the same.
#include "server/play/sound_sender.h"

#include "common/store/sound_file.h"
#include "common/store/stripe_layout.h"
#include "server/play/sound_line.h"
#include "tests/support/law_rounds.h"
#include "tests/support/store_folder.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <fstream>
#include <map>
#include <random>

namespace lw {
namespace {

constexpr std::uint32_t frames = 50;
constexpr FrameRate rate{25, 1};
const WallTime begin{std::chrono::seconds{1'700'000'000}};

// Keeps what is sent.
class KeptPort final : public DatagramPort {
public:
  explicit KeptPort(std::vector<std::vector<std::byte>>& kept) : kept_(kept) {}
  int receive(std::span<mmsghdr> /*messages*/, int /*flags*/) override { return -1; }
  ssize_t send(const msghdr& message, int /*flags*/) override {
    auto& packet = kept_.emplace_back();
    for (std::size_t i = 0; i < message.msg_iovlen; ++i) {
      const auto* from = static_cast<const std::byte*>(message.msg_iov[i].iov_base);
      packet.insert(packet.end(), from, from + message.msg_iov[i].iov_len);
    }
    return static_cast<ssize_t>(packet.size());
  }
  int send(std::span<mmsghdr> messages) override {
    for (auto& message : messages) send(message.msg_hdr, 0);
    return static_cast<int>(messages.size());
  }
  bool set(int /*level*/, int /*option*/, const void* /*value*/, socklen_t /*bytes*/) override { return true; }
  [[nodiscard]] int descriptor() const override { return -1; }
  std::optional<UdpSocket::Datagram> receive_now(std::span<std::byte> /*buffer*/) override { return std::nullopt; }
  void send_to(const Address& /*peer*/, std::span<const std::byte> datagram) override { tell(datagram); }
  void tell(std::span<const std::byte> datagram) override { kept_.emplace_back(datagram.begin(), datagram.end()); }
  [[nodiscard]] std::uint32_t drops() const override { return 0; }
  [[nodiscard]] Moment now() const override { return {}; }

private:
  std::vector<std::vector<std::byte>>& kept_;
};

std::int32_t sample_of_store(std::int64_t sample, unsigned channel) {
  return static_cast<std::int32_t>((sample * 7919 + channel * 104'729) * 256);
}

// A store of black frames whose samples say which they are.
std::shared_ptr<const OpenStore> make_store(const StoreFolder& folder) {
  Manifest m;
  m.title = "s";
  m.geometry = {.columns = 1, .rows = 1, .tile_width = 2, .tile_height = 2};
  m.frame_rate = rate;
  m.frame_count = frames;
  m.stripes = {"."};
  m.audio = SoundTrack{"audio.npy", 2};
  const StripeLayout layout(m);
  std::ofstream(folder.path / "tile-0-0.npy", std::ios::binary) << layout.header(0, {0});
  std::filesystem::resize_file(folder.path / "tile-0-0.npy", layout.file_bytes(0, {0}));
  const auto count = sample_of_frame(frames, rate);
  std::ofstream sound(folder.path / "audio.npy", std::ios::binary);
  sound << sound_header(2, static_cast<std::uint64_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    for (unsigned channel = 0; channel < 2; ++channel) {
      const auto sample = sample_of_store(i, channel);
      sound.write(reinterpret_cast<const char*>(&sample), sizeof(sample));
    }
  sound.close();
  std::ofstream(folder.path / manifest_file_name) << to_json_text(m);
  return OpenStore::open(folder.path).value();
}

unsigned draw(std::mt19937& chance, unsigned below) { return static_cast<unsigned>(chance() % below); }

struct Sender {
  std::vector<std::vector<std::byte>> media, control;
  std::unique_ptr<SoundSender> sender;

  explicit Sender(bool alone = true) {
    std::vector<SoundSender::Stream> streams(1);
    streams[0].ports.paths.push_back({std::make_unique<KeptPort>(media), std::make_unique<KeptPort>(control)});
    streams[0].ports.server = "a";
    sender = std::make_unique<SoundSender>(std::move(streams), std::nullopt, alone);
  }
  void step(WallTime at) { sender->step({at, LocalTime{at.time_since_epoch()}}); }
};

// By first sample; the timestamps do not wrap in a test.
std::map<std::int64_t, std::vector<std::int32_t>> packets_of(const Sender& sender) {
  std::map<std::int64_t, std::vector<std::int32_t>> packets;
  std::optional<SoundHeader> before;
  for (const auto& datagram : sender.media) {
    SoundPacket packet;
    REQUIRE(parse_sound(datagram, packet).empty());
    const auto first = sample_near(sample_from(begin), packet.header.timestamp);
    if (before)
      CHECK(static_cast<std::uint16_t>(packet.header.sequence - before->sequence) ==
            static_cast<std::uint16_t>((packet.header.timestamp - before->timestamp) / 48));
    before = packet.header;
    std::vector<std::int32_t> samples(48 * packet.header.channels);
    read_samples(packet.payload, samples.data());
    CHECK(packets.emplace(first, samples).second);
  }
  return packets;
}

TEST_CASE("packets have the samples that the lines say, whenever lines and steps come") {
  const StoreFolder folder;
  const auto store = make_store(folder);
  std::mt19937 chance(23);
  for (unsigned round = 0; round < law_rounds(20); ++round) {
    Sender one, other;
    const auto start = WallStart::random();
    // The lines of an operator, each posted 100 ms before it begins.
    std::vector<Line> lines{Line::over(1000, begin + std::chrono::microseconds{200'000 + draw(chance, 5000)}, rate,
                                       frames, draw(chance, frames))};
    for (int change = 0; change < 6; ++change) {
      auto line = lines.back().from(lines.back().first_tick() + 1 + static_cast<std::int64_t>(draw(chance, 12)));
      if (draw(chance, 2) == 0) line.seek(draw(chance, frames));
      if (draw(chance, 3) == 0) line.set_paused(!line.paused());
      if (draw(chance, 4) == 0) line.set_rate(draw(chance, 2) == 0 ? 1.0 : 2.0);
      if (draw(chance, 4) == 0) line.set_range({draw(chance, 10), 10 + draw(chance, 40)});
      lines.push_back(line);
    }
    const auto end = begin + std::chrono::seconds{4};
    std::size_t posted = 0;
    for (auto at = begin; at < end; at += std::chrono::microseconds{200 + draw(chance, 9000)}) {
      for (; posted < lines.size() &&
             lines[posted].media_time(lines[posted].first_tick()) - std::chrono::milliseconds{100} <= at;
           ++posted)
        for (auto* sender : {&one, &other}) REQUIRE(sender->sender->post({lines[posted], store, start}));
      one.step(at);
    }
    // Another server, whose thread wakes at other times.
    for (auto at = begin; at < end; at += std::chrono::milliseconds{7}) other.step(at);
    const auto packets = packets_of(one);
    CAPTURE(round, packets.size());
    REQUIRE(packets.size() > 3500);
    CHECK(packets.begin()->first == first_sample_of(lines.front()) / 48 * 48);  // with a part of a packet
    std::size_t wrong = 0;
    for (const auto& [first, samples] : packets)
      for (std::int64_t i = 0; i < 48; ++i) {
        const auto at = first + i;
        const Line* line = nullptr;
        for (const auto& candidate : lines)
          if (first_sample_of(candidate) <= at) line = &candidate;
        const auto from = line != nullptr ? sound_at(*line, at).from : std::nullopt;
        for (unsigned channel = 0; channel < 2; ++channel)
          if (samples[static_cast<std::size_t>(2 * i) + channel] != (from ? sample_of_store(*from, channel) : 0))
            ++wrong;
      }
    CHECK(wrong == 0);
    for (std::int64_t expected = packets.begin()->first; const auto& packet : packets) {
      CHECK(packet.first == expected);
      expected += 48;
    }
    // The same packets, bit for bit.
    const auto common = std::min(one.media.size(), other.media.size());
    CHECK(std::equal(one.media.begin(), one.media.begin() + static_cast<std::ptrdiff_t>(common), other.media.begin()));
    CHECK(one.sender->stats().packets == one.media.size());
  }
}

TEST_CASE("sound fades with the frames, and stops with what plays") {
  const StoreFolder folder;
  const auto store = make_store(folder);
  Sender sender;
  const auto line = Line::over(0, begin, rate, frames, 0);
  sender.sender->post({line, store, {}});
  const auto ms = [](int count) { return std::chrono::milliseconds{count}; };
  Fades fades;
  fades.add({begin + ms(100), begin + ms(200), begin + ms(250), begin + ms(300)});
  sender.sender->fade(fades);
  for (int i = 0; i < 400; ++i) sender.step(begin + ms(i));
  const auto packets = packets_of(sender);
  const auto loudness = [&](int at) {
    const auto& samples = packets.at(sample_from(begin + ms(at)));
    const auto first = 48LL * at;
    return static_cast<double>(samples[0]) / sample_of_store(first, 0);
  };
  CHECK(loudness(50) == 1);
  CHECK(loudness(150) == Approx(0.5).margin(0.01));
  CHECK(loudness(225) == 0);
  CHECK(loudness(275) == Approx(0.5).margin(0.01));
  CHECK(loudness(350) == 1);
  CHECK_FALSE(sender.control.empty());  // sender reports
  const auto sent = sender.media.size();
  sender.sender->hold(true);
  for (int i = 400; i < 420; ++i) sender.step(begin + ms(i));
  CHECK(sender.media.size() == sent);
  sender.sender->hold(false);
  sender.sender->post({Line::nothing(line.from(12)), nullptr, {}});
  for (int i = 420; i < 600; ++i) sender.step(begin + ms(i));
  CHECK(sender.media.size() == sent + 60);  // until tick 12, at 480 ms
}

// One that was frozen does not know which lines were announced meanwhile.
TEST_CASE("a server of several that did not run waits until its line is certain") {
  const StoreFolder folder;
  const auto store = make_store(folder);
  const auto ms = [](int count) { return std::chrono::milliseconds{count}; };
  for (const bool alone : {true, false}) {
    Sender sender(alone);
    sender.sender->post({Line::over(0, begin, rate, frames, 0), store, {}});
    const auto sent_until = [&](int from, int end) {
      const auto before = sender.media.size();
      for (int i = from; i < end; ++i) sender.step(begin + ms(i));
      return sender.media.size() - before;
    };
    CHECK(sent_until(0, 100) == 100);
    CHECK(sent_until(140, 150) == 50);  // delayed, and catches up
    CHECK(sender.sender->stats().holds == 0);
    CHECK(sent_until(300, 320) == (alone ? 20 : 0));
    CHECK(sender.sender->stats().holds == (alone ? 0 : 1));
    CHECK(sender.sender->stats().skipped == 150);
    sender.sender->go_on(sender.sender->stats().holds);
    CHECK(sent_until(320, 340) == 20);
  }
}

}  // namespace
}  // namespace lw
