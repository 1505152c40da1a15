// Pins which frame a tile shows when, and that every frame due is accounted for.
#include "wall-client/playout/playout_buffer.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace lw;

namespace {

constexpr std::chrono::milliseconds delay{80};

WallTime at(int ms) { return WallTime{std::chrono::seconds{1000} + std::chrono::milliseconds{ms}}; }

struct Fixture {
  explicit Fixture(SyncMode sync = SyncMode::tile) : mode(sync) {}

  SyncMode mode;
  std::vector<unsigned> returned;
  std::vector<std::uint32_t> left_out;
  PlayoutBuffer buffer{2,    delay,
                       4,    [this](const ReceivedBand& band) { returned.push_back(band.buffer); },
                       mode, [this](const AssembledFrame& frame) { left_out.push_back(frame.frame); }};
  unsigned next_buffer = 0;

  void add(unsigned flow, std::uint16_t tick, bool whole = true) {
    ReceivedBand band;
    band.flow = flow;
    band.buffer = next_buffer++;
    band.media_time = at(33 * tick);
    band.frame = tick;
    band.tick = tick;
    band.has_stamp = true;
    band.whole = whole;
    buffer.add(band);
  }
  // For a tick and a time that do not belong together: the server's clock was set, or it restarted.
  void add(unsigned flow, std::uint16_t tick, WallTime media_time, std::uint32_t stream = 0) {
    ReceivedBand band;
    band.flow = flow;
    band.buffer = next_buffer++;
    band.media_time = media_time;
    band.frame = band.tick = tick;
    band.has_stamp = band.whole = true;
    band.stream = stream;
    buffer.add(band);
  }
  void add_frame(std::uint16_t tick, bool whole = true) {
    add(0, tick);
    add(1, tick, whole);
  }
  void show_first_frame() {
    add_frame(0);
    REQUIRE(buffer.due(at(80)));
    buffer.shown();
  }
  void check_balance() const {
    const auto& c = buffer.counts();
    REQUIRE(c.frames_due == c.shown_whole + c.shown_concealed + c.not_shown);
  }
};

}  // namespace

TEST_CASE("after the server's clock was set back, an older band does not make frames appear twice") {
  Fixture f;
  f.show_first_frame();
  for (unsigned flow : {0U, 1U}) f.add(flow, 100, at(3300));
  REQUIRE(f.buffer.due(at(3380)));
  f.buffer.shown();
  f.add(0, 102, at(300));
  REQUIRE(f.buffer.due(at(3400)));
  f.buffer.shown();
  f.add(0, 101, at(3333));  // incomplete until now
  f.add(1, 102, at(300));   // the rest of the frame that was shown without it
  CHECK(f.buffer.due(at(3420)) == nullptr);
  CHECK(f.buffer.counts().shown_whole + f.buffer.counts().shown_concealed == 3);
  f.check_balance();
}

TEST_CASE("frames with a late part are also shown after the server's clock was set back to before the join") {
  Fixture f;
  f.add(0, 100, at(3300));
  f.add(1, 101, at(3333));  // listens later than the other
  f.add(0, 101, at(3333));
  REQUIRE(f.buffer.due(at(3413)));
  f.buffer.shown();
  for (std::uint16_t tick = 102; tick < 160; ++tick) {
    const auto media_time = at(33 * (tick - 101));
    f.add(0, tick, media_time);
    REQUIRE(f.buffer.due(at(3446)));  // long overdue by the server's clock
    f.buffer.shown();
    f.add(1, tick, media_time);
  }
  CHECK(f.buffer.counts().shown_concealed == 58);
  CHECK(f.buffer.counts().cut_at_start == 1);
  f.check_balance();
}

TEST_CASE("a server that restarts soon after its start begins with earlier ticks, which are shown") {
  Fixture f;
  for (unsigned flow : {0U, 1U}) f.add(flow, 20, at(660));
  REQUIRE(f.buffer.due(at(740)));
  f.buffer.shown();
  for (unsigned flow : {0U, 1U}) f.add(flow, 0, at(1660), 1);
  REQUIRE(f.buffer.due(at(1740)));
  CHECK(f.buffer.due(at(1740))->whole);
  f.buffer.shown();
  CHECK(f.buffer.counts().not_shown == 0);
  f.check_balance();
}

