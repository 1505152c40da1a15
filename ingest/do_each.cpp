#include "ingest/do_each.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "ingest/caught.h"

namespace lw {

Result<void> do_each(unsigned count, unsigned threads, const std::function<Result<void>(unsigned)>& work) {
  std::vector<Result<void>> outcomes(count);
  std::atomic<unsigned> next{0};
  const auto do_some = [&] {
    for (unsigned i = next++; i < count; i = next++) {
      outcomes[i] = caught([&] { return work(i); });
      if (!outcomes[i]) next = count;
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (unsigned i = 1; i < std::min(count, threads); ++i) helpers.emplace_back(do_some);
    do_some();
  }
  const auto failed = std::ranges::find_if(outcomes, [](const Result<void>& outcome) { return outcome.has_error(); });
  return failed == outcomes.end() ? Result<void>() : *failed;
}

}  // namespace lw
