#include "common/base/result.h"

#include <cstdio>
#include <cstdlib>

namespace lw {

void throw_exception_from_error(const Error& error, const boost::source_location& where) {
  std::fprintf(stderr, "%s:%u: value() of a failed Result: %s\n", where.file_name(), where.line(),
               error.text().c_str());
  std::abort();
}

}  // namespace lw
