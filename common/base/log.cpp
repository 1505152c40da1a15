#include "common/base/log.h"

#include "common/base/environment.h"

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

// Whether stderr is systemd's journal (JOURNAL_STREAM in systemd.exec(5)). It notes time and program itself.
bool journal_reads() {
  struct stat file {};
  return fstat(STDERR_FILENO, &file) == 0 &&
         environment_variable("JOURNAL_STREAM") == fmt::format("{}:{}", file.st_dev, file.st_ino);
}

// Ahead of a line, what the journal sorts it by (sd-daemon(3)).
class JournalPriority final : public spdlog::custom_flag_formatter {
public:
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& to) override {
    // By spdlog's level: trace, debug, info, warn, err, critical, off.
    static constexpr std::array<std::string_view, spdlog::level::n_levels> priorities{"<7>", "<7>", "<6>", "<4>",
                                                                                      "<3>", "<2>", "<7>"};
    const auto priority = priorities.at(static_cast<std::size_t>(message.level));
    to.append(priority.data(), priority.data() + priority.size());
  }
  [[nodiscard]] std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<JournalPriority>();
  }
};

std::unique_ptr<spdlog::formatter> formatter() {
  auto lines = std::make_unique<spdlog::pattern_formatter>();
  if (journal_reads())
    lines->add_flag<JournalPriority>('j').set_pattern("%j%v");
  else
    lines->set_pattern("%Y-%m-%dT%H:%M:%S.%e %n %^%l%$: %v");
  return lines;
}

}  // namespace

void start_logging(const std::string& program, const std::string& level) {
  auto logger = spdlog::stderr_color_mt(program);
  logger->set_formatter(formatter());
  logger->set_level(spdlog::level::from_str(level));
  spdlog::set_default_logger(std::move(logger));
}

}  // namespace lw
