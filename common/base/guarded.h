// What the programs do with what nobody expected to fail: memory, threads or descriptors that the host refuses while a
// program starts come as exceptions of the libraries.
#pragma once

#include <cstdio>
#include <exception>
#include <new>

namespace lw {

// Runs the rest of main. An exception is one line on stderr and the exit status 1.
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
