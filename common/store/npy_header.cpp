#include "common/store/npy_header.h"

#include "common/store/stripe_layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

namespace lw {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr const char* mend = "write it with numpy.save or wall-ingest, as docs/frame-store.md shows";
constexpr std::uint64_t dimension_max = std::uint64_t{1} << 40U;

// Reads the header's Python literal: strings, integers, tuples, lists, True and False; nothing else occurs.
class Literal {
public:
  explicit Literal(std::string_view text) : rest_(text) {}

  bool take(char c) {
    skip_space();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take(std::string_view word) {
    skip_space();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  std::optional<std::string> string() {
    skip_space();
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) return std::nullopt;
    const auto end = rest_.find(rest_.front(), 1);
    if (end == std::string_view::npos) return std::nullopt;
    std::string value(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return value;
  }
  std::optional<std::uint64_t> integer() {
    skip_space();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{} || value > dimension_max) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  // A list up to its end, without the spaces between its parts.
  std::optional<std::string> list() {
    skip_space();
    std::string value;
    char quote = 0;
    unsigned depth = 0;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      const char c = rest_[i];
      if (quote != 0 || (c != ' ' && c != '\n')) value += c;
      if (quote != 0) {
        if (c == quote) quote = 0;
        continue;
      }
      if (c == '\'' || c == '"') quote = c;
      if (c == '[') ++depth;
      if (c == ']' && depth-- <= 1) {
        rest_.remove_prefix(i + 1);
        return value;
      }
      if (depth == 0) return std::nullopt;
    }
    return std::nullopt;
  }
  std::optional<std::vector<std::uint64_t>> tuple() {
    if (!take('(')) return std::nullopt;
    std::vector<std::uint64_t> values;
    while (!take(')')) {
      const auto value = integer();
      if (!value || values.size() == 8) return std::nullopt;
      values.push_back(*value);
      if (!take(',')) {
        if (!take(')')) return std::nullopt;
        break;
      }
    }
    return values;
  }

private:
  void skip_space() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
  }
  std::string_view rest_;
};

struct Field {
  std::string name;
  std::string descr;
  std::vector<std::uint64_t> shape;
};

struct Dictionary {
  std::string descr;      // of a plain array
  std::string structure;  // the list of its fields
  std::vector<std::uint64_t> shape;
  bool fortran_order = false;
  std::size_t header_bytes = 0;
};

// A structure of plain arrays.
std::optional<std::vector<Field>> read_fields(std::string_view structure) {
  Literal text(structure);
  std::vector<Field> fields;
  if (!text.take('[')) return std::nullopt;
  while (!text.take(']')) {
    Field field;
    if (fields.size() == 4 || !text.take('(')) return std::nullopt;
    const auto name = text.string();
    if (!name || !text.take(',')) return std::nullopt;
    const auto descr = text.string();
    if (!descr) return std::nullopt;
    field.name = *name;
    field.descr = *descr;
    if (text.take(',')) {
      const auto shape = text.tuple();
      if (!shape) return std::nullopt;
      field.shape = *shape;
    }
    if (!text.take(')')) return std::nullopt;
    fields.push_back(std::move(field));
    text.take(',');
  }
  return fields;
}

bool read_entry(Literal& text, Dictionary& out) {
  const auto key = text.string();
  if (!key || !text.take(':')) return false;
  if (*key == "descr") {
    if (auto structure = text.list()) {
      out.structure = std::move(*structure);
      return true;
    }
    const auto descr = text.string();
    out.descr = descr.value_or("");
    return descr.has_value();
  }
  if (*key == "fortran_order") {
    out.fortran_order = text.take("True");
    return out.fortran_order || text.take("False");
  }
  if (*key == "shape") {
    auto shape = text.tuple();
    if (shape) out.shape = std::move(*shape);
    return shape.has_value();
  }
  return false;
}

Error broken_header() { return {"its .npy header cannot be read", mend}; }

Result<Dictionary> read_dictionary(std::span<const std::byte> file) {
  const auto broken = broken_header();
  if (file.size() < 12 || std::memcmp(file.data(), magic.data(), magic.size()) != 0)
    return Error{"it is not a .npy file", mend};
  const auto byte = [&](std::size_t at) { return std::to_integer<std::size_t>(file[at]); };
  const bool wide = byte(6) >= 2;
  const std::size_t start = wide ? 12 : 10;
  const std::size_t length = byte(8) | byte(9) << 8U | (wide ? byte(10) << 16U | byte(11) << 24U : 0U);
  if (length > 65'536 || start + length > file.size()) return broken;
  Dictionary result;
  result.header_bytes = start + length;
  Literal text({reinterpret_cast<const char*>(file.data()) + start, length});
  if (!text.take('{')) return broken;
  for (int entries = 0; !text.take('}'); ++entries) {
    if (entries == 8 || !read_entry(text, result)) return broken;
    text.take(',');
  }
  if (result.fortran_order)
    return Error{"its array is in Fortran order", "save it in C order (numpy.ascontiguousarray)"};
  return result;
}

std::string header_text(const std::string& descr, const std::vector<std::uint64_t>& shape, std::size_t alignment) {
  // The comma after a single dimension is Python's.
  std::string body = fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': ({}{}), }}", descr,
                                 fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  constexpr std::size_t prefix = 10;
  const std::size_t total = (prefix + body.size() + 1 + alignment - 1) / alignment * alignment;
  body.resize(total - prefix - 1, ' ');
  body += '\n';
  assert(body.size() < 65'536);
  std::string header(magic);
  header += {'\x01', '\x00', static_cast<char>(body.size() & 0xffU), static_cast<char>(body.size() >> 8U)};
  return header + body;
}

std::uint64_t product(std::span<const std::uint64_t> dimensions) {
  std::uint64_t result = 1;
  for (const auto dimension : dimensions) {
    if (dimension != 0 && result > dimension_max / dimension) return dimension_max + 1;
    result *= dimension;
  }
  return result;
}

// As NumPy writes it, without the spaces.
std::string structure_of(const TileSlots& tile) {
  const auto field = [](std::string_view name, std::size_t bytes) {
    return bytes > 0 ? fmt::format("('{}','|u1',({},)),", name, bytes) : std::string();
  };
  std::string bands;
  for (std::size_t i = 0; i < tile.bands().size(); ++i) {
    const auto& slots = tile.bands()[i].slots;
    auto slot = field("header", slots.header_bytes()) + field("pixels", slots.pixel_bytes()) +
                field("padding", slots.padding_bytes());
    slot.pop_back();
    auto block = fmt::format("('slots',[{}],({},)),", slot, slots.slots_per_block()) +
                 field("padding", slots.block_bytes() - slots.slots_per_block() * slots.slot_bytes());
    block.pop_back();
    bands += fmt::format("{}('band{}',[{}],({},))", i > 0 ? "," : "", i, block, slots.blocks());
  }
  return "[" + bands + "]";
}

bool is_bytes(std::string_view descr) { return descr == "|u1" || descr == "u1" || descr == "<u1" || descr == ">u1"; }

}  // namespace

Result<NpyArray> parse_npy_array(std::span<const std::byte> start_of_file) {
  auto dictionary = read_dictionary(start_of_file);
  if (!dictionary) return dictionary.error();
  if (!dictionary->structure.empty()) return Error{"its array has a structured dtype", mend};
  if (product(dictionary->shape) > dimension_max) return Error{"its shape is impossibly large", mend};
  return NpyArray{std::move(dictionary->descr), std::move(dictionary->shape), dictionary->header_bytes};
}

std::string npy_array_header(const std::string& descr, const std::vector<std::uint64_t>& shape, std::size_t alignment) {
  return header_text("'" + descr + "'", shape, alignment);
}

std::string npy_header(const NpyShape& shape) {
  if (shape.padding == 0) return header_text("'|u1'", {shape.records, shape.rows, shape.row_bytes}, store_alignment);
  return header_text(fmt::format("[('frame', '|u1', ({}, {})), ('padding', '|u1', ({},))]", shape.rows, shape.row_bytes,
                                 shape.padding),
                     {shape.records}, store_alignment);
}

std::string npy_header(const TileSlots& slots, std::uint64_t records) {
  return header_text(structure_of(slots), {records}, store_alignment);
}

Result<ParsedNpy> parse_npy_header(std::span<const std::byte> start_of_file, const TileSlots& slots) {
  const auto dictionary = read_dictionary(start_of_file);
  if (!dictionary) return dictionary.error();
  if (dictionary->structure != structure_of(slots) || dictionary->shape.size() != 1)
    return Error{"its records are not packets as the manifest describes them", mend};
  ParsedNpy result;
  result.shape.records = dictionary->shape[0];
  result.header_bytes = dictionary->header_bytes;
  return result;
}

Result<ParsedNpy> parse_npy_header(std::span<const std::byte> start_of_file) {
  auto dictionary = read_dictionary(start_of_file);
  if (!dictionary) return dictionary.error();
  ParsedNpy result;
  result.header_bytes = dictionary->header_bytes;
  const Error wrong{"its array is not one of frames of unsigned bytes", mend};
  std::vector<std::uint64_t> frame;
  if (dictionary->structure.empty()) {
    if (!is_bytes(dictionary->descr) || dictionary->shape.size() < 3) return wrong;
    frame.assign(dictionary->shape.begin() + 1, dictionary->shape.end());
  } else {
    const auto listed = read_fields(dictionary->structure);
    if (!listed) return broken_header();
    const auto& fields = *listed;
    if (fields.empty() || fields.size() > 2 || dictionary->shape.size() != 1 ||
        !std::ranges::all_of(fields, [](const Field& f) { return is_bytes(f.descr); }))
      return wrong;
    frame = fields[0].shape;
    if (fields.size() == 2) result.shape.padding = product(fields[1].shape);
  }
  if (frame.size() < 2 || product(frame) > dimension_max || result.shape.padding > dimension_max) return wrong;
  result.shape.records = dictionary->shape[0];
  result.shape.rows = static_cast<unsigned>(std::min<std::uint64_t>(frame[0], UINT32_MAX));
  result.shape.row_bytes = product(std::span(frame).subspan(1));
  if (result.shape.row_bytes > dimension_max) return wrong;  // without any rows
  return result;
}

}  // namespace lw
