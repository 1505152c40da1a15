// The names that a visualization may have: its folder's.
#pragma once

#include "common/base/result.h"

#include <string_view>

namespace lw {

Result<void> check_store_name(std::string_view name);

}  // namespace lw