TEST_CASE("what a crashed server sent before clocks were set back does not keep its successor's frames away") {
  Fixture f;
  for (const std::uint16_t tick : {std::uint16_t{249}, std::uint16_t{250}})
    for (unsigned flow : {0U, 1U}) f.add(flow, tick, at(33 * tick));
  REQUIRE(f.buffer.due(at(33 * 249) + delay));
  f.buffer.shown();
  // Set back by three seconds: tick 250 would be due only then.
  for (unsigned flow : {0U, 1U}) f.add(flow, 0, at(33 * 249 - 3000), 1);
  REQUIRE(f.buffer.due(at(33 * 249 - 3000) + delay));
  f.buffer.shown();
  // Set forward again.
  const auto now = at(33 * 250) + delay;
  if (f.buffer.due(now)) f.buffer.shown();
  for (std::uint16_t tick = 1; tick < 20; ++tick) {
    const auto media_time = now + std::chrono::milliseconds{33 * tick};
    for (unsigned flow : {0U, 1U}) f.add(flow, tick, media_time, 1);
    REQUIRE(f.buffer.due(media_time + delay));
    f.buffer.shown();
  }
  f.check_balance();
}

TEST_CASE("very old bands that arrive after newer ones are not shown") {
  Fixture f;
  f.show_first_frame();
  // A node was frozen for three seconds: all of one flow's bands arrive before the other's.
  for (std::uint16_t tick = 90; tick < 92; ++tick) f.add(0, tick);
  REQUIRE(f.buffer.due(at(33 * 90 + 80)));
  f.buffer.shown();
  for (std::uint16_t tick = 1; tick < 92; ++tick) f.add(1, tick);
  REQUIRE(f.buffer.next_time() == at(33 * 91 + 80));
  const auto* frame = f.buffer.due(at(33 * 91 + 80));
  REQUIRE(frame);
  CHECK(frame->frame == 91);
  CHECK(frame->whole);
  f.buffer.shown();
  f.check_balance();
}

TEST_CASE("frames that are not shown are reported") {
  Fixture f;
  f.show_first_frame();
  for (std::uint16_t tick = 1; tick < 4; ++tick) f.add_frame(tick);
  REQUIRE(f.buffer.due(at(33 * 3 + 80)));
  CHECK(f.left_out == std::vector<std::uint32_t>{1, 2});
  f.buffer.shown();
  CHECK(f.left_out.size() == f.buffer.counts().not_shown);
}

TEST_CASE("a change of the delay moves each frame by its own share") {
  Fixture f;
  f.show_first_frame();
  f.buffer.keep_to(
      {at(33), std::chrono::milliseconds{80}, std::chrono::milliseconds{100}, std::chrono::milliseconds{66}});
  f.add_frame(1);
  f.add_frame(2);
  f.add_frame(3);
  CHECK_FALSE(f.buffer.due(at(33 + 79)));
  REQUIRE(f.buffer.due(at(33 + 80)));
  f.buffer.shown();
  CHECK(f.buffer.next_time() == at(66 + 90));
  REQUIRE(f.buffer.due(at(66 + 90)));
  f.buffer.shown();
  CHECK(f.buffer.next_time() == at(99 + 100));
  CHECK(f.buffer.counts().shown_whole == 3);
}

TEST_CASE("a frame is due at its media time plus the playout delay, not before") {
  Fixture f;
  f.add_frame(1);
  REQUIRE(f.buffer.due(at(33 + 79)) == nullptr);
  REQUIRE(f.buffer.next_time() == at(33 + 80));
  REQUIRE(f.buffer.next_whole()->frame == 1);
  const auto* frame = f.buffer.due(at(33 + 80));
  REQUIRE(frame);
  REQUIRE(frame->whole);
  f.buffer.shown();
  REQUIRE(f.returned == std::vector<unsigned>{0, 1});
  REQUIRE(f.buffer.counts().shown_whole == 1);
  REQUIRE(f.buffer.due(at(1000)) == nullptr);
  f.check_balance();
}

TEST_CASE("bands join by media time, whatever their order of arrival") {
  Fixture f;
  f.add(1, 2);
  f.add(0, 1);
  f.add(0, 2);
  REQUIRE(f.buffer.next_whole() == nullptr);
  f.add(1, 1);
  REQUIRE(f.buffer.next_whole()->frame == 1);
  REQUIRE(f.buffer.whole_waiting() == 2);
  REQUIRE(f.buffer.due(at(33 + 80))->frame == 1);
}

TEST_CASE("of several frames due the newest is shown, the others are counted") {
  Fixture f;
  for (std::uint16_t tick = 1; tick <= 3; ++tick) f.add_frame(tick);
  REQUIRE(f.buffer.due(at(33 * 3 + 80))->frame == 3);
  f.buffer.shown();
  REQUIRE(f.buffer.counts().frames_due == 3);
  REQUIRE(f.buffer.counts().not_shown == 2);
  f.check_balance();
}

