// stripe.json: the mark that wall-ingest writes into every stripe folder of a store, including its own. It names the
// owner of the stripes, so that a store can prove what it owns, and does not play another store's stripes.
#pragma once

#include "common/base/beneath.h"
#include "common/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lw {

struct StripeMark {
  std::string store;           // the manifest's id
  std::filesystem::path home;  // where the visualization's folder was when this was written
  unsigned stripe = 0;         // index among its stripes
  bool operator==(const StripeMark&) const = default;
};

inline constexpr std::string_view stripe_mark_name = "stripe.json";

std::string to_json_text(const StripeMark& mark);
Result<StripeMark> parse_stripe_mark(std::string_view text);
// Empty if the folder has none.
Result<std::optional<StripeMark>> read_stripe_mark(const Beneath& folder);

}  // namespace lw
