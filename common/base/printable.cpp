#include "common/base/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>

namespace lw {
namespace {

struct Range {
  char32_t first, last;
};
constexpr Range deceiving[] = {
    {0x00, 0x1f},        // control characters, including escape
    {0x7f, 0x9f},        // delete, and 8-bit control characters
    {0x2028, 0x202e},    // line separators; embeddings and overrides of direction
    {0x2060, 0x206f},    // isolates of direction, and invisible format characters
    {0xfeff, 0xfeff},    // byte order mark
    {0xfff9, 0xfffb},    // interlinear annotations
    {0xe0000, 0xe007f},  // tags
};

bool deceives(char32_t character) {
  return std::ranges::any_of(deceiving,
                             [=](const Range& range) { return range.first <= character && character <= range.last; });
}

bool is_plain(char c) { return c >= ' ' && c < 0x7f; }

// The UTF-8 character at the beginning of the text and its length in bytes; empty if it is invalid.
struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
};
std::optional<Character> first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return Character{byte(0), 1};
  const std::size_t bytes = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < bytes) return std::nullopt;
  char32_t code = byte(0) & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return std::nullopt;
    code = code << 6U | (byte(i) & 0x3fU);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[bytes] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return std::nullopt;
  return Character{code, bytes};
}

// In JSON's notation, so that it has the same meaning there.
void append_escape(std::string& out, char32_t character) {
  const auto units = std::back_inserter(out);
  if (character == '\n')
    out += "\\n";
  else if (character == '\t')
    out += "\\t";
  else if (character == '\r')
    out += "\\r";
  else if (character < 0x10000)
    fmt::format_to(units, "\\u{:04x}", static_cast<std::uint32_t>(character));
  else
    fmt::format_to(units, "\\u{:04x}\\u{:04x}", 0xd800U + ((static_cast<std::uint32_t>(character) - 0x10000U) >> 10U),
                   0xdc00U + (static_cast<std::uint32_t>(character) & 0x3ffU));
}

// The value of `\uXXXX` at the beginning of the text.
std::optional<std::uint32_t> unit_of(std::string_view text) {
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') return std::nullopt;
  std::uint32_t unit = 0;
  for (const char c : text.substr(2, 4)) {
    const bool is_digit = c >= '0' && c <= '9';
    const char lower = static_cast<char>(c | 0x20);
    if (!is_digit && (lower < 'a' || lower > 'f')) return std::nullopt;
    unit = unit * 16 + static_cast<std::uint32_t>(is_digit ? c - '0' : lower - 'a' + 10);
  }
  return unit;
}

// The length of the escape at the beginning of a JSON text, and whether its character is deceptive.
struct Escape {
  std::size_t bytes = 2;
  bool deceives = false;
};
Escape escape_at(std::string_view json) {
  if (json.size() < 2) return {json.size(), false};
  const char kind = json[1];
  if (!is_plain(kind)) return {1, true};  // not a valid escape, but lenient readers accept the next character
  if (kind == 'b' || kind == 'f' || kind == 'r') return {2, true};
  const auto unit = unit_of(json);
  if (!unit) return {2, false};
  const auto low = *unit >= 0xd800 && *unit < 0xdc00 ? unit_of(json.substr(6)) : std::nullopt;
  if (!low || *low < 0xdc00 || *low > 0xdfff) return {6, *unit != '\n' && *unit != '\t' && deceives(*unit)};
  return {12, deceives(0x10000 + ((*unit - 0xd800) << 10U) + (*low - 0xdc00))};
}

// The same for an escape in JSON, as a visible text.
void append_shown(std::string& out, std::string_view escape) {
  for (const char c : escape) out += c == '\\' ? std::string("\\\\") : std::string(1, c);
}

}  // namespace

std::string printable(std::string_view text, Lines lines, std::size_t bytes_max) {
  constexpr std::string_view cut = "...";
  std::string out;
  out.reserve(std::min(text.size(), bytes_max));
  while (!text.empty()) {
    const auto before = out.size();
    const auto character = first_of(text);
    const bool stays = lines == Lines::kept && (text[0] == '\n' || text[0] == '\t');
    if (!character)
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(text[0]));
    else if (!stays && deceives(character->code))
      append_escape(out, character->code);
    else
      out += text.substr(0, character->bytes);
    if (out.size() > bytes_max) {
      out.resize(before);
      return out.append(cut);
    }
    text.remove_prefix(character ? character->bytes : 1);
  }
  return out;
}

std::string printable_json(std::string_view json) {
  if (std::ranges::all_of(json, is_plain) && json.find("\\") == std::string_view::npos) return std::string(json);
  std::string out;
  out.reserve(json.size());
  bool in_text = false;
  while (!json.empty()) {
    const auto plain = static_cast<std::size_t>(
        std::ranges::find_if(json, [](char c) { return !is_plain(c) || c == '\\'; }) - json.begin());
    out += json.substr(0, plain);
    if (std::ranges::count(json.substr(0, plain), '"') % 2 != 0) in_text = !in_text;
    json.remove_prefix(plain);
    if (json.empty()) break;
    std::size_t taken = 0;
    if (json[0] == '\\') {
      const auto escape = escape_at(json);
      taken = escape.bytes;
      if (escape.deceives)
        append_shown(out, json.substr(0, taken));
      else
        out += json.substr(0, taken);
    } else {
      const auto character = first_of(json);
      taken = character ? character->bytes : 1;
      // Some readers also accept these unescaped in a string; between the parts of JSON they are white space.
      const bool stays = json[0] == '\n' || json[0] == '\t' || (json[0] == '\r' && !in_text);
      if (!stays && (!character || deceives(character->code)))
        append_shown(out, printable(json.substr(0, taken)));
      else
        out += json.substr(0, taken);
    }
    json.remove_prefix(taken);
  }
  return out;
}

}  // namespace lw
