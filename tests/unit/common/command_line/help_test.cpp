#include "common/command_line/help.h"

#include "tests/unit/common/command_line/example_program.h"

#include <catch2/catch.hpp>

#include <sstream>

using namespace lw;
using test::ExampleProgram;
using test::StrictProgram;

TEST_CASE("--help has usage, description, options in groups, and examples") {
  StrictProgram program;
  program.app.get_help_ptr()->description("Print this help, and exit")->group(general_options);
  CHECK(help_text(program.app) ==
        "Usage: wall-thing INPUT --wall FILE [OPTIONS]\n"
        "\n"
        "Shows things. It is quick.\n"
        "\n"
        "Arguments:\n"
        "  INPUT                     What to show\n"
        "\n"
        "Wall:\n"
        "  -w, --wall FILE           A file\\path, 'quoted' .TH is not a request\n"
        "  --out DIR[,DIR...]        Where to write it\n"
        "\n"
        "Pixels:\n"
        "  --fit fit|fill|exact      How it fits (default: fit)\n"
        "  --count N                 How many (1 to 100; default: 10)\n"
        "  -q, --quiet               Print nothing\n"
        "  --loud                    Print everything\n"
        "  --text TEXT               A text\n"
        "\n"
        "General:\n"
        "  -h, --help                Print this help, and exit\n"
        "\n"
        "Examples:\n"
        "  # show a wall\n"
        "  wall-thing --wall wall.toml\n");
}

TEST_CASE("--help of a subcommand has its whole name, and that of the program lists it") {
  const ExampleProgram program(true);
  CHECK(help_text(*program.run).starts_with("Usage: wall-thing run [FILE] --rate NUMBER [OPTIONS]\n\nRun a thing"));
  CHECK(help_text(program.app).starts_with("Usage: wall-thing SUBCOMMAND [OPTIONS]\n"));
  CHECK(help_text(program.app).find("\nSubcommands:\n  run                       Run a thing-like thing\n") !=
        std::string::npos);
}

TEST_CASE("lines of --help fit into 80 columns, and long names have a line of their own") {
  ExampleProgram program;
  std::string words;
  for (int i = 0; i < 200; ++i) words += "word" + std::to_string(i * 7919) + " ";
  program.app.add_option("--a-rather-long-name-of-an-option", program.text, words)->option_text("SERVER=DIR");
  program.app.description(words);
  std::istringstream lines(help_text(program.app));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    INFO(line);
    CHECK(line.size() <= 80);
    CHECK((line.empty() || line.back() != ' '));
  }
  CHECK(count > 60);
  CHECK(help_text(program.app)
            .find("  --a-rather-long-name-of-an-option SERVER=DIR\n" + std::string(28, ' ') + "word0 word7919 ") !=
        std::string::npos);
}

TEST_CASE("a default in the description is put together with the limits") {
  ExampleProgram program;
  program.app.add_option("--depth", program.count, "Reads at a time (default: 16)")->check(whole_between(1, 64));
  program.app.add_option("--most", program.count, "Packets")->check(whole_between(1, 2'000'000'000));
  const auto text = help_text(program.app);
  CHECK(text.find("Reads at a time (1 to 64; default: 16)\n") != std::string::npos);
  CHECK(text.find("Packets\n") != std::string::npos);
}
