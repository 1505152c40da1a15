#include "common/base/log.h"

#include "common/base/environment.h"
#include "common/base/printable.h"

#include <fmt/format.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <string_view>

namespace lw {
namespace {

// Whether stderr is systemd's journal (JOURNAL_STREAM in systemd.exec(5)), which records time and program itself.
bool journal_reads() {
  struct stat file {};
  return fstat(STDERR_FILENO, &file) == 0 &&
         environment_variable("JOURNAL_STREAM") == fmt::format("{}:{}", file.st_dev, file.st_ino);
}

// The message, made printable: nothing in it acts as a line, a priority or a terminal command, so callers need not care
// where its parts come from.
class PrintableMessage final : public spdlog::custom_flag_formatter {
public:
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& to) override {
    const auto text = printable({message.payload.data(), message.payload.size()}, Lines::escaped, log_text_bytes_max);
    to.append(text.data(), text.data() + text.size());
  }
  [[nodiscard]] std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<PrintableMessage>();
  }
};

// The prefix by which the journal sorts lines (sd-daemon(3)).
class JournalPriority final : public spdlog::custom_flag_formatter {
public:
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& to) override {
    // By spdlog's levels: trace, debug, info, warn, err, critical, off.
    static constexpr std::array<std::string_view, spdlog::level::n_levels> priorities{"<7>", "<7>", "<6>", "<4>",
                                                                                      "<3>", "<2>", "<7>"};
    const auto priority = priorities.at(static_cast<std::size_t>(message.level));
    to.append(priority.data(), priority.data() + priority.size());
  }
  [[nodiscard]] std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<JournalPriority>();
  }
};

}  // namespace

std::unique_ptr<spdlog::formatter> log_formatter(bool for_journal) {
  auto lines = std::make_unique<spdlog::pattern_formatter>();
  lines->add_flag<PrintableMessage>('q');
  if (for_journal)
    lines->add_flag<JournalPriority>('j').set_pattern("%j%q");
  else
    lines->set_pattern("%Y-%m-%dT%H:%M:%S.%e %n %^%l%$: %q");
  return lines;
}

void start_logging(const std::string& program, const std::string& level) {
  auto logger = spdlog::stderr_color_mt(program);
  logger->set_formatter(log_formatter(journal_reads()));
  logger->set_level(spdlog::level::from_str(level));
  spdlog::set_default_logger(std::move(logger));
}

}  // namespace lw
