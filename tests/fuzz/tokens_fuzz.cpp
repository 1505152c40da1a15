// Any text is a list of tokens that is unchanged after writing and reading it, or an error.
#include "common/access/tokens.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto tokens = lw::parse_tokens({reinterpret_cast<const char*>(data), size});
  if (!tokens) {
    if (tokens.error().text().find('\n') != std::string::npos) std::abort();
    return 0;
  }
  const auto again = lw::parse_tokens(lw::to_text(*tokens));
  if (!again || *again != *tokens) std::abort();
  for (const auto& token : *tokens)
    if (lw::find_token(*tokens, token.sha256) != nullptr) std::abort();  // a digest opens nothing
  return 0;
}
