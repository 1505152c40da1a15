#include "common/concurrency/sleeper.h"

#include "common/base/timespec.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace lw {
namespace {

constexpr std::uint32_t bells = UINT32_MAX;  // the place of the descriptor that rings wake by

}  // namespace

Result<std::unique_ptr<Sleeper>> Sleeper::make() {
  Descriptor epoll(epoll_create1(EPOLL_CLOEXEC));
  Descriptor event(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  // Edges: each write wakes once, and nobody needs to read it.
  epoll_event watched{EPOLLIN | EPOLLET, {.u32 = bells}};
  if (!epoll || !event || epoll_ctl(epoll.get(), EPOLL_CTL_ADD, event.get(), &watched) != 0)
    return Error{std::string("cannot open the descriptor that wakes a thread: ") + std::strerror(errno),
                 "raise the limit of open files (ulimit -n)"};
  return std::unique_ptr<Sleeper>(new Sleeper(std::move(epoll), std::move(event)));
}

Sleeper::Sleeper(Descriptor epoll, Descriptor event) : epoll_(std::move(epoll)), event_(std::move(event)) {
  readable_.reserve(places_max);
}

void Sleeper::watch(int descriptor, std::uint32_t place) {
  epoll_event watched{EPOLLIN, {.u32 = place}};
  [[maybe_unused]] const int added = epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &watched);
  assert(added == 0);
}

void Sleeper::ignore(int descriptor) { epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, descriptor, nullptr); }

// Either the ringer sees that the thread sleeps, or the thread sees the ring before it does. The first ring of a sleep
// wakes it; the others cost no system call.
void Sleeper::wake() {
  if (!sleeps_.load(std::memory_order_seq_cst) || !sleeps_.exchange(false, std::memory_order_seq_cst)) return;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(event_.get(), &one, sizeof(one));
}

std::span<const std::uint32_t> Sleeper::sleep(std::optional<Nanoseconds> at_most) {
  const bool may_sleep = !at_most || *at_most > Nanoseconds{0};
  if (may_sleep) {
    sleeps_.store(true, std::memory_order_seq_cst);
    if (has_rings()) at_most = Nanoseconds{0};
  }
  std::array<epoll_event, places_max> events;
  const auto limit = to_timespec(at_most.value_or(Nanoseconds{0}));
  const int count =
      epoll_pwait2(epoll_.get(), events.data(), static_cast<int>(events.size()), at_most ? &limit : nullptr, nullptr);
  if (may_sleep) sleeps_.store(false, std::memory_order_relaxed);
  readable_.clear();
  for (int i = 0; i < count; ++i)
    if (const auto place = events[static_cast<std::size_t>(i)].data.u32; place != bells) readable_.push_back(place);
  return readable_;
}

}  // namespace lw
