// The known word that a mistyped one was probably meant to be.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

// How many letters were added, dropped, replaced, or swapped with their neighbour, from one word to the other.
std::size_t typing_errors(std::string_view typed, std::string_view meant);

// The nearest of `known`: few typing errors away, or the only one that begins like `typed`. Dashes at the start do not
// count. Any thread.
std::optional<std::string> suggestion(std::string_view typed, const std::vector<std::string>& known);

}  // namespace lw
