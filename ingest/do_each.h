// Does independent pieces of work on several threads.
#pragma once

#include <functional>

#include "common/base/result.h"

namespace lw {

// Calls work(0) to work(count - 1), each once, in any order, and returns when all have ended. After an error no other
// piece begins; returns the error of the lowest number.
Result<void> do_each(unsigned count, unsigned threads, const std::function<Result<void>(unsigned)>& work);

}  // namespace lw
