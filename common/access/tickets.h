// Tickets: short codes that an operator shows to somebody with a browser, who types or scans one within two minutes.
// Each is valid once.
#pragma once

#include "common/base/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lw {

inline constexpr std::size_t ticket_letters = 8;  // of 32: 40 random bits

Result<std::string> random_ticket();
// In two groups, for people: "K7QF-M2XD".
std::string ticket_text(std::string_view ticket);
// A ticket as a person may type it: in lower case, with spaces and dashes, with O for 0 and I or L for 1. Empty if it
// cannot be a ticket. (Fuzzed.)
std::optional<std::string> read_ticket(std::string_view typed);

}  // namespace lw
