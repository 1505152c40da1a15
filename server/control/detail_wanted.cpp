#include "server/control/detail_wanted.h"

#include "common/messages/message.h"
#include "common/messages/rpc.h"

#include <algorithm>

namespace lw {

NodeTablesWanted DetailWanted::wanted(LocalTime now) const {
  if (is_small_) return {};
  const bool records = now < records_until_;
  if (subscribers_.any(&Subscription::stats)) return {.records = records};
  if (!stream_.any()) return {.every = every_of_large_wall / 2, .records = records, .interval_ms = 200};
  return {.every = std::min(every_of_large_wall, stream_.flows_every().value_or(every_of_large_wall)),
          .records = records};
}

void DetailWanted::look(LocalTime now) {
  const auto wish = wanted(now);
  if (wish == told_) return;
  told_ = wish;
  for (const auto& [name, node] : nodes_.all()) send(node, told_);
}

void DetailWanted::tell(const NodeState& node, bool full) const {
  auto wish = told_;
  wish.full = full;
  if (wish != NodeTablesWanted{}) send(node, wish);
}

void DetailWanted::send(const NodeState& node, const NodeTablesWanted& wish) {
  if (node.peer != nullptr) node.peer->send(rpc_notification("node.tables", to_json(wish)));
}

}  // namespace lw
