// Methods of measurement: subscribe, unsubscribe, stats; and the collecting behind them, 10 times a second.
#include "common/messages/iso_time.h"
#include "server/control/service_impl.h"

#include <algorithm>

namespace lw {

using Impl = ControlService::Impl;

namespace {

WallReport wall_report(const Wall& wall, const SkewWatch& skew, const PlayState& playing) {
  WallStats stats;
  if (playing.status != PlayStatus::stopped) stats.frame = playing.frame;
  stats.playout_delay = playing.playout_delay;
  stats.frames_in_step = skew.frames();
  stats.skew_us_p50 = skew.skew_us().quantile(0.5);
  stats.skew_us_p99 = skew.skew_us().quantile(0.99);
  stats.skew_us_max = skew.skew_us().max();
  WallReport report{stats.frame, {}, {}, Figures(stats)};
  for (unsigned tile = 0; tile < skew.by_tile_us().size(); ++tile)
    report.tiles.push_back({wall.tile(tile), Figures(WallTileStats{skew.by_tile_us()[tile]})});
  return report;
}

}  // namespace

void Impl::collect_stats() {
  const LocalTime now = LocalClock::now();
  stats_.time = to_iso8601(WallClock::now());
  stats_.interval_s = stats_time_ ? std::chrono::duration<double>(now - *stats_time_).count() : 0;
  auto sender = session_.sender_stats();
  stats_.sender.clear();
  for (std::size_t i = 0; i < sender.size(); ++i) {
    const auto tile = wall_.tile(sender[i].flow / wall_.streaming.flows_per_tile);
    const auto* before = i < sender_before_.size() ? &sender_before_[i] : nullptr;
    stats_.sender.push_back(report_of(sender[i], before, tile, stats_.interval_s));
  }
  stats_.nodes.clear();
  for (const auto& [name, node] : nodes_) {
    std::optional<double> age_s;
    if (node.report) age_s = std::chrono::duration<double>(now - node.reported).count();
    stats_.nodes.push_back({name, node.peer != nullptr, age_s, node.report});
  }
  stats_.wall = wall_report(wall_, skew_, session_.state());
  stats_.wall.flows = flights();
  if (wall_.clock == ClockSource::system) stats_.clock = {Figures(system_clock_.read())};
  sender_before_ = std::move(sender);
  stats_time_ = now;
  if (std::ranges::any_of(subscribers_, [](const auto& subscriber) { return subscriber.second.stats; }))
    notify("stats", to_json(stats_), &Subscription::stats, true);
}

RpcReply Impl::subscribe(const Json& json, const Caller& caller) {
  Params params(json);
  const Subscription wanted{params.boolean_or("stats", true), params.boolean_or("events", true),
                            params.boolean_or("pictures", false)};
  if (auto problem = params.problem()) return bad_params(*problem);
  if (caller.peer == nullptr) return cannot(Error{"only a connection can subscribe", ""});
  subscribers_[caller.peer] = wanted;
  tell_who_wants_pictures();
  return Json{{"state", state_json()}, {"events", events_}};
}

RpcReply Impl::unsubscribe(const Json& json, const Caller& caller) {
  if (auto problem = Params(json).problem()) return bad_params(*problem);
  subscribers_.erase(caller.peer);
  tell_who_wants_pictures();
  return Json::object();
}

RpcReply Impl::stats(const Json& json) {
  if (auto problem = Params(json).problem()) return bad_params(*problem);
  if (!stats_time_) collect_stats();
  return to_json(stats_);
}

}  // namespace lw
