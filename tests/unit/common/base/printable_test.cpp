// Text from outside at every output of the programs: none of it forges a line, moves a cursor, or reads differently
// from its characters. tests/tidy/tidy_test.py has the list of outputs.
#include "common/base/printable.h"

#include "common/base/log.h"
#include "common/base/print.h"
#include "common/metrics/exposition.h"

#include <spdlog/details/log_msg.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <random>

using namespace lw;
using nlohmann::json;

namespace {

const std::string hostile =
    "\x1b[2J\x1b]0;title\x07\r\n<3>2026-01-31T12:00:00.000 wall-server info: forged\xe2\x80\xae\xc2\x9b"
    "31m\xff\xc0\xaf\xed\xa0\x80\x7f\xf3\xa0\x81\xa1\xe2\x81\xa6";

// Everything that must not be printed: checked byte by byte, as a terminal reads it, and in UTF-8.
bool is_safe(const std::string& text, bool lines) {
  const bool no_controls = std::ranges::none_of(text, [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && !(lines && (c == '\n' || c == '\t'))) || byte == 0x7f;
  });
  bool is_utf8 = true;
  try {
    [[maybe_unused]] const auto dumped = json(text).dump();
  } catch (const json::exception&) {
    is_utf8 = false;
  }
  for (const auto* deceiving :
       {"\xe2\x80\xae", "\xe2\x80\xa8", "\xe2\x81\xa6", "\xc2\x9b", "\xc2\x85", "\xf3\xa0\x81\xa1"})
    if (text.find(deceiving) != std::string::npos) return false;
  return no_controls && is_utf8;
}

std::string logged(const std::string& text, bool for_journal) {
  spdlog::memory_buf_t line;
  log_formatter(for_journal)->format(spdlog::details::log_msg("wall-server", spdlog::level::warn, text), line);
  return {line.data(), line.size()};
}

std::string random_text(std::mt19937& random) {
  const std::string pieces[] = {"\x1b",
                                "\n",
                                "\t",
                                "\r",
                                "\\",
                                "u001b",
                                "\"",
                                "\xe2\x80\xae",
                                "\xc2\x9b",
                                "\xc3\xa9",
                                "\xe4\xb8\xad",
                                "\xf0\x9f\x98\x80",
                                "\xff",
                                "\xe2\x80",
                                "a",
                                "\x7f",
                                "\xf3\xa0\x81\xa1"};
  std::string text;
  for (auto left = random() % 12; left > 0; --left) text += pieces[random() % std::size(pieces)];
  return text;
}

}  // namespace

TEST_CASE("deceptive characters are made visible, and text in any language is kept") {
  CHECK(printable("a\x1b[2J\n\r\t\x7f") == "a\\u001b[2J\\n\\r\\t\\u007f");
  CHECK(printable("a\n\tb\r", Lines::kept) == "a\n\tb\\r");
  CHECK(printable("\xe2\x80\xae\xe2\x81\xa9\xc2\x9b") == "\\u202e\\u2069\\u009b");
  CHECK(printable("\xf3\xa0\x81\xa1") == "\\udb40\\udc61");
  for (const std::string text :
       {"caf\xc3\xa9 \xe4\xb8\xad\xe6\x96\x87 \xd8\xb9\xd8\xb1 \xf0\x9f\x98\x80", "C:\\new 100% <b>", ""})
    CHECK(printable(text) == text);
  // Invalid UTF-8: stray, cut off, longer than declared, half of a pair, beyond the last character.
  CHECK(printable("\x80|\xc3|\xc0\xaf|\xed\xa0\x80|\xf4\x90\x80\x80") ==
        "\\x80|\\xc3|\\xc0\\xaf|\\xed\\xa0\\x80|\\xf4\\x90\\x80\\x80");
  CHECK(printable(std::string(10'000, 'x'), Lines::escaped, 100) == std::string(100, 'x') + "...");
  CHECK(printable("ab\x1b", Lines::escaped, 4) == "ab...");
}

TEST_CASE("random texts become safe in one pass, and JSON keeps its meaning") {
  std::mt19937 random(12);
  for (int round = 0; round < 20'000; ++round) {
    const auto text = random_text(random);
    const auto out = printable(text);
    REQUIRE(is_safe(out, false));
    CHECK(printable(out) == out);
    if (!is_safe(text, true) && text.find_first_of("\xff") != std::string::npos) continue;
    // As a program prints it: the same value. As one reads it: texts that are safe.
    const auto written = json{{"a\x1b", text}, {"n", 1}}.dump(2, ' ', round % 2 == 0, json::error_handler_t::replace);
    CHECK(json::parse(printable(written, Lines::kept)) == json::parse(written));
    const auto read = json::parse(printable_json(written));
    CHECK(read.at("n") == 1);
    REQUIRE(is_safe(read.at("a\\u001b").get<std::string>(), true));
  }
  for (const auto* plain : {"{\"a\":\"b\\\\c\\n\\u00e9\"}", "[1, \"\\\"\"]", ""}) CHECK(printable_json(plain) == plain);
  // Readers that tolerate control characters in texts, and invalid escapes.
  CHECK(printable_json("\r\n{\"a\": \"b\rc\"}\r\n") == "\r\n{\"a\": \"b\\\\rc\"}\r\n");
  CHECK(printable_json("\"a\\\x1b\"") == "\"a\\\\\\\\u001b\"");
  for (const auto* broken : {"\"\\", "\"\\u12", "\"\\ud83d\\u", "\xff"}) CHECK(is_safe(printable_json(broken), true));
}

TEST_CASE("every exit for texts makes them printable") {
  SECTION("log, on a terminal and in the journal") {
    for (const bool for_journal : {false, true}) {
      auto line = logged(hostile, for_journal);
      CHECK(line.starts_with(for_journal ? "<4>\\u001b[2J" : "20"));
      REQUIRE(line.ends_with('\n'));
      line.pop_back();
      CHECK(is_safe(line, false));
      CHECK(logged(std::string(1 << 20, 'x'), for_journal).size() < log_text_bytes_max + 100);
    }
  }
  SECTION("standard output and errors") {
    std::FILE* file = std::tmpfile();
    REQUIRE(file != nullptr);
    print_to(file, "\r{}: {} {:.1f}\n", hostile, std::string_view(hostile), 1.0);
    const auto size = static_cast<std::size_t>(std::ftell(file));
    std::rewind(file);
    std::string out(size, '\0');
    CHECK(std::fread(out.data(), 1, size, file) == size);
    std::fclose(file);
    CHECK(out.starts_with("\r"));  // the program's own
    CHECK(is_safe(out.substr(1), true));
  }
  SECTION("a metric's label") {
    const auto label = escaped_label(hostile + "\"} 1\nforged 2\\");
    CHECK(is_safe(label, false));
    CHECK_THAT(label, Catch::Contains("\\\"} 1\\nforged 2\\\\"));
  }
}
