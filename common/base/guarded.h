// Handles unexpected exceptions in main: libraries throw when the host refuses memory, threads or descriptors at the
// start of a program.
#pragma once

#include <cstdio>
#include <exception>
#include <new>

namespace lw {

// Runs the rest of main. An exception becomes one line on stderr and the exit status 1.
template <class Body>
int guarded(const char* program, Body body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: there is not enough memory; end other programs, or raise the limit (ulimit -v)\n",
                 program);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "%s: the host refuses something: %s; look at its limits (ulimit -a)\n", program,
                 exception.what());
  }
  return 1;
}

}  // namespace lw
