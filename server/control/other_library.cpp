#include "server/control/other_library.h"

#include "common/messages/message.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace lw {
namespace {

constexpr std::chrono::seconds question_again{2};  // after an answer that cannot be used

}  // namespace

std::optional<PageRequest> OtherLibrary::take_question(LocalTime now) {
  if (asks_ || told_ == revision_ || now < next_ask_) return std::nullopt;
  asks_ = true;
  if (coming_.empty()) return PageRequest{};
  return PageRequest{coming_.back().name};
}

// The next page of the same list, by name.
bool OtherLibrary::continues(const ServerLibraryReply& reply) const {
  const auto& page = reply.visualizations;
  if (reply.revision == 0 || (reply.more && page.empty())) return false;
  if (!coming_.empty() && reply.revision != coming_revision_) return false;
  if (!coming_.empty() && !page.empty() && page.front().name <= coming_.back().name) return false;
  return std::ranges::adjacent_find(page, std::greater_equal<>(), &ServerVisualization::name) == page.end();
}

bool OtherLibrary::take_answer(const RpcResponse& answer, LocalTime now) {
  if (!std::exchange(asks_, false)) return false;
  auto reply = answer.error ? Result<ServerLibraryReply>(Error{*answer.error, ""})
                            : read_message<ServerLibraryReply>(answer.result);
  if (!reply || !continues(*reply)) {
    coming_.clear();
    next_ask_ = now + question_again;
    return false;
  }
  coming_revision_ = reply->revision;
  std::ranges::move(reply->visualizations, std::back_inserter(coming_));
  const bool full = coming_.size() >= entries_max;
  if (reply->more && !full) return false;
  auto entries = std::exchange(coming_, {});
  const bool complete = !reply->more && entries.size() <= entries_max;
  entries.resize(std::min(entries.size(), entries_max));
  const bool same = known() && entries == entries_ && complete == complete_;
  revision_ = coming_revision_;
  entries_ = std::move(entries);
  complete_ = complete;
  return !same;
}

const ServerVisualization* OtherLibrary::find(std::string_view name) const {
  const auto found = std::ranges::lower_bound(
      entries_, name, {}, [](const ServerVisualization& entry) { return std::string_view(entry.name); });
  return found == entries_.end() || found->name != name ? nullptr : &*found;
}

}  // namespace lw
