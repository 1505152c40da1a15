#include "common/net/card_clock.h"

#include "common/base/descriptor.h"
#include "common/concurrency/pinned_thread.h"

#include <ifaddrs.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

namespace lw {
namespace {

constexpr std::chrono::milliseconds reading_interval{50};
constexpr int first_readings = 4;  // two give a line, unless a clock is set just then

std::string reason_of(int code) { return std::generic_category().message(code); }

// An ioctl of the interface. 0, or the reason.
int ask(const std::string& interface, unsigned long request, void* data, const Phc::Ioctl& ioctl) {
  const Descriptor any(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq named{};
  interface.copy(named.ifr_name, IFNAMSIZ - 1);
  named.ifr_data = static_cast<char*>(data);
  return ioctl(any.get(), request, &named) == 0 ? 0 : errno;
}

std::string needs_of(const std::string& interface) {
  return "`ethtool -T " + interface +
         "` must show a PTP hardware clock and the receive filter all; otherwise use the kernel's time stamps";
}

bool has_bit(std::uint32_t bits, unsigned number) { return (bits >> number & 1U) != 0; }

}  // namespace

Result<CardStamping> card_stamping(const std::string& interface, const Phc::Ioctl& ioctl) {
  ethtool_ts_info info{};
  info.cmd = ETHTOOL_GET_TS_INFO;
  if (const int reason = ask(interface, SIOCETHTOOL, &info, ioctl); reason != 0)
    return Error{interface + " does not report its time stamps: " + reason_of(reason), needs_of(interface)};
  constexpr std::uint32_t received = SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE;
  constexpr std::uint32_t sent = SOF_TIMESTAMPING_TX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE;
  return CardStamping{info.phc_index,
                      (info.so_timestamping & received) == received && has_bit(info.rx_filters, HWTSTAMP_FILTER_ALL),
                      (info.so_timestamping & sent) == sent && has_bit(info.tx_types, HWTSTAMP_TX_ON)};
}

std::optional<std::string> interface_with(const Address& local) {
  ifaddrs* raw = nullptr;
  if (getifaddrs(&raw) != 0) return {};
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> list(raw, &freeifaddrs);
  for (const auto* entry = raw; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr) continue;
    const auto family = entry->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_INET6) continue;
    sockaddr_storage storage{};
    std::memcpy(&storage, entry->ifa_addr, family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6));
    const std::string_view name = entry->ifa_name;  // of a further address perhaps "eth0:1"
    if (Address::from(storage).same_host(local)) return std::string(name.substr(0, name.find(':')));
  }
  return {};
}

Result<CardStamps> CardStamps::enable(const std::string& interface, bool sends, Phc::Ioctl ioctl) {
  hwtstamp_config found{};  // an older driver that does not report its setting has its default: no stamps
  ask(interface, SIOCGHWTSTAMP, &found, ioctl);
  auto wanted = found;
  wanted.rx_filter = HWTSTAMP_FILTER_ALL;
  if (sends && found.tx_type == HWTSTAMP_TX_OFF) wanted.tx_type = HWTSTAMP_TX_ON;
  if (wanted.rx_filter == found.rx_filter && wanted.tx_type == found.tx_type)
    return CardStamps("", found, wanted, std::move(ioctl));
  auto set = wanted;
  if (const int reason = ask(interface, SIOCSHWTSTAMP, &set, ioctl); reason != 0) {
    const auto what = "cannot enable the hardware time stamps of " + interface + ": " + reason_of(reason);
    if (reason != EPERM) return Error{what, needs_of(interface)};
    return Error{what, "give the program CAP_NET_ADMIN (root has it), or enable them before: `hwstamp_ctl -i " +
                           interface + " -r 1" + (sends ? " -t 1`" : "`")};
  }
  CardStamps stamps(interface, found, set, std::move(ioctl));
  if (set.rx_filter != HWTSTAMP_FILTER_ALL)
    return Error{interface + " does not stamp every packet that it receives", needs_of(interface)};
  return stamps;
}

CardStamps::CardStamps(CardStamps&& other) noexcept
    : interface_(std::exchange(other.interface_, {})),
      found_(other.found_),
      wanted_(other.wanted_),
      ioctl_(std::move(other.ioctl_)) {}

CardStamps::~CardStamps() {
  if (interface_.empty()) return;
  auto now = wanted_;
  ask(interface_, SIOCGHWTSTAMP, &now, ioctl_);
  if (now.rx_filter == wanted_.rx_filter && now.tx_type == wanted_.tx_type)
    ask(interface_, SIOCSHWTSTAMP, &found_, ioctl_);
}

Result<std::shared_ptr<const CardClock>> CardClock::open(const Address& local, bool sends) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, bool>, std::weak_ptr<const CardClock>> open_clocks;
  const auto interface = interface_with(local);
  if (!interface)
    return Error{"no interface of this host has the address of " + local.text(),
                 "hardware time stamps need the address of the card that receives"};
  const std::lock_guard lock(mutex);
  auto& known = open_clocks[{*interface, sends}];
  if (auto clock = known.lock()) return clock;
  auto made = make(*interface, sends);
  if (made) known = *made;
  return made;
}

Result<std::shared_ptr<const CardClock>> CardClock::make(const std::string& interface, bool sends) {
  const auto can = card_stamping(interface, Phc::of_kernel());
  if (!can) return can.error();
  if (can->phc < 0 || !can->receives)
    return Error{interface + (can->phc < 0 ? " has no hardware time stamps: its card has no clock"
                                           : " stamps only PTP's packets in hardware"),
                 needs_of(interface)};
  if (sends && !can->sends)
    return Error{interface + " does not stamp the packets that it sends in hardware", needs_of(interface)};
  auto phc = Phc::open("/dev/ptp" + std::to_string(can->phc));
  if (!phc) return phc.error();
  auto stamps = CardStamps::enable(interface, sends, Phc::of_kernel());
  if (!stamps) return stamps.error();
  std::shared_ptr<CardClock> clock(new CardClock(std::move(*stamps), std::move(*phc)));
  for (int i = 0; i < first_readings && !clock->keeper_.line().known; ++i) {
    if (i > 0) std::this_thread::sleep_for(reading_interval);
    if (const auto read = clock->read(); !read) return read.error();
  }
  if (!clock->keeper_.line().known)
    return Error{"the clock of " + interface + "'s card runs at another rate than the system clock, or was just set",
                 "try again; see `phc_ctl " + interface + " cmp`"};
  clock->thread_ = start_thread("card-clock", -1, [raw = clock.get()](const auto& stop) { raw->follow(stop); });
  return std::shared_ptr<const CardClock>(std::move(clock));
}

CardClock::~CardClock() = default;

Result<void> CardClock::read() {
  const auto reading = phc_.read();
  if (!reading) return reading.error();
  keeper_.take(*reading);
  lines_.publish(keeper_.line());
  return {};
}

// Without a new reading, the newest line stays in use, and the next one shows how wrong it was.
void CardClock::follow(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    wake_.wait_for(lock, stop, reading_interval, [] { return false; });
    [[maybe_unused]] const auto done = read();
  }
}

}  // namespace lw
