// Any text is the facts about a host, which are read again as they are written, or an error that names the file.
#include "common/host/facts_file.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto facts = lw::parse_host_facts({reinterpret_cast<const char*>(data), size}, "file");
  if (!facts) {
    if (!facts.error().what.starts_with("file: ") || facts.error().mend.empty()) std::abort();
    return 0;
  }
  const auto written = lw::host_json(*facts);
  const auto again = lw::parse_host_facts(nlohmann::json{{"facts", written}}.dump(), "file");
  if (!again || lw::host_json(*again) != written) std::abort();
  return 0;
}
