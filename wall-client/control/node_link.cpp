#include "wall-client/control/node_link.h"

#include "common/base/host_name.h"
#include "common/base/log_limit.h"
#include "common/clock/kernel_clock.h"
#include "common/host/host_facts.h"
#include "common/messages/fade_json.h"
#include "common/messages/frame_records.h"
#include "common/messages/iso_time.h"
#include "common/messages/node_report.h"
#include "common/messages/place_requests.h"
#include "common/messages/requests.h"
#include "common/messages/rpc.h"
#include "common/messages/tile_picture.h"
#include "common/wall/shared_settings.h"
#include "common/web/web_client.h"

#include <spdlog/spdlog.h>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

namespace lw {
namespace {

namespace asio = boost::asio;
constexpr std::chrono::milliseconds report_interval{100};
constexpr std::size_t reports_per_picture = 4;  // of a tile

template <class T>
const T* previous(const std::vector<T>& before, std::size_t index) {
  return index < before.size() ? &before[index] : nullptr;
}

}  // namespace

class NodeLink::Impl {
public:
  Impl(const Wall& wall, std::string node, std::function<NodeReading()> read,
       std::function<void(const TileOverlay&)> on_overlay, std::function<void(const Fades&)> on_fades,
       std::vector<PreviewSlot*> previews, std::function<void(unsigned, int)> on_move, Credentials credentials)
      : wall_(wall),
        node_(std::move(node)),
        settings_(shared_settings(wall)),
        read_(std::move(read)),
        on_overlay_(std::move(on_overlay)),
        on_fades_(std::move(on_fades)),
        previews_(std::move(previews)),
        on_move_(std::move(on_move)),
        timer_(io_) {
    const auto where = wall.server.control_host + ":" + std::to_string(wall.server.control_port);
    client_ = WebClient::connect(io_, wall.server.control_host, wall.server.control_port,
                                 {[this, where] {
                                    spdlog::info("connected to the server's control plane at {}", where);
                                    told_.clear();
                                    connected_ = true;
                                    hello();
                                  },
                                  [this](std::string_view text) { on_message(text); },
                                  [this, where](const std::string& reason) {
                                    pictures_wanted_ = connected_ = false;
                                    // Each reason is said once: the link tries again for ever.
                                    if (std::exchange(told_, reason) != reason)
                                      spdlog::warn("no control plane at {} ({}); playing goes on, trying again", where,
                                                   reason);
                                  }},
                                 std::move(credentials));
    tick();
    thread_ = std::thread([this] { io_.run(); });
  }
  ~Impl() {
    io_.stop();
    thread_.join();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

private:
  void hello() {
    const NodeHello told{node_, LW_VERSION, protocol_version, host_name(), getpid(), boot_id(), settings_};
    client_->send(rpc_request(1, "node.hello", to_json(told)));
    if (machine_.empty()) machine_ = host_json(read_host_facts({}));
    client_->send(rpc_notification("node.machine", machine_));
  }

  void tick() {
    timer_.expires_at(std::max(timer_.expiry() + report_interval, LocalClock::now()));  // evenly, but never in a burst
    timer_.async_wait([this](const boost::system::error_code& error) {
      if (error) return;
      report();
      if (pictures_wanted_) send_pictures();
      tick();
    });
  }

  void report() {
    const LocalTime now = LocalClock::now();
    auto reading = read_();
    const double interval_s = last_time_ ? std::chrono::duration<double>(now - *last_time_).count() : 0;
    NodeReport told;
    told.node = node_;
    told.time = to_iso8601(WallClock::now());
    told.interval_s = interval_s;
    if (!reading.renderer.empty()) told.renderer = reading.renderer;
    if (!reading.swap_group.empty()) told.swap_group = reading.swap_group;
    told.clock = report_of(reading.clock);
    told.process = report_of(reading.process, last_time_ ? &last_.process : nullptr, interval_s);
    for (std::size_t i = 0; i < reading.flows.size(); ++i)
      told.flows.push_back(report_of(reading.flows[i], previous(last_.flows, i), interval_s));
    for (std::size_t i = 0; i < reading.tiles.size(); ++i)
      told.tiles.push_back(report_of(reading.tiles[i], previous(last_.tiles, i), interval_s));
    for (std::size_t i = 0; i < reading.swaps.size(); ++i) told.tiles[i].presented = report_of(reading.swaps[i]);
    client_->send(rpc_notification("node.report", to_json(told)));
    send_records(reading);
    last_ = std::move(reading);
    last_time_ = now;
  }

  // What could not be sent waits, as much as a message may hold.
  void send_records(const NodeReading& reading) {
    unsent_.insert(unsent_.end(), reading.records.begin(), reading.records.end());
    const auto surplus = unsent_.size() - std::min(unsent_.size(), frame_records_max);
    unsent_.erase(unsent_.begin(), unsent_.begin() + static_cast<std::ptrdiff_t>(surplus));
    records_dropped_ += surplus;
    if (!connected_ || unsent_.empty()) return;
    Json records = Json::array();
    for (const auto& record : unsent_) records.push_back(to_json(record, wall_));
    client_->send(rpc_notification(
        "node.frames", {{"records", std::move(records)}, {"dropped", reading.records_dropped + records_dropped_}}));
    unsent_.clear();
  }

  // A few at a time: those of all tiles at once would hold up the figures.
  void send_pictures() {
    ++picture_turn_;
    for (std::size_t i = 0; i < previews_.size(); ++i) {
      if (const auto* picture = previews_[i]->ready()) {
        if (const auto png = png_of(*picture); !png.empty())
          client_->send(rpc_notification("node.picture", tile_picture_json(previews_[i]->tile(), picture->frame, png)));
        previews_[i]->give_back();
      }
      if ((picture_turn_ + i) % reports_per_picture == 0) previews_[i]->ask();
    }
  }

  void on_pictures(const PicturesWanted& wanted) {
    pictures_wanted_ = wanted.on;
    for (auto* preview : previews_)
      if (preview->ready() != nullptr) preview->give_back();  // of before
  }

  // To other CPUs, for the operator to see how they do there.
  void on_place(const NodePlaceMessage& place) {
    if (!on_move_) return;
    for (const auto& [flow, cpu] : place.flows) on_move_(flow, static_cast<int>(cpu));
  }

  // A server of another version sends as many as it likes.
  void misunderstood(std::string_view method, const std::string& why) {
    if (const auto held = misunderstood_.take(LocalClock::now()))
      spdlog::warn("a {} message is not understood: {}{}", method, why,
                   *held > 0 ? "; " + std::to_string(*held) + " more since the last" : "");
  }

  void on_message(std::string_view text) {
    const auto message = parse_rpc(text);
    if (const auto* response = std::get_if<RpcResponse>(&message); response != nullptr && response->error)
      spdlog::error("the server refuses this node: {}", *response->error);
    else if (const auto* request = std::get_if<RpcRequest>(&message))
      on_request(*request);
  }

  void on_request(const RpcRequest& request) {
    if (request.method == "node.pattern")
      take<TileOverlay>(request, on_overlay_);
    else if (request.method == "node.pictures")
      take<PicturesWanted>(request, [this](const auto& wanted) { on_pictures(wanted); });
    else if (request.method == "node.place")
      take<NodePlaceMessage>(request, [this](const auto& place) { on_place(place); });
    else if (request.method == "node.fade") {
      if (const auto fades = fades_of(request.params))
        on_fades_(*fades);
      else
        misunderstood("node.fade", "not fades");
    }
  }

  template <class Message>
  void take(const RpcRequest& request, const auto& use) {
    if (const auto message = read_message<Message>(request.params))
      use(*message);
    else
      misunderstood(request.method, message.error().what);
  }

  const Wall wall_;
  std::string node_;
  const std::string settings_;
  Json machine_;  // this host's facts, once there is a server to tell
  std::function<NodeReading()> read_;
  std::function<void(const TileOverlay&)> on_overlay_;
  std::function<void(const Fades&)> on_fades_;
  std::vector<PreviewSlot*> previews_;
  std::function<void(unsigned, int)> on_move_;
  bool pictures_wanted_ = false;
  std::size_t picture_turn_ = 0;
  asio::io_context io_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_ = asio::make_work_guard(io_);
  asio::steady_timer timer_;
  std::unique_ptr<WebClient> client_;
  NodeReading last_;
  std::optional<LocalTime> last_time_;
  std::string told_;  // why the connection failed
  LogLimit misunderstood_{std::chrono::seconds{1}, 5};
  bool connected_ = false;
  std::vector<FrameRecord> unsent_;
  std::uint64_t records_dropped_ = 0;  // of those
  std::thread thread_;
};

NodeLink::NodeLink(const Wall& wall, std::string node, std::function<NodeReading()> read,
                   std::function<void(const TileOverlay&)> on_overlay, std::function<void(const Fades&)> on_fades,
                   std::vector<PreviewSlot*> previews, std::function<void(unsigned, int)> on_move,
                   Credentials credentials)
    : impl_(std::make_unique<Impl>(wall, std::move(node), std::move(read), std::move(on_overlay), std::move(on_fades),
                                   std::move(previews), std::move(on_move), std::move(credentials))) {}

NodeLink::~NodeLink() = default;

}  // namespace lw
