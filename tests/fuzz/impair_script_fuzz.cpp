// Any text is a script of steps in the order of time, or an error that names its line.
#include "probe/impair/impair_script.h"

#include <algorithm>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const auto steps = lw::parse_impair_script(text, "script", {});
  if (!steps) {
    if (!steps.error().what.starts_with("script:")) std::abort();
    return 0;
  }
  if (!std::ranges::is_sorted(*steps, {}, &lw::ImpairStep::at)) std::abort();
  for (const auto& step : *steps)
    if (!(step.impairment.loss >= 0 && step.impairment.loss <= 1)) std::abort();
  return 0;
}
