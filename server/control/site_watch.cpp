#include "server/control/site_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace lw {

SiteWatch::SiteWatch(const Wall& wall) : wall_(wall) {
  for (const auto& site : wall.sites) nodes_.emplace_back(site.nodes.size());
}

std::vector<PlayEvent> SiteWatch::update(std::span<const std::vector<SiteStats>> sites, bool sends, LocalTime now) {
  if (sends && !sent_) began_ = now;
  sent_ = sends;
  if (!sends) return {};
  const bool settled = now - began_ >= begin_after;
  std::vector<PlayEvent> events;
  for (std::size_t site = 0; site < sites.size() && site < nodes_.size(); ++site)
    for (std::size_t node = 0; node < sites[site].size() && node < nodes_[site].size(); ++node)
      if (const bool heard = sites[site][node].flows_heard > 0; heard || settled) look(site, node, heard, events);
  return events;
}

void SiteWatch::look(std::size_t site, std::size_t node, bool heard, std::vector<PlayEvent>& events) {
  auto& nodes = nodes_[site];
  const auto all_silent = [&] {
    return std::ranges::none_of(nodes, [](const Node& one) { return one.reported && !one.silent; });
  };
  const auto of_site = fmt::format("site {}", wall_.sites[site].name);
  const auto of_node = fmt::format("node {} of site {}", wall_.sites[site].nodes[node].name, wall_.sites[site].name);
  const auto tell = [&](Severity severity, std::string code, std::string text) {
    events.push_back({severity, std::move(code), std::move(text), {}, {}});
  };
  if (heard) {
    const bool was_silent = all_silent();
    if (std::exchange(nodes[node].reported, true) && !nodes[node].silent) return;
    if (std::exchange(nodes[node].silent, false))
      tell(Severity::info, was_silent ? "site-reports" : "site-node-reports",
           was_silent ? fmt::format("{} reports again: {}", of_site, wall_.sites[site].nodes[node].name)
                      : of_node + " reports again");
    return;
  }
  if (!nodes[node].reported || std::exchange(nodes[node].silent, true)) return;
  const bool last = all_silent();
  tell(Severity::warning, last ? "site-silent" : "site-node-silent",
       last ? of_site + ": no node has reported for five seconds" : of_node + " has not reported for five seconds");
}

}  // namespace lw
