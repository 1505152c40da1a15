// Any text is a result or an error that names the file, and an experiment likewise.
#include "probe/results/experiment_record.h"
#include "probe/results/probe_result.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  if (const auto result = lw::parse_result(text, "file"); result) {
    for (const auto& host : result->hosts) static_cast<void>(lw::identity_of(host));
    for (const auto& flow : result->flows)
      for (const auto& interval : flow.intervals)
        if (!(interval.end_s >= interval.begin_s)) std::abort();
  } else if (!result.error().what.starts_with("file: ")) {
    std::abort();
  }
  const auto record = lw::parse_experiment_record(text, "file");
  if (!record && !record.error().what.starts_with("file: ")) std::abort();
  return 0;
}
