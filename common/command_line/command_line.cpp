#include "common/command_line/command_line.h"

#include "common/base/cannot_write.h"
#include "common/base/print.h"
#include "common/base/result.h"
#include "common/command_line/completion.h"
#include "common/command_line/man_page.h"
#include "common/command_line/usage_error.h"

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

// What packaging asks for instead of running the program.
struct Wanted {
  std::string man_directory;
  std::string shell;
};

void add_wanted(CLI::App& app, Wanted& wanted) {
  const auto leave_for = [](std::string& member) {
    return [&member](const std::string& value) {
      member = value;
      throw CLI::Success();  // before anybody asks for what is required
    };
  };
  app.add_option_function<std::string>("--man", leave_for(wanted.man_directory))->group("");
  app.add_option_function<std::string>("--completion", leave_for(wanted.shell))
      ->check(one_of({"bash", "zsh"}))
      ->group("");
}

int deliver(const Wanted& wanted, const CLI::App& app, const std::string& program) {
  if (!wanted.shell.empty()) {
    print_out("{}", wanted.shell == "bash" ? bash_completion(app) : zsh_completion(app));
    return 0;
  }
  const auto written = write_man_pages(app, wanted.man_directory);
  if (!written) print_error("{}: {}", program, written.error().text());
  return written ? 0 : 1;
}

void name_help(CLI::App& app) {
  app.get_help_ptr()->description("Print this help, and exit")->group(general_options);
  for (auto* subcommand : app.get_subcommands([](const CLI::App*) { return true; })) name_help(*subcommand);
}

}  // namespace

std::optional<int> parse_command_line(CLI::App& app, const std::string& program, int argc, const char* const* argv) {
  app.name(program);
  app.set_version_flag("--version", program + " " + LW_VERSION)
      ->description("Print the version, and exit")
      ->group(general_options);
  name_help(app);
  Wanted wanted;
  add_wanted(app, wanted);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    print_out("{}", help_text(used_command(app)));
    return 0;
  } catch (const CLI::CallForVersion& version) {
    print_out("{}\n", version.what());
    return 0;
  } catch (const CLI::Success&) {
    return deliver(wanted, app, program);
  } catch (const CLI::ParseError& error) {
    print_error("{}: {}", program, usage_error(app, error).text());
    return 2;
  }
  return {};
}

void add_log_level(CLI::App& app, std::string& level) {
  app.add_option("--log", level, "The least severe messages that are logged")
      ->check(one_of({"error", "warning", "info", "debug"}))
      ->group(general_options)
      ->capture_default_str();
}

void begin_group(CLI::App& app, const std::string& title) { app.option_defaults()->group(title); }

}  // namespace lw
