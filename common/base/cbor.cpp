#include "common/base/cbor.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lw {
namespace {

// Memory for so many entries of a list is taken before they have come.
constexpr std::size_t entries_believed = 64;

// Builds the value while the library reads; false ends the reading.
class ListBuilder final : public nlohmann::json_sax<Json> {
public:
  explicit ListBuilder(std::size_t depth_max) : depth_max_(depth_max) {}

  bool null() override { return add({}); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*members*/) override { return false; }
  bool key(string_t& /*value*/) override { return false; }
  bool end_object() override { return false; }
  bool start_array(std::size_t entries) override {
    if (open_.size() == depth_max_) return false;
    auto& list = open_.empty() ? result : open_.back()->emplace_back();
    list = Json::array();
    list.get_ref<Json::array_t&>().reserve(std::min(entries, entries_believed));
    open_.push_back(&list);
    return true;
  }
  bool end_array() override {
    open_.pop_back();
    return true;
  }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    return false;
  }

  Json result;

private:
  bool add(Json value) {
    if (open_.empty()) return false;
    open_.back()->push_back(std::move(value));
    return true;
  }

  const std::size_t depth_max_;
  std::vector<Json*> open_;  // the list that grows is the last entry of the one before
};

}  // namespace

std::optional<Json> parse_cbor(std::string_view bytes, std::size_t depth_max) {
  ListBuilder builder(depth_max);
  if (!Json::sax_parse(bytes.begin(), bytes.end(), &builder, Json::input_format_t::cbor)) return std::nullopt;
  return std::move(builder.result);
}

std::string to_cbor(const Json& json) {
  std::string bytes;
  Json::to_cbor(json, nlohmann::detail::output_adapter<char>(bytes));
  return bytes;
}

}  // namespace lw
