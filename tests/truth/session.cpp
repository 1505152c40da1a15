#include "tests/truth/session.h"

#include "common/base/frame_rate.h"
#include "common/pixel/block_decoder.h"
#include "common/plan/buffers.h"
#include "common/srtp/packet_opener.h"
#include "common/wire/rtcp.h"
#include "tests/support/ledger_laws.h"
#include "tests/support/lone_flow.h"
#include "tests/support/network.h"
#include "tests/support/stand_in_socket.h"
#include "tests/support/stream.h"
#include "tests/truth/arrivals.h"
#include "wall-client/decode/band_job.h"
#include "wall-client/receive/flow_receiver.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <deque>
#include <map>

namespace lw::truth {
namespace {

using namespace std::chrono_literals;

// A band with missing packets is dropped this long before its presentation (wall-client/receive); includes some room
// for times when the receiver is off its core.
constexpr Nanoseconds give_up_margin = 6ms + 10ms;
// After a server's clock was set.
constexpr std::array<Nanoseconds, 6> clock_errors{0ms, 0ms, -20ms, 20ms, -1h, 1h};
constexpr std::array<const char*, 3> fec_names{"none", "auto", "always"};

Wall wall_of(const Combination& combination, Random& random, const std::filesystem::path& key_file) {
  Wall wall;
  wall.name = "truth";
  Grid grid{.columns = 1, .rows = 1};
  // Rows that fill several packets, several rows in a packet, and everything in between.
  grid.tile_width = static_cast<unsigned>(2 * random.between(8, combination.large_datagrams ? 400 : 120));
  if (!has_groups(static_cast<PixelFormat>(combination.format), grid.tile_width)) grid.tile_width += 2;
  const auto row = row_bytes(PixelFormat::bc7, grid.tile_width) / block_side;
  const auto bytes =
      random.between(4, combination.large_datagrams ? 10 : 30) * (combination.large_datagrams ? 8900 : 1400);
  grid.tile_height = static_cast<unsigned>(std::max<std::size_t>(2, bytes / row));
  // A grid's only tile, or one that is described by itself.
  const auto place = [&] { return static_cast<unsigned>(2 * random.below(1000)); };
  if (random.once_in(2))
    wall.set_grid(Grid::of({{"own", {place(), place(), grid.tile_width, grid.tile_height}}}));
  else
    wall.set_grid(grid);
  wall.frame_rate = FrameRate{static_cast<std::int32_t>(random.between(10, 60)), 1};
  put_on_one_node(wall, combination.two_paths);
  auto& streaming = wall.streaming;
  streaming.mtu = combination.large_datagrams ? 8928 : 1428;
  streaming.burst_packets = static_cast<unsigned>(random.between(1, 12));
  streaming.resend = combination.resend;
  streaming.fec = static_cast<FecUse>(combination.fec);
  const auto data = static_cast<unsigned>(random.between(2, 20));
  streaming.fec_strength = {data, static_cast<unsigned>(random.between(1, data))};
  streaming.playout_delay = std::chrono::milliseconds{random.between(60, 150)};
  if (combination.sealed) streaming.srtp_key_file = key_file;
  streaming.keep_late = !combination.resend && random.once_in(8);  // as for measuring a path
  streaming.packet_layout = random.once_in(2) ? PacketLayout::in_slots : PacketLayout::in_rows;
  return wall;
}

class Session {
public:
  Session(std::uint64_t seed, std::uint64_t number, const std::filesystem::path& key_file, bool by_kernel);
  Outcome play(unsigned patterns);

private:
  struct Held {
    ReceivedBand band;
    WallTime until{};
  };

  void begin_stream();
  void change_format();
  void report();
  void send_foreign();
  void send_frame(bool disturbed);
  void send_by(unsigned path, std::vector<SentDatagram> frame, std::span<const Fate> fates, WallTime from,
               std::vector<WallTime>& came);
  void deliver(unsigned path, SentDatagram datagram, const Fate& fate, bool follows);
  void hear(std::span<const std::byte> datagram);
  void resend(std::uint32_t sequence);
  void step();
  void take_bands();
  void check(const ReceivedBand& band);
  void check_rows(const ReceivedBand& band, const Bytes& sent, const std::string& frame);
  ReceivedBand decoded(const ReceivedBand& band);
  void check_ledger();
  void note(std::uint64_t value) { outcome_.digest = (outcome_.digest ^ value) * 0x100000001b3U; }
  void expect(bool holds, const std::string& law) {
    if (!holds && outcome_.broken.empty()) outcome_.broken = law;
  }

