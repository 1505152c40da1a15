#include "common/command_line/command_line.h"

#include "common/base/cannot_write.h"
#include "common/base/print.h"
#include "common/base/result.h"
#include "common/command_line/man_page.h"

#include <filesystem>
#include <fstream>
#include <system_error>

namespace lw {

namespace {

Result<void> write_man_pages(const CLI::App& app, const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return Error{"cannot make " + folder.string() + ": " + failed.message(), "name another directory"};
  for (const auto& page : man_pages(app, LW_VERSION)) {
    const auto file = folder / (page.name + ".1");
    std::ofstream out(file, std::ios::binary);
    if (!(out << page.text) || !out.flush()) return cannot_write(file);
  }
  return {};
}

// The subcommand whose options were wrong, or the program.
std::string command_of(const CLI::App& app) {
  const auto subcommands = app.get_subcommands();
  return app.get_name() + (subcommands.empty() ? "" : " " + subcommands.back()->get_name());
}

}  // namespace

std::optional<int> parse_command_line(CLI::App& app, const std::string& program, int argc, const char* const* argv) {
  app.name(program);
  app.set_version_flag("--version", program + " " + LW_VERSION);
  std::string man_directory;
  const auto leave_for = [&man_directory](const std::string& directory) {
    man_directory = directory;
    throw CLI::Success();  // before anybody asks for what is required
  };
  app.add_option_function<std::string>("--man", leave_for)->group("");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    if (man_directory.empty()) return app.exit(asked);
    const auto written = write_man_pages(app, man_directory);
    if (!written) print_error("{}: {}", program, written.error().text());
    return written ? 0 : 1;
  } catch (const CLI::ParseError& error) {
    print_error("{}: {}; {} --help lists the options", program, error.what(), command_of(app));
    return 2;
  }
  return {};
}

}  // namespace lw
