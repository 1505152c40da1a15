// A unique name that cannot be guessed: 128 random bits as 32 lower-case hex digits.
#pragma once

#include <string>

namespace lw {

std::string random_id();

}  // namespace lw