  Random random_;
  const Combination combination_;
  const Wall wall_;
  const Band band_;
  const Nanoseconds interval_;
  std::optional<MediaKey> key_;
  Timeline timeline_;
  StandInSocket* media_ = nullptr;
  std::array<StandInSocket*, 2> control_{};
  std::unique_ptr<FlowReceiver> receiver_;
  std::optional<PacketOpener> opener_;
  std::deque<Stream> streams_;  // the current one, last, and earlier ones, of which some packets may still arrive
  WallTime quiet_until_{};      // until then they may keep the new one out
  std::array<Nanoseconds, 2> path_delay_{};
  Nanoseconds clock_error_{0};  // of the server's clock
  bool may_starve_ = false;     // the presenter keeps bands for long
  bool streams_apart_ = false;  // each begins undisturbed, after everything of the previous one has arrived
  WallTime last_arrival_{};     // of the packets planned so far
  Arrivals arrivals_;
  WallTime next_frame_{};
  FrameStamp stamp_;
  PixelFormat format_;
  bool with_parity_ = false;
  // When all of a frame's own packets had arrived by themselves on the earlier path; never, if one did not.
  std::map<std::uint16_t, WallTime> complete_at_;
  std::vector<Held> held_;
  std::vector<std::byte> row_;  // being looked at
  std::vector<std::byte> rgb_;
  BandJob job_;
  ChunkWorker chunks_;
  Outcome outcome_;
};

std::unique_ptr<StandInSocket> media_socket(Timeline& timeline, bool coalesced, bool by_kernel) {
  if (by_kernel) return std::make_unique<KernelSocket>(timeline, coalesced);
  return std::make_unique<StandInSocket>(timeline, coalesced);
}

// Such a packet is correct except for the check of its header: the receiver puts it where it expected it.
bool differ_in_check_only(Bytes a, Bytes b) {
  constexpr auto check = sizeof(wire::RtpHeader) + offsetof(wire::FrameExtensions, check);
  for (auto* bytes : {&a, &b})
    if (bytes->size() >= check + 2) std::fill_n(bytes->begin() + check, 2, std::byte{0});
  return a == b;
}

const std::array<Address, 2>& servers() {
  static const std::array result{Address::parse("10.0.0.1", 40000).value(), Address::parse("10.0.1.1", 40000).value()};
  return result;
}

Session::Session(std::uint64_t seed, std::uint64_t number, const std::filesystem::path& key_file, bool by_kernel)
    : random_(seed * 0x9e3779b97f4a7c15U + number),
      combination_(Combination::number(static_cast<unsigned>(number % Combination::count))),
      wall_(wall_of(combination_, random_, key_file)),
      band_{0, {}, 0, wall_.tile({}).place.height},
      interval_(wall_.frame_rate.duration_of(1)),
      key_(load_media_key(wall_.streaming.srtp_key_file).value()),
      format_(static_cast<PixelFormat>(combination_.format)) {
  ReceiverPorts ports;
  auto media = media_socket(timeline_, combination_.coalesced, by_kernel);
  media_ = media.get();
  ports.media = std::move(media);
  for (unsigned path = 0; path < (combination_.two_paths ? 2U : 1U); ++path) {
    auto control = std::make_unique<StandInSocket>(
        timeline_, false, [this](const Address&, std::span<const std::byte> datagram) { hear(datagram); });
    control_[path] = control.get();
    ports.control.push_back(std::move(control));
    path_delay_[path] = std::chrono::microseconds{random_.between(20, random_.once_in(2) ? 500 : 8000)};
  }
  ports.counts_drops = true;
  receiver_ = FlowReceiver::make(wall_, band_, -1, std::move(ports)).value();
  if (key_) opener_.emplace(*key_);
  may_starve_ = random_.once_in(8);
  streams_apart_ = random_.once_in(2);
  next_frame_ = timeline_.now().wall + 1ms;
}

Outcome Session::play(unsigned patterns) {
  begin_stream();
  for (unsigned i = 0; i < 2; ++i) send_frame(false);
  while (outcome_.patterns < patterns && outcome_.broken.empty()) {
    const bool disturbed = !random_.once_in(4);
    outcome_.patterns += disturbed;
    send_frame(disturbed);
    if (!random_.once_in(60)) continue;
    begin_stream();
    if (streams_apart_) send_frame(false);
  }
  send_frame(false);
  const auto end = timeline_.now().wall + wall_.streaming.playout_delay + 400ms;
  while (timeline_.now().wall < end && outcome_.broken.empty()) step();
  for (const auto& held : held_) check(held.band);
  check_ledger();
  return outcome_;
}

void Session::change_format() {
  const auto format = static_cast<PixelFormat>(random_.below(all_pixel_formats.size()));
  if (has_groups(format, wall_.tile({}).place.width)) format_ = format;
}

// The server starts, or starts again: after a silence, sometimes with its clock set to another time.
void Session::begin_stream() {
  if (!streams_.empty()) {
    auto until = timeline_.now().wall + 200ms + wall_.streaming.playout_delay;
    if (streams_apart_) until = std::max(until, last_arrival_ + 200ms);
    while (timeline_.now().wall < until && outcome_.broken.empty()) step();
    if (!streams_apart_ && !wall_.streaming.keep_late && random_.once_in(3)) send_foreign();
    next_frame_ = timeline_.now().wall;
    if (random_.once_in(3)) clock_error_ = clock_errors[random_.below(clock_errors.size())];
    if (random_.once_in(4)) change_format();
    quiet_until_ = next_frame_ + wall_.streaming.playout_delay + 200ms;
  }
  streams_.emplace_back(wall_, band_, key_, random_.word(), random_.word());
  stamp_ = {{},
            random_.word() % 1000,
            static_cast<std::uint16_t>(random_.word()),
            static_cast<std::uint16_t>(random_.word())};
  complete_at_.clear();
  report();
}

void Session::report() {
  for (unsigned path = 0; path < 2 && control_[path] != nullptr; ++path) {
    std::array<std::byte, rtcp_bytes_max> room{};
    const auto bytes =
        encode(SenderReport{streams_.back().ssrc(), timeline_.now().wall, 1, 1, 1}, "server@host", false, room);
    const auto compound = streams_.back().sealed_rtcp(std::span(room).first(bytes));
    control_[path]->arrive(compound, servers()[path].with_port(40001), false);
  }
}

// From the server's host, stamped for another year, while nothing plays.
void Session::send_foreign() {
  auto& other = streams_.emplace_front(wall_, band_, key_, random_.word(), random_.word());
  const auto year = std::chrono::hours{24 * 365} * static_cast<std::int64_t>(random_.between(1, 20));
  const auto frame = other.cut({timeline_.now().wall + year, 1, 1, 1}, format_, false);
  deliver(0, frame[random_.below(frame.size())], {}, false);
}

void Session::send_frame(bool disturbed) {
  while (timeline_.now().wall < next_frame_ && outcome_.broken.empty()) step();
  stamp_.media_time = timeline_.now().wall + clock_error_;
  ++stamp_.tick;
  if (random_.once_in(40)) {
    ++stamp_.generation;  // a seek
    stamp_.frame = random_.word() % 1000;
  } else if (!random_.once_in(10)) {
    ++stamp_.frame;  // otherwise paused
  }
  if (random_.once_in(5)) with_parity_ = !with_parity_;  // if it is sent only when needed
  const bool parity = wall_.streaming.fec == FecUse::always || (wall_.streaming.fec == FecUse::needed && with_parity_);
  const auto frame = streams_.back().cut(stamp_, format_, parity);
  const auto media = static_cast<std::size_t>(std::ranges::count(frame, SentKind::media, &SentDatagram::kind));
  std::vector<WallTime> came(media, WallTime::max());
  if (random_.once_in(30)) report();
  for (unsigned path = 0; path < (combination_.two_paths ? 2U : 1U); ++path) {
    // Often one of two paths is in order.
    std::vector<Fate> fates(frame.size());
    if (disturbed && !(combination_.two_paths && random_.once_in(3)))
      fates = disturb(frame, wall_.streaming.burst_packets, wall_.streaming.playout_delay + 100ms, random_);
    send_by(path, frame, fates, timeline_.now().wall + path_delay_[path], came);
  }
  if (timeline_.now().wall >= quiet_until_) complete_at_[stamp_.tick] = *std::ranges::max_element(came);
  next_frame_ += interval_;
}

// Paced: the bursts are spread over half of the frame interval.
void Session::send_by(unsigned path, std::vector<SentDatagram> frame, std::span<const Fate> fates, WallTime from,
                      std::vector<WallTime>& came) {
  const std::size_t burst = wall_.streaming.burst_packets;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const auto bursts = static_cast<std::int64_t>((frame.size() + burst - 1) / burst);
    const auto at = from + interval_ / 2 / bursts * static_cast<std::int64_t>(i / burst) + fates[i].delay;
    const bool comes = !fates[i].lost && !fates[i].dropped && fates[i].change == Change::none;
    if (i < came.size() && comes) came[i] = std::min(came[i], at);
    last_arrival_ = std::max(last_arrival_, at);
    const bool follows = i % burst != 0 && !random_.once_in(20);
    timeline_.at(at, [this, path, fate = fates[i], follows, datagram = std::move(frame[i])]() mutable {
      deliver(path, std::move(datagram), fate, follows);
    });
  }
}

void Session::deliver(unsigned path, SentDatagram datagram, const Fate& fate, bool follows) {
  if (fate.lost || fate.change == Change::seen) return;
  if (fate.dropped) {
    arrivals_.drop(datagram);
    return media_->drop();
  }
  if (fate.change == Change::unseen) {
    const auto sent = datagram.bytes;
    change_bits(datagram, key_.has_value(), random_);
    if (differ_in_check_only(sent, datagram.bytes)) arrivals_.doubt();
  }
  for (unsigned copy = 0; copy < fate.copies; ++copy) {
    arrivals_.arrive(datagram, path, fate.change == Change::none);
    media_->arrive(datagram.bytes, servers()[path], follows && copy == 0);
  }
}

// The receiver's requests reach the server after a delay, and so do the answers, unless they are lost.
void Session::hear(std::span<const std::byte> datagram) {
  if (random_.once_in(10)) return;
  Bytes bytes(datagram.begin(), datagram.end());
  timeline_.at(timeline_.now().wall + path_delay_[0], [this, bytes = std::move(bytes)]() mutable {
    std::span<std::byte> compound(bytes);
    if (opener_ && opener_->open_rtcp(compound, timeline_.now().local) != PacketOpener::Fate::done) return;
    RtcpContents contents;
    const auto problem = parse_rtcp(compound, streams_.back().ssrc(), contents);
    expect(problem.empty(), "what the receiver says is valid RTCP: " + std::string(problem));
    for_each_missing(contents, [this](std::uint32_t sequence) { resend(sequence); });
  });
}

void Session::resend(std::uint32_t sequence) {
  auto datagram = streams_.back().resend(sequence);
  if (!datagram || random_.once_in(8)) return;
  Fate fate;
  if (random_.once_in(12)) fate.change = Change::unseen;
  if (random_.once_in(10)) fate.copies = 2;
  const auto wait = random_.once_in(8) ? std::chrono::microseconds{random_.below(200'000)} : 100us;
  timeline_.at(timeline_.now().wall + path_delay_[0] + wait, [this, fate, datagram = std::move(*datagram)]() mutable {
    deliver(0, std::move(datagram), fate, true);
  });
}

void Session::step() {
  // Off its core for a while, now and then: several messages then wait.
  if (random_.once_in(16)) {
    const auto until = timeline_.now().wall + std::chrono::microseconds{random_.between(100, 8000)};
    timeline_.run(until, [] { return false; });
  }
  receiver_->step(timeline_.now());
  take_bands();
}

// Like a presenter: keeps bands until they have been shown, and looks at the pixels last.
void Session::take_bands() {
  ReceivedBand band;
  while (receiver_->take_band(band)) {
    const auto now = timeline_.now().wall;
    const auto shown = std::clamp(band.media_time - clock_error_, now - 1s, now) + wall_.streaming.playout_delay;
    held_.push_back({band, shown + static_cast<std::int64_t>(may_starve_ ? random_.below(8) : 0) * interval_});
  }
  const auto now = timeline_.now().wall;
  std::erase_if(held_, [&](const Held& held) {
    if (held.until > now) return false;
    check(held.band);
    receiver_->give_back(held.band.buffer);
    return true;
  });
}

void Session::check(const ReceivedBand& band) {
  // A stream's very first packet may have lost its extensions and be taken for another sender's until the next arrives.
  if (!band.has_stamp) return expect(!band.whole, "a band of packets without a stamp counts as whole");
  const SentFrame* sent = nullptr;
  for (const auto& stream : streams_)
    if (sent == nullptr) sent = stream.find(band.generation, band.tick);
  note(band.tick);
  note(band.whole);
  note(band.bytes);
  ++(band.whole ? outcome_.whole : outcome_.incomplete);
  if (sent == nullptr) return expect(false, "tick " + std::to_string(band.tick) + " was never sent");
  const auto frame = "tick " + std::to_string(band.tick) + ", ";
  auto stamp = FrameStamp{band.media_time, band.frame, static_cast<std::uint16_t>(band.generation), band.tick};
  stamp.used = band.used;
  stamp.packets_before = sent->stamp.packets_before;
  expect(sent->stamp == stamp && sent->format == band.format, frame + "its description is not what was sent");
  if (info(band.format).varies_in_length())
    check_rows(decoded(band), sent->rgb, frame);
  else
    check_rows(band, sent->pixels, frame);
  const auto complete = complete_at_.find(band.tick);
  // A receiver that measures does not use a clock to decide what is in time.
  const bool keeps_late = wall_.streaming.keep_late;
  if (complete == complete_at_.end() || may_starve_ || (clock_error_ != Nanoseconds{0} && !keeps_late)) return;
  // At least three frames are open at once.
  const auto given_up = keeps_late ? Nanoseconds::max() : wall_.streaming.playout_delay - give_up_margin;
  const auto in_time = band.media_time - clock_error_ + std::min<Nanoseconds>(2 * interval_, given_up);
  if (complete->second > in_time) return;
  outcome_.undisturbed += band.whole;
  expect(band.whole, frame + "all of it arrived in time, and yet it is incomplete");
}

// No row gets lost by decoding.
ReceivedBand Session::decoded(const ReceivedBand& band) {
  rgb_.resize(std::size_t{wall_.tile({}).place.width} * band.rows * 3);
  job_.reserve(wall_.tile({}).place.width, band.rows, rgb_.data());
  chunks_.reserve(wall_.tile({}).place.width);
  job_.begin(band, 1);
  bool last = false;
  while (job_.work(chunks_, 1, last)) continue;
  const auto result = job_.result();
  for (unsigned row = 0; row < band.rows; ++row)
    expect(result.row_present(row) == band.row_present(row), "row " + std::to_string(row) + " cannot be decoded");
  return result;
}

void Session::check_rows(const ReceivedBand& band, const Bytes& sent, const std::string& frame) {
  const auto row_size = row_bytes(band.format, wall_.tile({}).place.width);
  for (unsigned row = 0; row < band.rows; ++row) {
    note(band.row_present(row));
    if (!band.row_present(row)) continue;
    row_.resize(row_size);
    band.pixels.copy(row * row_size, row_size, row_.data());
    expect(std::memcmp(row_.data(), sent.data() + row * row_size, row_size) == 0,
           frame + (band.whole ? "which counts as whole, " : "") + "row " + std::to_string(row) + " of " +
               std::to_string(band.rows) + " is not what was sent");
  }
}

void Session::check_ledger() {
  // Figures are published every 10 ms.
  outcome_.stats = receiver_->stats();
  const auto& stats = outcome_.stats;
  for (const auto value : {stats.packets, stats.used, stats.in_place, stats.duplicates, stats.late, stats.invalid,
                           stats.parity, stats.rebuilt, stats.repaired, stats.lost})
    note(value);
  const auto broken = broken_law(stats);
  expect(broken.empty(), std::string(broken));
  const Arrivals::Expect expect_law = [this](bool holds, const std::string& law) { expect(holds, law); };
  arrivals_.check(stats, expect_law);
  expect(receiver_->copies().copied_bytes() <= (stats.used - stats.in_place) * wall_.streaming.mtu,
         "more pixels were copied than arrived where they were not expected");
  if (streams_apart_) arrivals_.check_streams(stats, combination_.sealed, expect_law);
}

}  // namespace

Combination Combination::number(unsigned number) {
  const auto next = [&](unsigned of) {
    const auto value = number % of;
    number /= of;
    return value;
  };
  Combination result;
  result.resend = next(2) == 1;
  result.fec = next(3);
  result.two_paths = next(2) == 1;
  result.sealed = next(2) == 1;
  result.large_datagrams = next(2) == 1;
  result.format = next(all_pixel_formats.size());
  result.coalesced = next(2) == 1;
  return result;
}

std::string Combination::text() const {
  return std::string(resend ? "resend" : "no resend") + ", FEC " + fec_names[fec] +
         (two_paths ? ", two paths" : ", one path") + (sealed ? ", encrypted" : ", clear") +
         (large_datagrams ? ", 8900 bytes, " : ", 1400 bytes, ") +
         std::string(info(static_cast<PixelFormat>(format)).name) + (coalesced ? ", coalesced" : ", not coalesced");
}

Outcome play_session(std::uint64_t seed, std::uint64_t number, unsigned patterns, const std::filesystem::path& key_file,
                     bool by_kernel) {
  return Session(seed, number, key_file, by_kernel).play(patterns);
}

}  // namespace lw::truth
