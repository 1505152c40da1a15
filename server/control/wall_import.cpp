#include "server/control/wall_import.h"

#include "common/base/counted.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {

bool WallImport::runs() const {
  return std::ranges::find(messages_, ImportStatus::running, &ImportMessage::status) != messages_.end();
}

Result<void> WallImport::start(const ImportRequest& request, const Moment& now) {
  for (const auto& import : messages_)
    if (import.status == ImportStatus::running)
      return Error{fmt::format("server '{}' is importing {}", import.server, import.input),
                   "wait until it is done, or end it with import.cancel"};
  if (auto started = job_.start(request); !started) return started;
  asked_ = true;
  // Directories are those of this server; the others use their own.
  auto for_others = request;
  for_others.into.clear();
  if (auto* followers = coordination_.followers(); followers != nullptr) followers->begin_imports(for_others);
  step(now);
  return {};
}

Result<void> WallImport::cancel(const Moment& now) {
  if (!runs()) return Error{"no import runs", "start one with import"};
  if (job_.runs())
    if (auto cancelled = job_.cancel(now); !cancelled) return cancelled;
  if (auto* followers = coordination_.followers(); followers != nullptr) followers->cancel_imports();
  return {};
}

std::vector<ImportMessage> WallImport::collect() const {
  std::vector<ImportMessage> all;
  const auto* followers = coordination_.followers();
  for (const auto& server : wall_.servers) {
    const auto import = &server == &self_      ? job_.message()
                        : followers != nullptr ? followers->import_of(server.name)
                                               : std::optional<ImportMessage>();
    if (import) all.push_back(*import);
  }
  return all;
}

bool WallImport::step(const Moment& now) {
  job_.step(now);
  auto messages = collect();
  if (messages == messages_) return false;
  messages_ = std::move(messages);
  for (const auto& import : messages_) {
    const std::pair state{import.number, import.status};
    const auto known = told_.find(import.server);
    // What had ended before this server began to coordinate is not news.
    const bool is_old = known == told_.end() && !asked_ && import.status != ImportStatus::running;
    const bool is_new = known == told_.end() || known->second != state;
    told_[import.server] = state;
    if (is_new && !is_old) tell(import, now);
  }
  return true;
}

void WallImport::tell(const ImportMessage& import, const Moment& now) {
  const auto what = import.name.empty() ? import.input : import.name;
  const auto add = [&](Severity severity, const std::string& words) {
    events_.add({severity, "import", fmt::format("server {}: {}", import.server, words), {}, {}}, now);
  };
  switch (import.status) {
    case ImportStatus::running:
      return add(Severity::info, fmt::format("the import of {} begins", import.input));
    case ImportStatus::done:
      return add(Severity::info, fmt::format("{} is imported, {}", what, counted(import.frames, "frame")));
    case ImportStatus::cancelled:
      return add(Severity::info, fmt::format("the import of {} is cancelled; the same request continues it", what));
    case ImportStatus::failed:
      return add(Severity::error, fmt::format("the import of {} failed: {}", what, import.reason));
  }
}

}  // namespace lw
