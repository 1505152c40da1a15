#include "common/command_line/completion.h"

#include "tests/unit/common/command_line/example_program.h"

#include <catch2/catch.hpp>

using namespace lw;
using test::ExampleProgram;
using test::StrictProgram;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

// tests/e2e/completion_test.py completes with these scripts in real shells.
TEST_CASE("bash completes choices, files and directories, and nothing for other values") {
  StrictProgram program;
  const auto script = bash_completion(program.app);
  INFO(script);
  CHECK(has(script, "        -w|--wall) files=-f ;;\n"));
  CHECK(has(script, "        --out) files=-d ;;\n"));
  CHECK(has(script, "        --fit) words='fit fill exact' ;;\n"));
  CHECK(has(script, "        --count) return ;;\n"));
  CHECK(has(script, "        *) argument=yes files=-f ;;\n"));
  CHECK(has(script, " --quiet --loud "));
  CHECK(script.ends_with("complete -F _wall_thing wall-thing\n"));
  CHECK_FALSE(has(script, "hidden"));
}

TEST_CASE("zsh completes the same, with descriptions that cannot end their quotes") {
  StrictProgram program;
  const auto script = zsh_completion(program.app);
  INFO(script);
  CHECK(script.starts_with("#compdef wall-thing\n"));
  CHECK(has(script, "'(-w --wall)'{-w,--wall}'[A file\\\\path, '\\''quoted'\\'']:FILE:_files'"));
  CHECK(has(script, "'--out[Where to write it]:DIR\\[,DIR...\\]:{compset -P \"*,\"; _files -/}'"));
  CHECK(has(script, "'--fit[How it fits]:fit|fill|exact:(fit fill exact)'"));
  CHECK(has(script, "'(-q --quiet)'{-q,--quiet}'[Print nothing]'"));
  CHECK(has(script, "':INPUT:_files'"));
  CHECK_FALSE(has(script, "hidden"));
}

TEST_CASE("both know the subcommands and their options") {
  const ExampleProgram program(true);
  const auto bash = bash_completion(program.app);
  INFO(bash);
  CHECK(has(bash, "      run|report) command=${COMP_WORDS[i]}; break ;;\n"));
  CHECK(has(bash, "    run)\n      case $before in\n        --rate) return ;;\n        *) argument=yes files=-f ;;\n"));
  CHECK(has(bash, "        *) argument=yes words='run report' ;;\n"));
  const auto zsh = zsh_completion(program.app);
  CHECK(has(zsh, "        'report:Report it\\: \\[a\\] '\\''quoted'\\'' thing'\n"));
  CHECK(has(zsh, "\n  run) _arguments -s : \\\n"));
  CHECK(has(zsh, " \\\n    '--rate[Gbit/s]:NUMBER: ' \\\n    '::FILE:_files'\n  ;;\n"));
}
