// Any bytes are the header of an array, or an error with a fix; what is accepted survives being written and read
// again.
#include "common/store/npy_header.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span file{reinterpret_cast<const std::byte*>(data), size};
  const auto array = lw::parse_npy_array(file);
  if (array ? array->header_bytes > size : array.error().mend.empty()) std::abort();
  const auto parsed = lw::parse_npy_header(file);
  if (!parsed) {
    if (parsed.error().mend.empty() || parsed.error().text().find('\n') != std::string::npos) std::abort();
    return 0;
  }
  if (parsed->header_bytes > size) std::abort();
  const auto header = lw::npy_header(parsed->shape);
  const auto again = lw::parse_npy_header(std::as_bytes(std::span(header)));
  if (!again || !(again->shape == parsed->shape)) std::abort();
  return 0;
}
