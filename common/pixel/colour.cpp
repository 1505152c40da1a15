#include "common/pixel/colour.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lw {
namespace {

constexpr std::array<std::string_view, all_primaries.size()> names_of_primaries{"bt709", "bt2020", "p3"};
constexpr std::array<std::string_view, all_transfers.size()> names_of_transfers{"sdr", "pq", "hlg"};

constexpr YcbcrMatrix of_bt709{1.5748F, 0.187324F, 0.468124F, 1.8556F};
constexpr YcbcrMatrix of_bt2020{1.4746F, 0.164553F, 0.571353F, 1.8814F};

template <class Values, class Names>
Result<typename Values::value_type> parse(std::string_view name, const char* what, const Values& values,
                                          const Names& names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return values[i];
  return Error{fmt::format("unknown {} '{}'", what, name), fmt::format("use {}", fmt::join(names, ", "))};
}

}  // namespace

std::string_view name_of(Primaries primaries) { return names_of_primaries[static_cast<std::size_t>(primaries)]; }
std::string_view name_of(Transfer transfer) { return names_of_transfers[static_cast<std::size_t>(transfer)]; }

std::string to_text(const Colour& colour) {
  return fmt::format("{} {}", name_of(colour.primaries), name_of(colour.transfer));
}

Result<Primaries> parse_primaries(std::string_view name) {
  return parse(name, "colour", all_primaries, names_of_primaries);
}
Result<Transfer> parse_transfer(std::string_view name) {
  return parse(name, "transfer", all_transfers, names_of_transfers);
}

const YcbcrMatrix& ycbcr_matrix(Primaries primaries) { return primaries == Primaries::bt2020 ? of_bt2020 : of_bt709; }

}  // namespace lw
