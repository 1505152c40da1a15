#include "common/store/store_name.h"

#include <algorithm>
#include <cstddef>

namespace lw {

Result<void> check_store_name(std::string_view name) {
  constexpr std::size_t longest = 200;  // of the file system's 255 bytes: temporary names have a suffix
  const auto is_odd = [](char c) { return c == '/' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (!name.empty() && name.size() <= longest && name.front() != '.' && std::ranges::none_of(name, is_odd)) return {};
  return Error{"a name must have at most 200 bytes, no slash or control character, and must not begin with a dot", ""};
}

}  // namespace lw
