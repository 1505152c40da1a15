// An exception must not leave its thread: it becomes the error of a stage.
#pragma once

#include <exception>
#include <new>
#include <string>

#include "common/base/result.h"

namespace lw {

inline Error no_memory() {
  return {"there is not enough memory", "end other programs, or raise the limit (ulimit -v)"};
}

// Calls `work`, which returns a Result<void>.
template <class Work>
Result<void> caught(const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return no_memory();
  } catch (const std::exception& exception) {
    return Error{std::string("the host refuses something: ") + exception.what(), "look at its limits (ulimit -a)"};
  }
}

}  // namespace lw
