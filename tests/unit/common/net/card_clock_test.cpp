// A card behind a fake ioctl(2) that answers like a driver; and what the kernel says of its loopback interface.
#include "common/net/card_clock.h"

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>

#include <catch2/catch.hpp>

#include <cerrno>
#include <cstring>
#include <vector>

using namespace lw;

namespace {

struct Card {
  hwtstamp_config setting{};
  bool reports_setting = true;
  int refuses = 0;            // the reason
  int receives_instead = -1;  // the filter that it chooses
  unsigned changes = 0;

  Phc::Ioctl driver() {
    return [this](int, unsigned long request, void* data) { return answer(request, *static_cast<ifreq*>(data)); };
  }
  int answer(unsigned long request, ifreq& named) {
    REQUIRE(std::string(named.ifr_name) == "eth7");
    if (request == SIOCGHWTSTAMP && reports_setting) {
      std::memcpy(named.ifr_data, &setting, sizeof(setting));
      return 0;
    }
    if (request == SIOCSHWTSTAMP && refuses == 0) {
      ++changes;
      std::memcpy(&setting, named.ifr_data, sizeof(setting));
      if (receives_instead >= 0) setting.rx_filter = receives_instead;
      std::memcpy(named.ifr_data, &setting, sizeof(setting));
      return 0;
    }
    errno = refuses != 0 ? refuses : EOPNOTSUPP;
    return -1;
  }
};

}  // namespace

TEST_CASE("a card stamps while somebody wants it to, and is then as it was found") {
  const bool sends = GENERATE(false, true);
  const int tx = GENERATE(HWTSTAMP_TX_OFF, HWTSTAMP_TX_ON);
  const int rx = GENERATE(HWTSTAMP_FILTER_NONE, HWTSTAMP_FILTER_PTP_V2_EVENT, HWTSTAMP_FILTER_ALL);
  CAPTURE(sends, tx, rx);
  Card card{{0, tx, rx}};
  {
    auto stamps = CardStamps::enable("eth7", sends, card.driver());
    REQUIRE(stamps.has_value());
    const auto moved = std::move(*stamps);
    CHECK(card.setting.rx_filter == HWTSTAMP_FILTER_ALL);
    CHECK(card.setting.tx_type == (sends ? HWTSTAMP_TX_ON : tx));
  }
  CHECK(card.setting.rx_filter == rx);
  CHECK(card.setting.tx_type == tx);
  const bool was_so = rx == HWTSTAMP_FILTER_ALL && (!sends || tx == HWTSTAMP_TX_ON);
  CHECK(card.changes == (was_so ? 0 : 2));  // a change needs rights
}

TEST_CASE("what somebody else has set in the meantime stays") {
  Card card;
  {
    const auto stamps = CardStamps::enable("eth7", false, card.driver());
    REQUIRE(stamps.has_value());
    card.setting.tx_type = HWTSTAMP_TX_ON;
  }
  CHECK(card.setting.rx_filter == HWTSTAMP_FILTER_ALL);
  CHECK(card.setting.tx_type == HWTSTAMP_TX_ON);
}

TEST_CASE("a driver that does not report its setting gets its default back") {
  Card card;
  card.reports_setting = false;
  { REQUIRE(CardStamps::enable("eth7", false, card.driver()).has_value()); }
  CHECK(card.setting.rx_filter == HWTSTAMP_FILTER_NONE);
  CHECK(card.changes == 2);
}

TEST_CASE("a card that cannot be made to stamp every packet is an error that names it and says what to do") {
  Card card;
  const auto problem = [&] { return CardStamps::enable("eth7", false, card.driver()).error().text(); };
  card.refuses = EPERM;
  CHECK(problem().find("time stamps of eth7: Operation not permitted") != std::string::npos);
  CHECK(problem().find("CAP_NET_ADMIN") != std::string::npos);
  CHECK(problem().find("hwstamp_ctl -i eth7 -r 1") != std::string::npos);
  card.refuses = ERANGE;
  CHECK(problem().find("ethtool -T eth7") != std::string::npos);
  card.refuses = 0;
  card.receives_instead = HWTSTAMP_FILTER_PTP_V2_EVENT;
  CHECK(problem().find("eth7 does not stamp every packet") != std::string::npos);
  CHECK(card.changes == 2);  // and it is as before
}

TEST_CASE("an interface's abilities are those that its driver reports") {
  const auto of = [](std::uint32_t can, std::uint32_t received, std::uint32_t sent) {
    const auto driver = [=](int, unsigned long request, void* data) {
      REQUIRE(request == SIOCETHTOOL);
      auto& info = *reinterpret_cast<ethtool_ts_info*>(static_cast<ifreq*>(data)->ifr_data);
      REQUIRE(info.cmd == ETHTOOL_GET_TS_INFO);
      info.so_timestamping = can;
      info.phc_index = 3;
      info.rx_filters = received;
      info.tx_types = sent;
      return 0;
    };
    return card_stamping("eth7", driver).value();
  };
  constexpr std::uint32_t all =
      SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_TX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE;
  constexpr std::uint32_t every = 1U << HWTSTAMP_FILTER_ALL, ptp = 1U << HWTSTAMP_FILTER_PTP_V2_EVENT;
  CHECK(of(all, every, 1U << HWTSTAMP_TX_ON).phc == 3);
  CHECK(of(all, every | ptp, 1U << HWTSTAMP_TX_ON).receives);
  CHECK_FALSE(of(all, ptp, 1U << HWTSTAMP_TX_ON).receives);
  CHECK_FALSE(of(all & ~SOF_TIMESTAMPING_RAW_HARDWARE, every, 1U << HWTSTAMP_TX_ON).receives);
  CHECK(of(all, every, 1U << HWTSTAMP_TX_ON).sends);
  CHECK_FALSE(of(all, every, 1U << HWTSTAMP_TX_OFF).sends);
}

TEST_CASE("the loopback interface has no card") {
  const auto local = Address::parse("127.0.0.1", 50'000).value();
  CHECK(interface_with(local) == "lo");
  const auto clock = CardClock::open(local);
  REQUIRE_FALSE(clock.has_value());
  CHECK(clock.error().text().find("lo has no hardware time stamps") != std::string::npos);
  CHECK(clock.error().text().find("ethtool -T lo") != std::string::npos);
}

TEST_CASE("a socket that is bound to no address is on no card") {
  CHECK_FALSE(interface_with(Address::any(false, 50'000)));
  const auto clock = CardClock::open(Address::any(false, 50'000));
  REQUIRE_FALSE(clock.has_value());
  CHECK(clock.error().text().find("0.0.0.0:50000") != std::string::npos);
}