TEST_CASE("a frame is due even if nothing of it arrived") {
  Fixture f;
  f.add_frame(1);
  REQUIRE(f.buffer.due(at(33 + 80)));
  f.buffer.shown();
  f.add_frame(4);
  REQUIRE(f.buffer.due(at(33 * 4 + 80)));
  f.buffer.shown();
  REQUIRE(f.buffer.counts().frames_due == 4);
  REQUIRE(f.buffer.counts().not_shown == 2);
  f.check_balance();
}

TEST_CASE("an incomplete frame is shown concealed at its time, and late bands of it are refused") {
  Fixture f;
  f.show_first_frame();
  f.add_frame(1, false);
  REQUIRE(f.buffer.next_whole() == nullptr);
  REQUIRE(f.buffer.due(at(33 + 80)));
  f.buffer.shown();
  REQUIRE(f.buffer.counts().shown_concealed == 1);
  f.add(0, 1);
  REQUIRE(f.returned.size() == 5);
  REQUIRE(f.buffer.due(at(1000)) == nullptr);
  f.check_balance();
}

TEST_CASE("a frame joined in the middle is not shown, and not due") {
  Fixture f;
  f.add(1, 1, false);
  f.add_frame(2);
  REQUIRE(f.buffer.due(at(33 + 80)) == nullptr);
  f.add(0, 1);  // the rest of it, too late
  REQUIRE(f.returned.size() == 2);
  REQUIRE(f.buffer.due(at(33 * 2 + 80))->frame == 2);
  f.buffer.shown();
  REQUIRE(f.buffer.counts().cut_at_start == 1);
  REQUIRE(f.buffer.counts().frames_due == 1);
  f.add_frame(3, false);  // only the first
  REQUIRE(f.buffer.due(at(33 * 3 + 80)));
  f.buffer.shown();
  REQUIRE(f.buffer.counts().shown_concealed == 1);
  f.check_balance();
}

TEST_CASE("frames that arrived before all flows listened are not shown, and not due") {
  Fixture f;
  f.add(0, 1, false);
  f.add(0, 2);
  f.add(0, 3);
  f.add(1, 3, false);  // its first
  REQUIRE(f.buffer.due(at(33 * 3 + 80)) == nullptr);
  f.add(0, 4);
  f.add(1, 4, false);  // lost on the way
  REQUIRE(f.buffer.due(at(33 * 4 + 80))->frame == 4);
  f.buffer.shown();
  REQUIRE(f.buffer.counts().cut_at_start == 3);
  REQUIRE(f.buffer.counts().shown_concealed == 1);
  f.check_balance();
}

TEST_CASE("a flow that is never heard does not keep its tile from showing the others") {
  Fixture f;
  std::uint16_t tick = 0;
  for (; tick < 40; ++tick) {
    f.add(0, tick);
    if (f.buffer.due(at(33 * tick + 80)) != nullptr) f.buffer.shown();
  }
  REQUIRE(f.buffer.counts().cut_at_start == 31);  // of a second
  REQUIRE(f.buffer.counts().shown_concealed == 9);
  f.check_balance();
}

TEST_CASE("a band whose packets lost their stamps is of the frame that the others of its time name") {
  Fixture f;
  ReceivedBand unnamed;
  unnamed.media_time = at(33);
  unnamed.whole = true;
  f.buffer.add(unnamed);
  f.next_buffer = 1;
  f.add(1, 1);
  const auto* frame = f.buffer.due(at(33 + 80));
  REQUIRE(frame);
  CHECK(frame->whole);
  CHECK(frame->has_stamp);
  CHECK(frame->frame == 1);
  CHECK(frame->tick == 1);
}

TEST_CASE("the law: bands of different frames are never joined, and the newest generation counts") {
  Fixture f;
  f.show_first_frame();
  const auto add = [&](unsigned flow, std::uint32_t frame, std::uint32_t generation) {
    ReceivedBand band;
    band.flow = flow;
    band.buffer = f.next_buffer++;
    band.media_time = at(33);
    band.frame = frame;
    band.generation = generation;
    band.tick = 1;
    band.has_stamp = band.whole = true;
    f.buffer.add(band);
    return band.buffer;
  };
  const auto before = f.returned;
  SECTION("an older one that comes later is refused") {
    add(0, 9, 65535);
    CHECK(f.returned == before);
    const auto refused = add(1, 29, 65534);
    CHECK(f.returned.back() == refused);
    add(1, 9, 65535);
  }
  SECTION("a newer one replaces what came before it") {
    const auto replaced = add(1, 29, 65535);
    add(0, 9, 0);
    CHECK(f.returned.back() == replaced);
    add(1, 9, 0);
  }
  SECTION("of one generation, the frame that came first counts") {
    add(0, 9, 7);
    const auto refused = add(1, 10, 7);
    CHECK(f.returned.back() == refused);
    add(1, 9, 7);
  }
  const auto* frame = f.buffer.due(at(33 + 80));
  REQUIRE(frame);
  CHECK(frame->whole);
  CHECK(frame->frame == 9);
  for (const auto& band : frame->bands) CHECK(band.frame == 9);
}

