// What a client asks a peer to measure: any JSON is a run within bounds, which reads the same again, or an error.
#include "probe/loads/load.h"

#include <nlohmann/json.hpp>

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  if (text.find("source") != std::string_view::npos) return 0;  // would read the disk
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded()) return 0;
  const auto run = lw::parse_run(json);
  if (!run) return 0;
  for (const auto& load : run->loads)
    if (load.flows == 0 || load.flows > 256 || load.base_port + 4 * load.flows > 65'535) std::abort();
  const auto said = lw::to_json(*run);
  const auto again = lw::parse_run(said);
  if (!again || lw::to_json(*again) != said) std::abort();
  return 0;
}
