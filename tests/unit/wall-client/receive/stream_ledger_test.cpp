// The ledger of a stream: totals continue over a restarted sender, setting a clock leaves no wrong times, and packets
// that the kernel dropped are counted once.
#include "wall-client/receive/stream_ledger.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr WallTime start{1000s};
constexpr LocalTime now{1000s};

MediaPacket first_packet(std::uint16_t tick) {
  MediaPacket packet;
  packet.media_time = start + tick * 33ms;
  packet.stamp.emplace();
  packet.stamp->tick = tick;
  packet.stamp->media_time = *packet.media_time;
  return packet;
}

void begin_frames(StreamLedger& ledger, std::uint16_t from, std::uint16_t to, Nanoseconds transit) {
  for (auto tick = from; tick < to; ++tick) {
    const auto packet = first_packet(tick);
    ledger.note_stamp(packet);
    ledger.begin_frame(packet, *packet.media_time + transit);
  }
}

}  // namespace

TEST_CASE("a new stream's losses are added to those of the stream before") {
  StreamLedger ledger(3, true, nullptr);
  for (const std::int64_t sequence : {1, 2, 5, 6}) ledger.sequences().take(sequence);
  CHECK(ledger.figures(now).lost == 2);
  ledger.restart(77);
  CHECK(ledger.sequences().empty());
  CHECK(ledger.figures(now).lost == 2);
  for (const std::int64_t sequence : {100, 102}) ledger.sequences().take(sequence);
  const auto& figures = ledger.figures(now);
  CHECK(figures.lost == 3);
  CHECK(figures.ssrc == 77);
  CHECK(figures.flow == 3);
}

TEST_CASE("percentiles of the delay are updated at each tenth reading") {
  StreamLedger ledger(0, true, nullptr);
  begin_frames(ledger, 0, 20, 5ms);
  for (int reading = 1; reading < 10; ++reading) CHECK_FALSE(ledger.figures(now).delay_us_p50);
  CHECK(ledger.figures(now).delay_us_p50 == Approx(5000));
}

TEST_CASE("after the clock was set, no delay or jitter from before remains") {
  StreamLedger ledger(0, true, nullptr);
  begin_frames(ledger, 0, 20, 5ms);
  ledger.complete(start, start + 6ms);
  REQUIRE(ledger.delay_needed() == 6ms);
  ledger.forget_times();
  CHECK_FALSE(ledger.delay_needed());
  begin_frames(ledger, 20, 22, 2h);
  CHECK(ledger.figures(now).jitter_us.value_or(0) < 1);
}

TEST_CASE("after missing frames the jitter starts again with the next one") {
  StreamLedger ledger(0, true, nullptr);
  begin_frames(ledger, 0, 20, 5ms);
  begin_frames(ledger, 100, 102, 500ms);
  CHECK(ledger.figures(now).jitter_us.value_or(0) < 1);
}

TEST_CASE("without measuring, no times are kept, but packets are counted and stamps are known") {
  StreamLedger ledger(0, false, nullptr);
  CHECK_FALSE(ledger.has_stamps());
  begin_frames(ledger, 0, 20, 5ms);
  CHECK(ledger.has_stamps());
  for (const std::int64_t sequence : {1, 3}) ledger.sequences().take(sequence);
  for (int reading = 0; reading < 20; ++reading) CHECK(ledger.figures(now).lost == 1);
  CHECK_FALSE(ledger.figures(now).jitter_us);
  CHECK_FALSE(ledger.figures(now).delay_us_p50);
}

TEST_CASE("of the messages that the kernel dropped, those with missing numbers are ours, the others unknown sources'") {
  const bool two_paths = GENERATE(false, true);
  const bool keeps_out = GENERATE(false, true);
  StreamLedger ledger(0, true, nullptr, keeps_out);
  ledger.counts().kernel_drops = 0;
  if (two_paths) ledger.counts().second_path = 0;
  ledger.sequences().take(1);
  ledger.begin_message(5, now);
  ledger.sequences().take(4);
  ledger.end_message(now);
  CHECK(ledger.figures(now).kernel_drops == 2);
  CHECK(ledger.counts().strangers == (keeps_out && !two_paths ? 3U : 0U));
}

TEST_CASE("parity and resends that the kernel dropped are counted by the gap found later, and not as `strangers`") {
  const bool of_parity = GENERATE(false, true);
  StreamLedger ledger(0, true, nullptr, true);
  ledger.counts().kernel_drops = 0;
  auto& beside = of_parity ? ledger.parity() : ledger.resends();
  const auto drops = [&](LocalTime at) {
    const auto& figures = ledger.figures(at);
    CHECK(figures.kernel_drops == 0);
    CHECK((of_parity ? figures.resend_drops : figures.parity_drops) == 0);
    return of_parity ? figures.parity_drops : figures.resend_drops;
  };
  ledger.sequences().take(1);
  beside.take(5, 65'535);
  ledger.begin_message(2, now);  // numbers 0 and 1
  ledger.sequences().take(2);
  ledger.end_message(now);
  CHECK(drops(now) == 0);
  ledger.begin_message(0, now + 40ms);
  beside.take(5, 2);
  ledger.end_message(now + 40ms);
  CHECK(drops(now + 40ms) == 2);
  // Lost before the socket.
  ledger.begin_message(0, now + 80ms);
  beside.take(5, 4);
  ledger.end_message(now + 80ms);
  CHECK(drops(now + 80ms) == 2);
  CHECK((of_parity ? ledger.counts().parity_lost : ledger.counts().resends_lost) == 3);
  CHECK(ledger.counts().strangers == 0);
  // Of no stream: as is known when a second has passed.
  ledger.begin_message(7, now + 90ms);
  ledger.sequences().take(3);
  ledger.end_message(now + 90ms);
  CHECK(drops(now + 1s) == 2);
  CHECK(ledger.counts().strangers == 0);
  CHECK(drops(now + 1100ms) == 2);
  CHECK(ledger.counts().strangers == 7);
}

TEST_CASE("the longest loss run covers the measured time, if there is one") {
  ArrivalRecorder recorder(16, 0);
  StreamLedger ledger(0, true, &recorder);
  auto& sequences = ledger.sequences();
  sequences.take(0);
  sequences.take(100);
  sequences.take_run(101, 900);
  sequences.take_run(1001, 900);
  sequences.take(1950);  // 49 are lost in the warm-up; they are not settled yet
  CHECK(ledger.figures(now).loss_run_max == 99);
  recorder.begin_to_measure();
  CHECK(ledger.figures(now).loss_run_max == 0);
  sequences.take(1954);
  for (auto first = 1955; first < 5000; first += 500) sequences.take_run(first, 500);
  CHECK(ledger.figures(now).loss_run_max == 3);
  CHECK(ledger.figures(now).loss_runs == 3);
}
