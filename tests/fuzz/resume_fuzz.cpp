// Any text is a record of what was playing, or an error; a record is unchanged after writing and reading it.
#include "server/control/resume.h"

#include <cmath>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto resume = lw::parse_resume({reinterpret_cast<const char*>(data), size});
  if (!resume) {
    if (resume.error().what.empty()) std::abort();
    return 0;
  }
  if (!(std::abs(resume->rate) <= 8) || resume->rate == 0) std::abort();
  if (resume->range && resume->range->first > resume->range->last) std::abort();
  const auto text = lw::to_json_text(*resume);
  const auto again = lw::parse_resume(text);
  if (!again || lw::to_json_text(*again) != text) std::abort();
  return 0;
}
