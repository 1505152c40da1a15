// Tickets as people read and type them.
#include "common/access/tickets.h"

#include <catch2/catch.hpp>

#include <random>
#include <set>
#include <string>

using namespace lw;

TEST_CASE("random tickets differ, and are read as they are shown") {
  std::set<std::string> tickets;
  for (int i = 0; i < 1000; ++i) {
    const auto ticket = random_ticket().value();
    CHECK(ticket.size() == ticket_letters);
    CHECK(read_ticket(ticket) == ticket);
    CHECK(read_ticket(ticket_text(ticket)) == ticket);
    tickets.insert(ticket);
  }
  CHECK(tickets.size() == 1000);
}

TEST_CASE("each place of a ticket has all of the 32 letters") {
  std::vector<std::set<char>> seen(ticket_letters);
  for (int i = 0; i < 2000; ++i) {
    const auto ticket = random_ticket().value();
    for (std::size_t place = 0; place < ticket_letters; ++place) seen[place].insert(ticket[place]);
  }
  for (const auto& letters : seen) CHECK(letters.size() == 32);
}

TEST_CASE("what people mistake is forgiven, anything else is not a ticket") {
  CHECK(ticket_text("K7QFM2XD") == "K7QF-M2XD");
  CHECK(read_ticket("k7qf m2xd") == "K7QFM2XD");
  CHECK(read_ticket(" K7-QF-M2-XD ") == "K7QFM2XD");
  CHECK(read_ticket("oOiIlL01") == "00111101");
  for (const char* wrong :
       {"", "-", "K7QF-M2X", "K7QF-M2XDD", "K7QF-M2XU", "K7QF_M2XD", "K7QF\tM2XD", "K7QF-M2X\xc3\x96"}) {
    INFO(wrong);
    CHECK_FALSE(read_ticket(wrong).has_value());
  }
  CHECK_FALSE(read_ticket(std::string(25, ' ') + "K7QFM2XD").has_value());
}

TEST_CASE("arbitrary bytes are a ticket of eight letters or none") {
  std::mt19937 random(42);
  for (int round = 0; round < 20'000; ++round) {
    std::string typed;
    for (auto count = random() % 40; count > 0; --count)
      typed += static_cast<char>(random() % 4 == 0 ? random() % 256 : '0' + random() % 43);
    if (const auto ticket = read_ticket(typed)) {
      CHECK(ticket->size() == ticket_letters);
      CHECK(read_ticket(*ticket) == *ticket);
    }
  }
}
