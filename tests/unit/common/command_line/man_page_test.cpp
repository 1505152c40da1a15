#include "common/command_line/man_page.h"

#include "common/command_line/help.h"
#include "common/command_line/option_text.h"

#include <catch2/catch.hpp>

using namespace lw;

namespace {

struct Program {
  CLI::App app{"Shows things. It is quick."};
  std::string wall;
  std::string input;
  bool secret = false;

  Program() {
    app.name("wall-thing");
    app.get_help_ptr()->group(general_options);
    app.add_option("INPUT", input, "What to show")->required();
    app.add_option("-w,--wall", wall, "A file\\path, 'quoted'\n.TH is not a request")->option_text("FILE");
    app.add_flag("--hidden", secret, "Not for people")->group("");
    auto* run = app.add_subcommand("run", "Run a thing-like thing");
    set_examples(*run, {{"the .first", "wall-thing run --rate 1"}});
    run->add_option("--rate", wall, "Gbit/s")->required();
  }
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a manual page has the texts of --help") {
  Program program;
  const auto pages = man_pages(program.app, "1.2.3");
  REQUIRE(pages.size() == 2);
  const auto& page = pages[0].text;
  CHECK(pages[0].name == "wall-thing");
  CHECK(page.starts_with(".TH WALL\\-THING 1 \"\" \"Lambdawall 1.2.3\""));
  CHECK(has(page, ".SH NAME\nwall\\-thing \\- shows things\n"));
  CHECK(has(page, ".SH SYNOPSIS\n.B wall\\-thing\nINPUT SUBCOMMAND [OPTIONS]\n"));
  CHECK(has(page, ".SH ARGUMENTS\n.TP\n.B INPUT\nWhat to show\n"));
  CHECK(has(page, ".B \\-w, \\-\\-wall\\fR FILE\n"));
  CHECK(has(page, ".TP\n.B run\nRun a thing\\-like thing: see\n.BR wall\\-thing\\-run (1)\n"));
  CHECK(has(page, ".SH OPTIONS\n.SS Options\n.TP\n"));
  CHECK(has(page, ".SS General\n.TP\n.B \\-h, \\-\\-help\n"));
  CHECK_FALSE(has(page, "hidden"));
}

TEST_CASE("no text of a manual page is taken for a request of roff") {
  Program program;
  program.app.get_option("--wall")->description(".TH at the start, \\fB in the middle\n'quoted");
  const auto page = man_pages(program.app, "1.2.3")[0].text;
  CHECK(has(page, "\n\\&.TH at the start, \\efB in the middle 'quoted\n"));
}

TEST_CASE("each subcommand has a page") {
  Program program;
  const auto page = man_pages(program.app, "1.2.3")[1];
  CHECK(page.name == "wall-thing-run");
  CHECK(has(page.text, ".SH NAME\nwall\\-thing\\-run \\- run a thing\\-like thing\n"));
  CHECK(has(page.text, ".B wall\\-thing run\n\\-\\-rate TEXT [OPTIONS]\n"));
  CHECK(has(page.text, ".SH EXAMPLES\n.nf\n  # the .first\n  wall\\-thing run \\-\\-rate 1\n.fi\n"));
  CHECK(has(page.text, ".B \\-\\-rate\\fR TEXT\nGbit/s\n"));
  CHECK(has(page.text, ".SH SEE ALSO\n.BR wall\\-thing (1).\n"));
}
