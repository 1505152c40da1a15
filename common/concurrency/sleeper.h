// Where a thread sleeps until a bell on its board is rung, one of its descriptors can be read, or a time has passed.
// Descriptors are registered with the kernel once (epoll), so that a sleep costs the same with one and with a thousand.
#pragma once

#include "common/base/descriptor.h"
#include "common/base/result.h"
#include "common/base/units.h"
#include "common/concurrency/doorbell.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lw {

class Sleeper final : public BellBoard {
public:
  // Takes two descriptors. Without them nobody could wake the thread: an error.
  static Result<std::unique_ptr<Sleeper>> make();

  // All of this: the thread that sleeps. A descriptor is watched for one place at a time.
  void watch(int descriptor, std::uint32_t place);
  void ignore(int descriptor);
  // The places whose descriptors can be read, at most `places_max` of them: the others' turn comes with the next sleep.
  // Valid until that. `at_most`: nothing: as long as it takes; 0: does not sleep.
  std::span<const std::uint32_t> sleep(std::optional<Nanoseconds> at_most);

  static constexpr std::size_t places_max = 128;

private:
  Sleeper(Descriptor epoll, Descriptor event);
  void wake() override;

  Descriptor epoll_;
  Descriptor event_;
  std::atomic<bool> sleeps_{false};
  std::vector<std::uint32_t> readable_;
};

}  // namespace lw
