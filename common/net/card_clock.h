// The clock of a network card that stamps the packets it receives, as a source of arrival times: enables the stamps on
// the interface (SIOCSHWTSTAMP), compares the card's clock with the system clock twenty times a second on its own
// thread, and publishes the line by which DatagramReceiver converts stamps. No daemon needs to synchronize the card.
//
// One object per interface and program, shared by all who receive there. The last one restores what it found. Threads:
// open() and the destructor from any thread, lines() from all.
#pragma once

#include "common/base/result.h"
#include "common/clock/card_line.h"
#include "common/concurrency/snapshot.h"
#include "common/net/address.h"

#include <linux/net_tstamp.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace lw {

using CardLines = Snapshot<CardLine>;

// What an interface's card can do, by ETHTOOL_GET_TS_INFO.
struct CardStamping {
  int phc = -1;           // number of its clock, /dev/ptpN; -1: none
  bool receives = false;  // stamps all received packets, not only PTP's
  bool sends = false;     // stamps packets that it sends, on request
};
Result<CardStamping> card_stamping(const std::string& interface, const Phc::Ioctl& ioctl);

// The interface that has a socket's local address; none has the unspecified address.
std::optional<std::string> interface_with(const Address& local);

// Which packets an interface's card stamps. Restores what it found, if nobody has changed it since.
class CardStamps {
public:
  // Received packets; `sends`: also those it sends. Needs CAP_NET_ADMIN unless the card stamps them already.
  static Result<CardStamps> enable(const std::string& interface, bool sends, Phc::Ioctl ioctl);
  CardStamps(CardStamps&& other) noexcept;
  CardStamps& operator=(CardStamps&&) = delete;
  ~CardStamps();

private:
  CardStamps(std::string interface, hwtstamp_config found, hwtstamp_config wanted, Phc::Ioctl ioctl)
      : interface_(std::move(interface)), found_(found), wanted_(wanted), ioctl_(std::move(ioctl)) {}

  std::string interface_;  // empty: nothing to restore
  hwtstamp_config found_, wanted_;
  Phc::Ioctl ioctl_;
};

class CardClock {
public:
  // For a socket that is bound to this address. An error names the interface, what it lacks, and what to do.
  static Result<std::shared_ptr<const CardClock>> open(const Address& local, bool sends = false);
  ~CardClock();
  CardClock(const CardClock&) = delete;
  CardClock& operator=(const CardClock&) = delete;

  [[nodiscard]] const CardLines& lines() const { return lines_; }

private:
  CardClock(CardStamps stamps, Phc phc) : stamps_(std::move(stamps)), phc_(std::move(phc)) {}
  static Result<std::shared_ptr<const CardClock>> make(const std::string& interface, bool sends);
  Result<void> read();
  void follow(const std::stop_token& stop);

  CardStamps stamps_;
  Phc phc_;
  CardLineKeeper keeper_;
  CardLines lines_;
  std::mutex mutex_;  // only for the thread's waiting
  std::condition_variable_any wake_;
  std::jthread thread_;  // last: joined before the members it uses are destroyed
};

}  // namespace lw
