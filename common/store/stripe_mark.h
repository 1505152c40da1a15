// stripe.json: the mark that wall-ingest leaves in every stripe folder of a store, its own included. It says whose
// stripes these are, so that a store can prove what it owns, and stripes of another store are not played as its own.
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
  unsigned stripe = 0;         // which of its stripes
  bool operator==(const StripeMark&) const = default;
};

inline constexpr std::string_view stripe_mark_name = "stripe.json";

std::string to_json_text(const StripeMark& mark);
Result<StripeMark> parse_stripe_mark(std::string_view text);
// Nothing where a folder has none.
Result<std::optional<StripeMark>> read_stripe_mark(const Beneath& folder);

}  // namespace lw
