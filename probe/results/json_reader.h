// Reads the members of a JSON object from outside. The first member that is missing or has the wrong type is the error,
// named by its place: "runs/7.json: flows[2].figures.loss must be a number". Other members are ignored.
#pragma once

#include "common/base/result.h"
#include "probe/results/axis_value.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

enum class Needed : unsigned char { yes, no };

class JsonReader {
public:
  // `error` must outlive this object; `place` is the path of `value` within the file.
  JsonReader(const nlohmann::json& value, std::string file, std::string place, std::optional<Error>& error);

  // Checks the name of the object's schema.
  void schema(std::string_view wanted);
  void text(const char* key, std::string& out, Needed needed = Needed::no);
  void texts(const char* key, std::vector<std::string>& out);
  void boolean(const char* key, bool& out, Needed needed = Needed::no);
  void number(const char* key, double& out, Needed needed = Needed::no);
  void number(const char* key, std::optional<double>& out);
  void count(const char* key, unsigned& out, Needed needed = Needed::no);
  void figures(const char* key, std::map<std::string, double>& out);
  void values(const char* key, std::vector<AxisValue>& out);
  void point(const char* key, Point& out);
  // An object, possibly absent.
  void object(const char* key, const std::function<void(JsonReader&)>& read, Needed needed = Needed::no);
  void each(const char* key, const std::function<void(JsonReader&)>& read);                              // of a list
  void members(const char* key, const std::function<void(const std::string& name, JsonReader&)>& read);  // of an object
  // All members that are numbers, except `keys`.
  void other_numbers(std::initializer_list<const char*> keys, std::map<std::string, double>& out);
  [[nodiscard]] const nlohmann::json* find(const char* key, Needed needed = Needed::no);

  void fail(const std::string& what);                          // about this object
  void fail(const std::string& key, const std::string& what);  // about a member

private:
  [[nodiscard]] std::string below(const std::string& key) const { return place_.empty() ? key : place_ + "." + key; }

  const nlohmann::json& value_;
  std::string file_, place_;
  std::optional<Error>& error_;
};

// Reads the object in `text`, or returns the first error.
Result<void> read_json(std::string_view text, const std::string& file, const std::function<void(JsonReader&)>& read);

}  // namespace lw
