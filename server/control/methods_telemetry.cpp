// Methods of measurement: subscribe, unsubscribe, stats; and the collecting behind them, 10 times a second.
#include "common/messages/reports.h"
#include "server/control/service_impl.h"

namespace lw {

using Impl = ControlService::Impl;

namespace {

Json wall_figures(const Wall& wall, const SkewWatch& skew, const PlayState& playing) {
  WallStats stats;
  if (playing.status != PlayStatus::stopped) stats.frame = playing.frame;
  stats.playout_delay = playing.playout_delay;
  stats.frames_in_step = skew.frames();
  stats.skew_us_p50 = skew.skew_us().quantile(0.5);
  stats.skew_us_p99 = skew.skew_us().quantile(0.99);
  stats.skew_us_max = skew.skew_us().max();
  Json json = to_json(stats);
  for (unsigned tile = 0; tile < skew.by_tile_us().size(); ++tile)
    json["tiles"].push_back(
        {{"tile", {wall.tile(tile).column, wall.tile(tile).row}}, {"skew_us", skew.by_tile_us()[tile]}});
  return json;
}

}  // namespace

void Impl::collect_stats() {
  const LocalTime now = LocalClock::now();
  const double interval_s = stats_time_ ? std::chrono::duration<double>(now - *stats_time_).count() : 0;
  auto sender = session_.sender_stats();
  Json flows = Json::array();
  for (std::size_t i = 0; i < sender.size(); ++i) {
    const auto tile = wall_.tile(sender[i].flow / wall_.streaming.flows_per_tile);
    flows.push_back(to_json(sender[i], i < sender_before_.size() ? &sender_before_[i] : nullptr, tile, interval_s));
  }
  Json nodes = Json::array();
  for (const auto& [name, node] : nodes_) {
    Json entry{{"node", name}, {"connected", node.peer != nullptr}};
    if (node.report) {
      entry["age_s"] = std::chrono::duration<double>(now - node.reported).count();
      entry["report"] = *node.report;
    }
    nodes.push_back(std::move(entry));
  }
  stats_ = {{"time", to_iso8601(WallClock::now())},
            {"interval_s", interval_s},
            {"sender", std::move(flows)},
            {"nodes", std::move(nodes)},
            {"wall", wall_figures(wall_, skew_, session_.state())}};
  if (auto flights = flights_json(); !flights.empty()) stats_["wall"]["flows"] = std::move(flights);
  if (wall_.clock == ClockSource::system) stats_["clock"] = to_json(system_clock_.read());
  sender_before_ = std::move(sender);
  stats_time_ = now;
  notify("stats", stats_, &Subscription::stats, true);
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
  if (stats_.empty()) collect_stats();
  return stats_;
}

}  // namespace lw