TEST_CASE("a full buffer pushes out the oldest") {
  Fixture f;
  for (std::uint16_t tick = 1; tick <= 5; ++tick) f.add_frame(tick);
  REQUIRE(f.returned.size() == 2);
  REQUIRE(f.buffer.next_whole()->frame == 2);
  REQUIRE(f.buffer.counts().not_shown == 1);
  f.check_balance();
}

TEST_CASE("a restarted server's tick counter does not count as loss") {
  Fixture f;
  f.add_frame(5);
  REQUIRE(f.buffer.due(at(33 * 5 + 80)));
  f.buffer.shown();
  ReceivedBand band;
  for (unsigned flow = 0; flow < 2; ++flow) {
    band.flow = flow;
    band.media_time = at(1000);
    band.tick = 40000;
    band.has_stamp = band.whole = true;
    f.buffer.add(band);
  }
  REQUIRE(f.buffer.due(at(1080)));
  f.buffer.shown();
  REQUIRE(f.buffer.counts().frames_due == 2);
  f.check_balance();
}

namespace {

TickSet ticks(std::initializer_list<std::uint16_t> list) {
  TickSet set;
  for (const auto tick : list) set.add(tick);
  return set;
}

}  // namespace

TEST_CASE("on a synchronized wall a frame is shown when it is committed, or not at all") {
  Fixture f(SyncMode::wall);
  f.add_frame(1);
  f.add_frame(2);
  f.buffer.commit(ticks({2}));
  CHECK(f.buffer.next_time() > at(33 + 95));  // the first may still be committed; then it is skipped
  CHECK(f.buffer.due(at(33 + 80)) == nullptr);
  CHECK(f.buffer.due(at(33 + 95)) == nullptr);
  f.buffer.commit(ticks({1, 2}));
  CHECK(f.buffer.next_time() == at(33 + 80));
  REQUIRE(f.buffer.due(at(33 + 95)));
  CHECK(f.buffer.due(at(33 + 95))->frame == 1);
  f.buffer.shown();
  CHECK(f.buffer.due(at(66 + 79)) == nullptr);
  REQUIRE(f.buffer.due(at(66 + 80))->frame == 2);
  f.buffer.shown();
  CHECK(f.buffer.counts().shown_whole == 2);
  f.check_balance();
}

TEST_CASE("on a synchronized wall a frame that is not committed soon after its time is dropped and counted") {
  Fixture f(SyncMode::wall);
  f.add_frame(1);
  f.add_frame(2, false);
  f.add_frame(3);
  f.buffer.commit(ticks({3}));
  CHECK(f.buffer.due(at(33 + 80 + 21)) == nullptr);
  CHECK(f.buffer.counts().not_committed == 1);
  REQUIRE(f.buffer.due(at(99 + 80)));
  CHECK(f.buffer.due(at(99 + 80))->frame == 3);
  f.buffer.shown();
  CHECK(f.buffer.counts().not_shown == 2);
  CHECK(f.buffer.counts().not_committed == 1);  // the second was incomplete here as well
  CHECK(f.buffer.counts().shown_concealed == 0);
  f.check_balance();
}

TEST_CASE("on a synchronized wall a late tile shows what the others showed, frame by frame") {
  Fixture f(SyncMode::wall);
  f.add_frame(1);
  f.add_frame(2);
  f.buffer.commit(ticks({1, 2}));
  for (unsigned frame = 1; frame <= 2; ++frame) {
    REQUIRE(f.buffer.due(at(66 + 85)));
    CHECK(f.buffer.due(at(66 + 85))->frame == frame);
    f.buffer.shown();
  }
  CHECK(f.buffer.counts().not_shown == 0);
  f.check_balance();
}

TEST_CASE("on a synchronized wall old frames are not shown, even if all were to show them") {
  Fixture f(SyncMode::wall);
  f.add_frame(1);
  f.add_frame(2);
  f.buffer.commit(ticks({1, 2}));
  CHECK(f.buffer.due(at(3000)) == nullptr);  // this node was frozen
  CHECK(f.buffer.counts().not_shown == 2);
  CHECK(f.returned.size() == 4);
  f.check_balance();
}
