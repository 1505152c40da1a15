#include "probe/stamp/session_figures.h"

#include "probe/loads/frame_statistics.h"

#include <algorithm>
#include <set>
#include <string>

namespace lw {
namespace {

using Values = std::vector<double>;

double microseconds_of(Nanoseconds time) { return static_cast<double>(time.count()) / 1000; }

template <class Value>
Values values_of(const std::vector<StampExchange>& exchanges, Value value) {
  Values out;
  out.reserve(exchanges.size());
  for (const auto& exchange : exchanges) out.push_back(microseconds_of(value(exchange)));
  return out;
}

void put_delays(NamedFigures& figures, const std::string& name, const Values& values) {
  figures[name + "_min"] = *std::ranges::min_element(values);
  figures[name + "_p50"] = quantile_of(values, 0.5);
  figures[name + "_p99"] = quantile_of(values, 0.99);
  figures[name + "_max"] = *std::ranges::max_element(values);
}

void put_variation(NamedFigures& figures, const Values& values) {
  const double least = *std::ranges::min_element(values);
  figures["pdv_us_p50"] = quantile_of(values, 0.5) - least;
  figures["pdv_us_p99"] = quantile_of(values, 0.99) - least;
  figures["pdv_us_max"] = *std::ranges::max_element(values) - least;
}

void put_one_way(NamedFigures& figures, const Values& values, std::optional<Nanoseconds> clock_error) {
  put_variation(figures, values);
  if (!clock_error) return;
  figures["delay_us_min"] = *std::ranges::min_element(values);
  figures["delay_us_p50"] = quantile_of(values, 0.5);
}

// Packets that arrived with another class than they were sent with, and with the congestion mark (RFC 3168).
class ClassCounts {
public:
  explicit ClassCounts(std::uint8_t sent) : sent_(sent) {}
  void add(std::uint8_t received) {
    ++packets_;
    if (received >> 2U != sent_ >> 2U) ++dscp_changed_;
    if ((received & 3U) == 3) ++ecn_ce_;
  }
  void put(NamedFigures& figures) const {
    if (packets_ == 0) return;
    figures["dscp_changed"] = dscp_changed_;
    figures["ecn_ce"] = ecn_ce_;
  }

private:
  std::uint8_t sent_;
  double packets_ = 0, dscp_changed_ = 0, ecn_ce_ = 0;
};

void put_classes(StampFigures& figures, std::uint8_t sent, const std::vector<StampExchange>& exchanges) {
  ClassCounts forward(sent), reverse(sent);
  for (const auto& exchange : exchanges) {
    if (!exchange.request_class) continue;  // without the extension the reply's class is the reflector's choice
    forward.add(*exchange.request_class);
    reverse.add(exchange.reply_class);
  }
  forward.put(figures.forward);
  reverse.put(figures.reverse);
}

// RFC 4737 section 3: those that arrived after one with a higher number.
template <class Number>
double count_reordered(const std::vector<StampExchange>& exchanges, Number number) {
  double reordered = 0;
  std::uint32_t highest = 0;
  for (const auto& exchange : exchanges) {
    if (number(exchange) < highest) ++reordered;
    highest = std::max(highest, number(exchange));
  }
  return reordered;
}

// The sent packets without a reply.
void put_loss_runs(NamedFigures& figures, const std::vector<bool>& answered) {
  double lost = 0, runs = 0, run = 0, run_max = 0;
  for (const bool came : answered) {
    lost += came ? 0 : 1;
    runs += !came && run == 0 ? 1 : 0;
    run = came ? 0 : run + 1;
    run_max = std::max(run_max, run);
  }
  figures["lost"] = lost;
  if (!answered.empty()) figures["loss"] = lost / static_cast<double>(answered.size());
  figures["loss_runs"] = runs;
  figures["loss_run_max"] = run_max;
}

// By the numbers of a stateful reflector's replies, which begin with 0.
void put_directions(StampFigures& figures, const StampSent& sent, const std::vector<StampExchange>& exchanges) {
  std::set<std::uint32_t> replies;
  std::uint32_t answered_max = 0;
  for (const auto& exchange : exchanges) {
    replies.insert(exchange.reply_sequence);
    answered_max = std::max(answered_max, exchange.request_sequence);
  }
  const double reflected = *replies.rbegin() + 1.0;
  if (reflected > 2.0 * sent.packets) return;  // the numbers do not belong to this session
  const double lost = figures.whole["lost"];
  const double asked = answered_max + 1.0;  // later ones may still be in flight, or lost in either direction
  const double reverse = std::min(reflected - static_cast<double>(replies.size()), lost);
  const double forward = std::max(asked - (sent.packets - lost) - reverse, 0.0);
  figures.reverse["lost"] = reverse;
  figures.reverse["loss"] = reverse / reflected;
  figures.forward["lost"] = forward;
  figures.forward["loss"] = forward / asked;
  figures.whole["undetermined_lost"] = lost - forward - reverse;
}

// A request overtook another one if the reflector answered it first.
void put_reordering(StampFigures& figures, std::vector<StampExchange> exchanges) {
  const auto reply = [](const StampExchange& exchange) { return exchange.reply_sequence; };
  figures.reverse["reordered"] = count_reordered(exchanges, reply);
  std::ranges::stable_sort(exchanges, {}, reply);
  figures.forward["reordered"] =
      count_reordered(exchanges, [](const StampExchange& exchange) { return exchange.request_sequence; });
}

void put_hops(NamedFigures& figures, const std::vector<StampExchange>& exchanges) {
  constexpr int sent_ttl = 255;
  const auto [least, most] = std::ranges::minmax(exchanges, {}, &StampExchange::request_ttl);
  if (least.request_ttl == 0) return;
  figures["hops_min"] = sent_ttl - most.request_ttl;
  figures["hops_max"] = sent_ttl - least.request_ttl;
}

void put_times(StampFigures& figures, const StampSent& sent, const std::vector<StampExchange>& exchanges) {
  const auto forward = values_of(exchanges, [](const auto& at) { return at.received - at.sent; });
  const auto reverse = values_of(exchanges, [](const auto& at) { return at.arrived - at.returned; });
  const auto inside = values_of(exchanges, [](const auto& at) { return at.returned - at.received; });
  const auto around =
      values_of(exchanges, [](const auto& at) { return (at.arrived - at.sent) - (at.returned - at.received); });
  put_delays(figures.whole, "rtt_us", around);
  put_delays(figures.whole, "reflector_us", inside);
  put_one_way(figures.forward, forward, sent.clock_error);
  put_one_way(figures.reverse, reverse, sent.clock_error);
  if (sent.clock_error) figures.whole["clock_error_us"] = microseconds_of(*sent.clock_error);
}

}  // namespace

StampFigures stamp_figures(const StampSent& sent, const std::vector<StampExchange>& exchanges) {
  StampFigures figures;
  figures.whole["packets"] = sent.packets;
  std::vector<bool> answered(sent.packets);
  std::vector<StampExchange> firsts;  // first replies
  for (const auto& exchange : exchanges) {
    if (!answered[exchange.request_sequence]) firsts.push_back(exchange);
    answered[exchange.request_sequence] = true;
  }
  put_loss_runs(figures.whole, answered);
  if (firsts.empty()) return figures;
  figures.whole["duplicates"] = static_cast<double>(exchanges.size() - firsts.size());
  figures.whole["reordered"] =
      count_reordered(firsts, [](const StampExchange& exchange) { return exchange.request_sequence; });
  if (sent.stateful.value_or(false)) {
    put_directions(figures, sent, exchanges);
    put_reordering(figures, firsts);
  }
  put_times(figures, sent, firsts);
  put_hops(figures.forward, firsts);
  put_classes(figures, sent.traffic_class, firsts);
  return figures;
}

}  // namespace lw
