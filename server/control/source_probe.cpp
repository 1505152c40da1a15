#include "server/control/source_probe.h"

#include "common/base/short_text.h"
#include "common/messages/message.h"
#include "common/messages/rpc.h"
#include "server/control/import_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lw {
namespace {

constexpr std::size_t line_bytes_max = std::size_t{512} << 10U;  // facts with a preview
constexpr std::string_view jpeg_in_base64 = "/9j/";

ImportSourceMessage failure(std::string reason) {
  ImportSourceMessage message;
  message.reason = short_text(std::move(reason), ImportSourceMessage::reason_bytes_max);
  return message;
}

}  // namespace

std::vector<std::string> SourceProbe::arguments(const ImportPlace& place, const ImportProbeRequest& request,
                                                const std::string& input) {
  std::vector<std::string> arguments{"--probe", "--json", "--wall=" + place.wall_file};
  if (!place.server.empty()) arguments.push_back("--server=" + place.server);
  if (request.fit)
    arguments.push_back("--fit=" + std::string(import_fit_names.names[static_cast<std::size_t>(*request.fit)]));
  if (request.format) arguments.push_back("--format=" + *request.format);
  arguments.emplace_back("--");
  arguments.push_back(input);
  return arguments;
}

Result<void> SourceProbe::ask(WebPeer& peer, const ImportProbeRequest& request, const Moment& now) {
  remove(&peer);
  if (auto allowed = job_.check_installed(); !allowed) return allowed;
  auto input = import_source(request.input, job_.place().from);
  if (!input) return input.error();
  if (waiting_.size() >= waiting_max)
    return Error{fmt::format("{} sources wait to be read", waiting_.size()), "try again in a few seconds"};
  waiting_.push_back({&peer, request, std::move(*input), now.local});
  return {};
}

void SourceProbe::remove(WebPeer* peer) {
  std::erase_if(waiting_, [peer](const Question& question) { return question.peer == peer; });
  if (run_ && run_->question.peer == peer) run_->question.peer = nullptr;
}

// A program that waits for a disk does not end when it is killed: nothing here waits for it, and nothing else is begun.
void SourceProbe::step(const Moment& now) {
  const auto is_late = [&](const Question& question) { return now.local - question.asked > answers_within; };
  const auto seconds = answers_within.count();
  if (run_ && run_->question.peer != nullptr && is_late(run_->question))
    answer(run_->question, failure(fmt::format("it was not read within {} s; check the disk that it is on", seconds)));
  while (!waiting_.empty() && is_late(waiting_.front())) {
    answer(waiting_.front(), failure(fmt::format("other sources were read for {} s; try again", seconds)));
    waiting_.pop_front();
  }
  if (run_) read(*run_);
  if (!run_ && !waiting_.empty()) start_next();
}

void SourceProbe::start_next() {
  auto question = std::move(waiting_.front());
  waiting_.pop_front();
  auto child = ChildProgram::start(job_.place().program, arguments(job_.place(), question.request, question.input),
                                   line_bytes_max);
  if (!child) return answer(question, failure(child.error().text()));
  run_.emplace(Run{std::move(question), std::move(*child)});
}

void SourceProbe::read(Run& run) {
  if (run.question.peer == nullptr) run.child.end_now();
  const auto status = run.child.step([&run](std::string_view line) { take_line(run, line); },
                                     [&run](std::string_view line) {
                                       if (!line.empty()) run.last_words = line;
                                     });
  if (!status) return;
  if (run.question.peer != nullptr)
    answer(run.question, run.found ? std::move(*run.found) : failure(ingest_failure(run.last_words, *status)));
  run_.reset();
}

// wall-ingest names the members as the message does. The preview of an earlier version is not a JPEG image.
void SourceProbe::take_line(Run& run, std::string_view line) {
  auto event = Json::parse(line, nullptr, false);
  if (!event.is_object() || !event.contains("event") || event["event"] != "probe") return;
  event["input"] = run.question.request.input;
  event.erase("reason");
  auto found = read_message<ImportSourceMessage>(event);
  if (!found) return;
  if (!found->preview.starts_with(jpeg_in_base64)) found->preview.clear();
  run.found = std::move(*found);
}

void SourceProbe::answer(Question& question, ImportSourceMessage message) {
  message.input = question.request.input;
  message.fit = question.request.fit;
  message.format = question.request.format;
  std::exchange(question.peer, nullptr)->send(rpc_notification("import.source", to_json(message)));
}

}  // namespace lw
