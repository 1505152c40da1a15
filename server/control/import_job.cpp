#include "server/control/import_job.h"

#include "common/base/json.h"
#include "common/base/printable.h"
#include "common/base/short_text.h"
#include "common/messages/rpc.h"
#include "common/store/store_name.h"
#include "server/control/import_places.h"
#include "server/control/import_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr std::chrono::seconds ends_after_cancel{10};
constexpr std::string_view speaker = "wall-ingest: ";

std::optional<double> number_in(const Json& event, const char* key) {
  const auto found = event.find(key);
  if (found == event.end() || !found->is_number() || !std::isfinite(found->get<double>())) return std::nullopt;
  return found->get<double>();
}

std::optional<std::uint64_t> count_in(const Json& event, const char* key) {
  const auto found = event.find(key);
  return found == event.end() ? std::nullopt : whole_number(*found, INT64_MAX);
}

}  // namespace

std::vector<std::string> ImportJob::arguments(const ImportPlace& place, const ImportRequest& request,
                                              const std::string& input,
                                              const std::vector<std::filesystem::path>& into) {
  std::vector<std::string> out;
  for (const auto& directory : into) out.push_back(std::filesystem::absolute(directory).string());
  std::vector<std::string> arguments{"--json", "--wall=" + place.wall_file,
                                     fmt::format("--out={}", fmt::join(out, ","))};
  // Joined with `=`, so that a value beginning with a dash remains a value.
  if (!place.server.empty()) arguments.push_back("--server=" + place.server);
  if (request.fit)
    arguments.push_back("--fit=" + std::string(import_fit_names.names[static_cast<std::size_t>(*request.fit)]));
  if (request.format) arguments.push_back("--format=" + *request.format);
  if (request.name) arguments.push_back("--name=" + *request.name);
  if (request.title) arguments.push_back("--title=" + *request.title);
  for (const auto& tag : request.tags) arguments.push_back("--tag=" + tag);
  if (request.overwrite.value_or(false)) arguments.emplace_back("--overwrite");
  arguments.emplace_back("--");
  arguments.push_back(input);
  return arguments;
}

Result<void> ImportJob::check_installed() const {
  if (place_.from.empty())
    return Error{fmt::format("server '{}' imports nothing by itself", server_),
                 "start wall-server there with --import-from DIR, or run wall-ingest on its host"};
  if (place_.program.empty())
    return Error{"wall-ingest is neither beside wall-server nor in the PATH", "install it on the server's host"};
  return {};
}

Result<void> ImportJob::start(const ImportRequest& request) {
  if (auto installed = check_installed(); !installed) return installed;
  if (place_.out.empty()) return Error{"there is no directory to import into", "start wall-server with --content DIR"};
  if (runs())
    return Error{fmt::format("server '{}' is importing {}", server_, message_->input),
                 "wait until it is done, or end it with import.cancel"};
  if (request.name)
    if (const auto good = check_store_name(*request.name); !good) return good.error();
  const auto has_zero = [](const std::string& text) { return text.find('\0') != std::string::npos; };
  if (has_zero(request.title.value_or("")) || std::ranges::any_of(request.tags, has_zero))
    return Error{"a title or tag has a zero byte", "remove it"};
  auto stores = place_.content;
  stores.push_back(place_.out.front());
  const auto input = import_source(request.input, place_.from, stores);
  if (!input) return input.error();
  const auto into = import_directories(place_, request.into);
  if (!into) return into.error();
  auto child = ChildProgram::start(place_.program, arguments(place_, request, *input, *into));
  if (!child) return child.error();
  child_.emplace(std::move(*child));
  const auto number = message_ ? message_->number + 1 : 1;
  message_ = ImportMessage{};
  message_->server = server_;
  message_->number = number;
  message_->input = request.input;
  message_->name = request.name.value_or("");
  last_words_.clear();
  made_ = false;
  cancelled_.reset();
  changed_ = true;
  return {};
}

Result<void> ImportJob::cancel(const Moment& now) {
  if (!runs()) return Error{fmt::format("server '{}' is not importing", server_), "start an import"};
  child_->ask_to_end();
  if (!cancelled_) cancelled_ = now.local;
  return {};
}

bool ImportJob::step(const Moment& now) {
  if (runs()) {
    if (cancelled_ && now.local - *cancelled_ > ends_after_cancel) child_->end_now();
    const auto ended = child_->step([this](std::string_view line) { take_line(line); },
                                    [this](std::string_view line) {
                                      if (!line.empty()) last_words_ = line;
                                    });
    if (ended) end(*ended);
  }
  return std::exchange(changed_, false);
}

// A line of its JSON. What it does not have, stays.
void ImportJob::take_line(std::string_view line) {
  const auto event = Json::parse(line, nullptr, false);
  if (!event.is_object() || !event.contains("event")) return;
  if (event["event"] == "done" && event.contains("folder") && event["folder"].is_string()) {
    made_ = true;
    message_->name = std::filesystem::path(event["folder"].get<std::string>()).filename().string();
    message_->frames = count_in(event, "frames").value_or(message_->frames);
    message_->frames_total = message_->frames;
    changed_ = true;
  }
  if (event["event"] != "progress") return;
  message_->frames = count_in(event, "frames").value_or(0);
  message_->frames_total = count_in(event, "frames_total");
  message_->frames_per_s = number_in(event, "frames_per_s");
  message_->mb_per_s = number_in(event, "mb_per_s");
  message_->limit_mb_per_s = number_in(event, "limit_mb_per_s");
  changed_ = true;
}

void ImportJob::end(int status) {
  child_.reset();
  changed_ = true;
  const bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0 && made_;
  message_->status = good ? ImportStatus::done : cancelled_ ? ImportStatus::cancelled : ImportStatus::failed;
  message_->frames_per_s.reset();
  message_->mb_per_s.reset();
  message_->limit_mb_per_s.reset();
  if (message_->status != ImportStatus::failed) return;
  message_->reason = ingest_failure(last_words_, status);
}

std::string ingest_failure(std::string_view last_words, int status) {
  if (last_words.starts_with(speaker)) last_words.remove_prefix(speaker.size());
  auto reason = short_text(printable(last_words), ImportMessage::reason_bytes_max);
  if (!reason.empty()) return reason;
  return WIFSIGNALED(status) ? fmt::format("wall-ingest was ended by signal {}", WTERMSIG(status))
                             : fmt::format("wall-ingest ended with code {}", WEXITSTATUS(status));
}

}  // namespace lw
