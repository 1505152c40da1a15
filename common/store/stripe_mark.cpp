#include "common/store/stripe_mark.h"

#include "common/base/hex_digits.h"
#include "common/store/manifest.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace lw {
namespace {

constexpr int mark_version = 1;
constexpr std::size_t mark_bytes_max = std::size_t{64} << 10U;
constexpr const char* broken_fix = "ingest the visualization again";

}  // namespace

std::string to_json_text(const StripeMark& mark) {
  const nlohmann::ordered_json object{
      {"version", mark_version}, {"store", mark.store}, {"home", mark.home.string()}, {"stripe", mark.stripe}};
  return object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Result<StripeMark> parse_stripe_mark(std::string_view text) {
  const auto object = nlohmann::json::parse(text, nullptr, false);
  const auto is = [&](const char* key, auto test) {
    const auto found = object.find(key);
    return found != object.end() && test(*found);
  };
  const auto is_number = [](const auto& value) { return value.is_number_unsigned(); };
  const auto is_text = [](const auto& value) { return value.is_string(); };
  if (!object.is_object() || !is("version", is_number) || object["version"] != mark_version || !is("store", is_text) ||
      !is("home", is_text) || !is("stripe", is_number) ||
      object["stripe"].get<std::uint64_t>() > std::numeric_limits<unsigned>::max())
    return Error{"it is not the mark of a stripe", broken_fix};
  StripeMark mark{object["store"].get<std::string>(), object["home"].get<std::string>(),
                  object["stripe"].get<unsigned>()};
  if (!are_digits(mark.store, store_id_digits)) return Error{"its store is not 32 lower-case hex digits", broken_fix};
  return mark;
}

Result<std::optional<StripeMark>> read_stripe_mark(const Beneath& folder) {
  if (!folder.has(stripe_mark_name)) return std::optional<StripeMark>();
  const auto text = folder.read(stripe_mark_name, mark_bytes_max);
  if (!text) return text.error();
  auto mark = parse_stripe_mark(*text);
  if (!mark) return Error(mark.error()).in((folder.shown / stripe_mark_name).string());
  return std::optional(std::move(*mark));
}

}  // namespace lw
