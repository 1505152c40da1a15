#include "wall-client/control/metrics_page.h"

#include "common/access/gate.h"
#include "common/access/peer_address.h"
#include "common/base/whole_number.h"
#include "common/host/state_folder.h"
#include "common/metrics/exposition.h"
#include "common/metrics/figures.h"
#include "common/net/address.h"
#include "common/web/web_server.h"

#include <fmt/format.h>
#include <boost/asio/io_context.hpp>

#include <deque>
#include <map>
#include <optional>
#include <thread>

namespace lw {
namespace {

class Page final : public MetricsPage {
public:
  Page(const Wall& wall, std::string node, std::function<NodeReading()> read, NodeHistograms histograms)
      : wall_(wall), node_(std::move(node)), read_(std::move(read)), histograms_(std::move(histograms)) {}
  ~Page() override {
    io_.stop();
    if (thread_.joinable()) thread_.join();
  }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  // `state`: empty on loopback.
  Result<void> listen(const std::string& host, std::uint16_t port, const std::filesystem::path& state) {
    WebSecurity security;
    WebHandlers handlers;
    if (!state.empty()) {
      auto own = own_certificate(state);
      if (!own) return own.error();
      security.certificate = std::move(*own);
      gate_.emplace(state);
      handlers.admit = [this](const WebRequest& request) { return gate_->admit(request, LocalClock::now()); };
    }
    handlers.opened = [](WebPeer& peer) { peer.close("this address serves only /metrics and /healthz"); };
    handlers.message = [](WebPeer&, std::string_view) {};
    handlers.closed = [](WebPeer&) {};
    handlers.get = [this](std::string_view path) -> HttpReply {
      if (path == "/metrics")
        return {200, std::string(exposition_type), metrics_text(wall_, node_, read_(), histograms_)};
      if (path == "/healthz") return {200, "text/plain; charset=utf-8", "ok\n"};
      return {404, "text/plain; charset=utf-8", "this address serves /metrics and /healthz\n"};
    };
    auto server = WebServer::listen(io_, host, port, std::move(handlers), {}, security);
    if (!server) return Error{server.error().what, "choose another address for --metrics"};
    server_ = std::move(*server);
    thread_ = std::thread([this] { io_.run(); });
    return {};
  }

private:
  const Wall& wall_;
  const std::string node_;
  const std::function<NodeReading()> read_;
  const NodeHistograms histograms_;
  std::optional<Gate> gate_;
  boost::asio::io_context io_{1};
  std::unique_ptr<WebServer> server_;
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<MetricsPage>> MetricsPage::open(const std::string& where, const Wall& wall, std::string node,
                                                       std::function<NodeReading()> read, NodeHistograms histograms,
                                                       const std::string& state) {
  const auto parts = split_host_port(where);
  const auto port = parts ? whole_number<std::uint16_t>(parts->port) : std::nullopt;
  if (!port || !Address::parse(parts->host, *port))
    return Error{"--metrics " + where + " is not a numeric address with a port", "write it like 127.0.0.1:9011"};
  std::filesystem::path folder;
  if (!is_loopback(parts->host)) {
    auto found = state_folder(state);
    if (!found) return found.error();
    folder = std::move(*found);
  }
  auto page = std::make_unique<Page>(wall, std::move(node), std::move(read), std::move(histograms));
  if (const auto listening = page->listen(parts->host, *port, folder); !listening) return listening.error();
  return std::unique_ptr<MetricsPage>(std::move(page));
}

namespace {

// Families of a struct, of each tile the sum. What compares the clocks of two hosts only where that is bounded.
template <class Owner>
void expose_by_tile(std::string& out, const Wall& wall, const std::string& label,
                    const std::vector<std::pair<TileIndex, const Owner*>>& histograms, bool bounded) {
  std::map<unsigned, HistogramReadings<Owner>> sums;
  for (const auto& [tile, histogram] : histograms) add_readings(sums[tile.value], read_histograms(*histogram));
  std::vector<std::pair<std::string, HistogramReadings<Owner>>> samples;
  for (auto& [tile, readings] : sums) {
    for (std::size_t row = 0; row < readings.size(); ++row)
      if (!bounded && registry::histogram_rows<Owner>.at(row).metric.compares_clocks) readings[row] = {};
    samples.emplace_back(fmt::format("{},{}", label, tile_label(wall, wall.tile({tile}).cell)), readings);
  }
  expose_histograms<Owner>(out, samples);
}

}  // namespace

std::string metrics_text(const Wall& wall, const std::string& node, const NodeReading& reading,
                         const NodeHistograms& histograms) {
  const auto label = fmt::format("node=\"{}\"", escaped_label(node));
  const bool bounded = reading.clock.state != ClockState::system && reading.clock.error;
  Figures clock(reading.clock);
  if (!bounded) clock["error_us"] = {};  // the server's part is unknown here
  const Figures process(reading.process);
  std::deque<Figures<ReceiverFlowStats>> of_flows;  // referenced by the samples
  std::deque<Figures<TileStats>> of_tiles;
  std::vector<MetricSample> flows;
  std::vector<MetricSample> tiles;
  for (const auto& flow : reading.flows) {
    auto& figures = of_flows.emplace_back(flow);
    if (!bounded) figures.drop_what_needs_clock_bound();
    flows.push_back({fmt::format("{},flow=\"{}\"", label, flow.flow), figures.values()});
  }
  for (const auto& tile : reading.tiles)
    tiles.push_back({fmt::format("{},{}", label, tile_label(wall, wall.tile(tile.tile).cell)),
                     of_tiles.emplace_back(tile).values()});
  std::string out;
  expose_build(out);
  expose(out, metrics_of<ReceiverFlowStats>, flows);
  expose(out, metrics_of<TileStats>, tiles);
  expose(out, metrics_of<ClockStats>, std::array{MetricSample{label, clock.values()}});
  expose(out, metrics_of<ProcessStats>, std::array{MetricSample{label, process.values()}});
  if (reading.sound) {
    const Figures sound(*reading.sound);
    expose(out, metrics_of<SoundNodeStats>, std::array{MetricSample{label, sound.values()}});
  }
  expose_by_tile(out, wall, label, histograms.flows, bounded);
  expose_by_tile(out, wall, label, histograms.tiles, bounded);
  return out;
}

}  // namespace lw
