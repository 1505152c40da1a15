// Any text is servers with whole fingerprints, or an error that names the line.
#include "common/access/known_servers.h"
#include "common/base/fingerprint.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto servers = lw::parse_known_servers({reinterpret_cast<const char*>(data), size});
  if (!servers) {
    if (!servers.error().what.starts_with("line ")) std::abort();
    return 0;
  }
  for (const auto& [where, fingerprint] : *servers)
    if (where.empty() || where.find('\n') != std::string::npos || !lw::is_fingerprint(fingerprint)) std::abort();
  return 0;
}
