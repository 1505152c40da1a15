#include "probe/results/json_reader.h"

#include "common/base/json_depth.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

using nlohmann::json;
constexpr int depth_max = 64;
constexpr const char* mend = "repeat the run, or take the file away (docs/schema describes it)";

std::optional<AxisValue> axis_value(const json& value) {
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  return std::nullopt;
}

}  // namespace

JsonReader::JsonReader(const json& value, std::string file, std::string place, std::optional<Error>& error)
    : value_(value), file_(std::move(file)), place_(std::move(place)), error_(error) {
  if (!value_.is_object()) fail("must be an object");
}

void JsonReader::fail(const std::string& what) {
  if (!error_) error_ = Error{file_ + ": " + (place_.empty() ? "the file" : place_) + " " + what, mend};
}

void JsonReader::fail(const std::string& key, const std::string& what) {
  if (!error_) error_ = Error{file_ + ": " + below(key) + " " + what, mend};
}

const json* JsonReader::find(const char* key, Needed needed) {
  if (!value_.is_object()) return nullptr;
  if (const auto found = value_.find(key); found != value_.end()) return &*found;
  if (needed == Needed::yes) fail(key, "is missing");
  return nullptr;
}

void JsonReader::schema(std::string_view wanted) {
  std::string is;
  text("schema", is, Needed::yes);
  if (is != wanted) fail("schema", fmt::format("is '{}', and this program reads {}", is, wanted));
}

void JsonReader::text(const char* key, std::string& out, Needed needed) {
  const json* value = find(key, needed);
  if (value == nullptr) return;
  if (!value->is_string()) return fail(key, "must be a string");
  out = value->get<std::string>();
}

void JsonReader::texts(const char* key, std::vector<std::string>& out) {
  const json* value = find(key);
  if (value == nullptr) return;
  if (!value->is_array() || !std::ranges::all_of(*value, [](const json& entry) { return entry.is_string(); }))
    return fail(key, "must be a list of strings");
  out = value->get<std::vector<std::string>>();
}

void JsonReader::boolean(const char* key, bool& out, Needed needed) {
  const json* value = find(key, needed);
  if (value == nullptr) return;
  if (!value->is_boolean()) return fail(key, "must be true or false");
  out = value->get<bool>();
}

void JsonReader::number(const char* key, double& out, Needed needed) {
  const json* value = find(key, needed);
  if (value == nullptr) return;
  if (!value->is_number()) return fail(key, "must be a number");
  out = value->get<double>();
}

void JsonReader::number(const char* key, std::optional<double>& out) {
  double value = 0;
  if (find(key) == nullptr) return;
  number(key, value);
  out = value;
}

void JsonReader::count(const char* key, unsigned& out, Needed needed) {
  const json* value = find(key, needed);
  if (value == nullptr) return;
  if (!value->is_number_unsigned() || value->get<std::uint64_t>() > UINT32_MAX)
    return fail(key, "must be a whole number from 0 on");
  out = value->get<unsigned>();
}

void JsonReader::figures(const char* key, std::map<std::string, double>& out) {
  const json* value = find(key);
  if (value == nullptr) return;
  if (!value->is_object()) return fail(key, "must be an object");
  for (const auto& [name, figure] : value->items()) {
    if (!figure.is_number()) return fail(std::string(key) + "." + name, "must be a number");
    out[name] = figure.get<double>();
  }
}

void JsonReader::values(const char* key, std::vector<AxisValue>& out) {
  const json* list = find(key, Needed::yes);
  if (list == nullptr) return;
  if (!list->is_array()) return fail(key, "must be a list");
  for (const auto& entry : *list) {
    auto read = axis_value(entry);
    if (!read) return fail(key, "must be a list of numbers and strings");
    out.push_back(std::move(*read));
  }
}

void JsonReader::point(const char* key, Point& out) {
  const json* value = find(key);
  if (value == nullptr) return;
  if (!value->is_object()) return fail(key, "must be an object");
  for (const auto& [name, entry] : value->items()) {
    auto read = axis_value(entry);
    if (!read) return fail(std::string(key) + "." + name, "must be a number or a string");
    out[name] = std::move(*read);
  }
}

void JsonReader::object(const char* key, const std::function<void(JsonReader&)>& read, Needed needed) {
  const json* value = find(key, needed);
  if (value == nullptr) return;
  JsonReader reader(*value, file_, below(key), error_);
  if (value->is_object()) read(reader);
}

void JsonReader::each(const char* key, const std::function<void(JsonReader&)>& read) {
  const json* list = find(key);
  if (list == nullptr) return;
  if (!list->is_array()) return fail(key, "must be a list");
  for (std::size_t i = 0; i < list->size() && !error_; ++i) {
    JsonReader reader((*list)[i], file_, fmt::format("{}[{}]", below(key), i), error_);
    read(reader);
  }
}

void JsonReader::members(const char* key, const std::function<void(const std::string&, JsonReader&)>& read) {
  const json* value = find(key);
  if (value == nullptr) return;
  if (!value->is_object()) return fail(key, "must be an object");
  for (const auto& [name, entry] : value->items()) {
    JsonReader reader(entry, file_, below(key) + "." + name, error_);
    read(name, reader);
  }
}

void JsonReader::other_numbers(std::initializer_list<const char*> keys, std::map<std::string, double>& out) {
  if (!value_.is_object()) return;
  for (const auto& [name, entry] : value_.items())
    if (entry.is_number() && std::ranges::find(keys, name) == keys.end()) out[name] = entry.get<double>();
}

Result<void> read_json(std::string_view text, const std::string& file, const std::function<void(JsonReader&)>& read) {
  if (is_json_deeper_than(depth_max, text))
    return Error{file + ": the file has more than 64 lists or objects in each other", mend};
  const json value = json::parse(text, nullptr, false);
  if (value.is_discarded()) return Error{file + ": the file is not valid JSON", mend};
  std::optional<Error> error;
  JsonReader reader(value, file, "", error);
  if (!error) read(reader);
  if (error) return *error;
  return {};
}

}  // namespace lw
