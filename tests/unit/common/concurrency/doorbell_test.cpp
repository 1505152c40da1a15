// Bells on a board: each that was rung is noted once until it is answered, and no ring is lost, whoever rings when.
#include "common/concurrency/doorbell.h"

#include "common/concurrency/sleeper.h"

#include <catch2/catch.hpp>

#include <array>
#include <thread>
#include <vector>

using namespace lw;
using namespace std::chrono_literals;

namespace {

std::vector<std::uint32_t> answered(BellBoard& board) {
  std::vector<std::uint32_t> places;
  board.answer([&](std::uint32_t place) { places.push_back(place); });
  return places;
}

}  // namespace

TEST_CASE("a board has the bells that were rung, each once and in their order") {
  const auto board = Sleeper::make().value();
  std::array<Doorbell, 4> bells;
  for (std::uint32_t i = 0; i < bells.size(); ++i) bells[i].hang(*board, 10 + i);
  CHECK(answered(*board) == std::vector<std::uint32_t>{10, 11, 12, 13});  // for rings of before
  for (const auto i : {2U, 0U, 2U, 3U}) bells[i].ring();
  CHECK(board->has_rings());
  CHECK(answered(*board) == std::vector<std::uint32_t>{12, 10, 13});
  CHECK_FALSE(board->has_rings());
  CHECK(bells[2].count() == 2);
}

TEST_CASE("a muted bell is counted and not noted") {
  const auto board = Sleeper::make().value();
  Doorbell bell;
  bell.hang(*board, 1);
  answered(*board);
  bell.mute(true);
  bell.ring();
  CHECK(answered(*board).empty());
  CHECK(bell.count() == 1);
  bell.mute(false);
  bell.ring();
  CHECK(answered(*board) == std::vector<std::uint32_t>{1});
}

TEST_CASE("a bell that was noted before it moved is answered on its new board") {
  const auto before = Sleeper::make().value();
  const auto after = Sleeper::make().value();
  Doorbell bell;
  bell.hang(*before, 1);
  bell.hang(*after, 2);  // still noted on the board before
  CHECK(answered(*after).empty());
  CHECK(answered(*before).empty());
  CHECK(answered(*after) == std::vector<std::uint32_t>{2});
}

TEST_CASE("whoever steps an agent hears of each ring on the agent's own board") {
  const auto outer = Sleeper::make().value();
  Doorbell bell;
  bell.hang(*outer, 5);
  answered(*outer);
  PassingBoard board(bell);
  Doorbell inner;
  inner.hang(board, 7);
  CHECK(answered(*outer) == std::vector<std::uint32_t>{5});
  CHECK(answered(board) == std::vector<std::uint32_t>{7});
}

TEST_CASE("rings from several threads are all answered by a thread that sleeps between them") {
  constexpr std::uint32_t rings = 20'000;
  const auto sleeper = Sleeper::make().value();
  std::array<Doorbell, 3> bells;
  for (std::uint32_t i = 0; i < bells.size(); ++i) bells[i].hang(*sleeper, i);
  std::array<std::uint32_t, 3> heard{};
  {
    std::vector<std::jthread> ringers;
    for (auto& bell : bells)
      ringers.emplace_back([&bell] {
        for (std::uint32_t i = 0; i < rings; ++i) bell.ring();
      });
    const auto until = LocalClock::now() + 20s;
    while (heard != std::array{rings, rings, rings} && LocalClock::now() < until) {
      sleeper->sleep(1s);
      sleeper->answer([&](std::uint32_t place) { heard[place] = bells[place].count(); });
    }
  }
  CHECK(heard == std::array{rings, rings, rings});
}
