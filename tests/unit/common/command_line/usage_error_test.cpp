#include "common/command_line/usage_error.h"

#include "tests/unit/common/command_line/example_program.h"

#include <catch2/catch.hpp>

using namespace lw;
using test::ExampleProgram;
using test::StrictProgram;

namespace {

std::string said(CLI::App& app, std::vector<const char*> words) {
  words.insert(words.begin(), "/usr/bin/wall-thing");
  try {
    app.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error).text();
  }
  return "";
}

std::string of_program(const std::vector<const char*>& words) {
  ExampleProgram program;
  return said(program.app, words);
}

std::string of_strict(const std::vector<const char*>& words) {
  StrictProgram program;
  return said(program.app, words);
}

std::string of_subcommands(const std::vector<const char*>& words) {
  ExampleProgram program(true);
  return said(program.app, words);
}

}  // namespace

TEST_CASE("unknown options are named, with the one that was meant") {
  CHECK(of_program({"--wlal", "x"}) == "unknown option --wlal; did you mean --wall?");
  CHECK(of_program({"--wlal=x"}) == "unknown option --wlal; did you mean --wall?");
  CHECK(of_program({"--frobnicate"}) == "unknown option --frobnicate; wall-thing --help lists the options");
  CHECK(of_program({"--fit", "foo", "--wlal"}) == "unknown option --wlal; did you mean --wall?");
  CHECK(of_subcommands({"run", "--rat", "1"}) == "unknown option --rat; did you mean --rate?");
  CHECK(of_subcommands({"--rate", "1", "run"}) == "--rate is before its subcommand; write it after run");
}

TEST_CASE("unknown subcommands are named, with the one that was meant") {
  CHECK(of_subcommands({"rnu"}) == "unknown subcommand 'rnu'; did you mean run?");
  CHECK(of_subcommands({"frobnicate"}) == "unknown subcommand 'frobnicate'; wall-thing --help lists them");
  CHECK(of_subcommands({}) == "no subcommand is given; wall-thing --help lists them");
}

TEST_CASE("a superfluous argument is named") {
  CHECK(of_program({"more"}) == "unexpected argument 'more'; wall-thing --help shows the usage");
  CHECK(of_strict({"--wall", "x", "in", "more"}) == "unexpected argument 'more'; wall-thing --help shows the usage");
}

TEST_CASE("a wrong choice is answered with the choices, as words") {
  CHECK(of_program({"--fit", "foo"}) == "--fit: 'foo' is unknown; use fit, fill or exact");
  CHECK(of_program({"--count", "0"}) == "--count: '0' is not valid; write a whole number from 1 to 100");
}

TEST_CASE("all that is missing is named at once") {
  CHECK(of_strict({}) == "--wall FILE and INPUT are missing; wall-thing --help has examples");
  CHECK(of_strict({"in"}) == "--wall FILE is missing; wall-thing --help has examples");
  CHECK(of_subcommands({"run"}) == "--rate NUMBER is missing; wall-thing run --help has examples");
}

TEST_CASE("a value that is missing, or one too many") {
  CHECK(of_program({"--wall"}) == "--wall has no value; write --wall FILE");
  CHECK(of_program({"-w"}) == "--wall has no value; write --wall FILE");
  CHECK(of_program({"--wall", "a", "--wall", "b"}) == "--wall is given several times; give it once");
}

TEST_CASE("options that need or exclude each other") {
  CHECK(of_program({"--text", "x"}) == "--text needs --quiet; add it");
  CHECK(of_program({"--loud", "--quiet"}) == "--quiet and --loud exclude each other; use one of them");
}

TEST_CASE("every wrong command line is answered with what is wrong and how to fix it") {
  for (const auto& words : std::vector<std::vector<const char*>>{
           {"--loud=maybe"}, {"--count", "x"}, {"-x"}, {"--text"}, {"-"}, {"--", "a"}, {"--out"}, {"--wall=", "b"}}) {
    const auto text = of_program(words);
    INFO(words.front() << ": " << text);
    CHECK((text.empty() || text.find("; ") != std::string::npos));
    CHECK(text.find('\n') == std::string::npos);
  }
}
