#include "wall-client/control/node_reporter.h"

#include "common/messages/fades.h"
#include "common/messages/frame_records.h"
#include "common/messages/iso_time.h"
#include "common/messages/node_report.h"
#include "common/messages/tile_picture.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace lw {
namespace {

constexpr int hello_id = 1;
constexpr std::size_t reports_per_picture = 4;  // of a tile

template <class T>
const T* previous(const std::vector<T>& before, std::size_t index) {
  return index < before.size() ? &before[index] : nullptr;
}

}  // namespace

void NodeReading::clear() {
  flows.clear();
  tiles.clear();
  swaps.clear();
  clock = {};
  process = {};
  sound.reset();
  renderer.clear();
  swap_group.clear();
  records.clear();
  records_dropped = 0;
}

NodeReporter::NodeReporter(const Wall& wall, ReportedNode node, std::function<void(std::string)> send,
                           Nanoseconds interval)
    : wall_(wall), node_(std::move(node)), send_(std::move(send)), interval_(interval) {}

void NodeReporter::connected() {
  connected_ = true;
  send_(rpc_request(hello_id, "node.hello", to_json(node_.hello)));
  if (machine_.empty()) machine_ = node_.machine();
  send_(rpc_notification("node.machine", machine_));
}

void NodeReporter::lost() {
  pictures_wanted_ = connected_ = false;
  tables_.reset();
  detailed_every_ = 1;
  wanted_interval_ = Nanoseconds{0};
  records_wanted_ = true;
}

// Previews are sent with the reports.
Nanoseconds NodeReporter::interval() const {
  return pictures_wanted_ ? interval_ : std::max(interval_, wanted_interval_);
}

Wait NodeReporter::step(const Moment& now) {
  if (now.local >= next_) {
    next_ = next_ + interval() > now.local ? next_ + interval() : now.local + interval();
    report(now);
    if (pictures_wanted_) send_pictures();
  }
  return {.until = next_, .hears_bell = false};
}

void NodeReporter::report(const Moment& now) {
  auto& reading = reading_;
  reading.clear();
  node_.read(reading);
  const double interval_s = last_time_ ? std::chrono::duration<double>(now.local - *last_time_).count() : 0;
  auto& told = told_;
  told.flows.clear();
  told.tiles.clear();
  told.renderer.reset();
  told.swap_group.reset();
  told.node = node_.hello.node;
  told.time = to_iso8601(now.wall);
  told.interval_s = interval_s;
  if (!reading.renderer.empty()) told.renderer = reading.renderer;
  if (!reading.swap_group.empty()) told.swap_group = reading.swap_group;
  told.clock = report_of(reading.clock);
  told.process = report_of(reading.process, last_time_ ? &last_.process : nullptr, interval_s);
  told.sound.reset();
  if (reading.sound) told.sound = SoundReport{Figures(*reading.sound)};
  const bool detailed = reports_++ % detailed_every_ == 0;
  const bool all = detailed || !tables_ || tables_->needs_all();
  const auto of_flows = all ? std::span<const std::size_t>{} : urgent_figures_of_flows();
  const auto of_tiles = all ? std::span<const std::size_t>{} : urgent_figures_of_tiles();
  for (std::size_t i = 0; i < reading.flows.size(); ++i)
    told.flows.push_back(report_of(reading.flows[i], previous(last_.flows, i), interval_s, of_flows));
  for (std::size_t i = 0; i < reading.tiles.size(); ++i)
    told.tiles.push_back(report_of(reading.tiles[i], previous(last_.tiles, i), wall_.tile(reading.tiles[i].tile).cell,
                                   interval_s, of_tiles));
  for (std::size_t i = 0; i < reading.swaps.size(); ++i) told.tiles[i].presented = report_of(reading.swaps[i]);
  if (connected_) send_(tables_ ? tables_->message(told, detailed) : rpc_notification("node.report", to_json(told)));
  send_records(reading);
  std::swap(last_, reading);
  last_time_ = now.local;
}

// Records that do not fit into one message wait.
void NodeReporter::send_records(const NodeReading& reading) {
  unsent_.insert(unsent_.end(), reading.records.begin(), reading.records.end());
  const auto surplus = unsent_.size() - std::min(unsent_.size(), frame_records_max);
  unsent_.erase(unsent_.begin(), unsent_.begin() + static_cast<std::ptrdiff_t>(surplus));
  if (records_wanted_) records_dropped_ += surplus;
  if (!connected_ || !records_wanted_ || unsent_.empty()) return;
  const FramesMessage frames{messages_of(unsent_, wall_), reading.records_dropped + records_dropped_};
  send_(rpc_notification("node.frames", to_json(frames)));
  unsent_.clear();
}

// A few at a time: previews of all tiles at once would delay the figures.
void NodeReporter::send_pictures() {
  ++picture_turn_;
  for (std::size_t i = 0; i < node_.previews.size(); ++i) {
    auto& preview = *node_.previews[i];
    if (const auto* picture = preview.ready()) {
      if (const auto png = png_of(*picture); !png.empty())
        send_(rpc_notification("node.picture",
                               to_json(tile_picture(wall_.tile(preview.tile()).cell, picture->frame, png))));
      preview.give_back();
    }
    if ((picture_turn_ + i) % reports_per_picture == 0) preview.ask();
  }
  if (node_.on_previews) node_.on_previews();
}

void NodeReporter::on_pictures(const PicturesWanted& wanted) {
  pictures_wanted_ = wanted.on;
  for (auto* preview : node_.previews)
    if (preview->ready() != nullptr) preview->give_back();  // from the previous request
}

// Moves flows to other CPUs, for the operator to compare.
void NodeReporter::on_place(const NodePlaceMessage& place) {
  if (!node_.on_move) return;
  for (const auto& [flow, cpu] : place.flows) node_.on_move(flow, static_cast<int>(cpu));
}

// Limited, because a server of another version may send any number of these.
void NodeReporter::misunderstood(std::string_view method, const std::string& why, LocalTime now) {
  if (const auto held = misunderstood_.take(now))
    spdlog::warn("cannot read a {} message: {}{}", method, why,
                 *held > 0 ? "; " + std::to_string(*held) + " more since the last" : "");
}

void NodeReporter::hear(std::string_view text, LocalTime now) {
  const auto message = parse_rpc(text);
  if (const auto* response = std::get_if<RpcResponse>(&message))
    on_answer(*response);
  else if (const auto* request = std::get_if<RpcRequest>(&message))
    on_request(*request, now);
}

void NodeReporter::on_answer(const RpcResponse& response) {
  if (response.error) {
    if (std::exchange(refusal_, *response.error) != *response.error)
      spdlog::warn("the server refuses this node: {}", *response.error);
    return refused();
  }
  if (response.id != hello_id) return;
  const auto hello = read_message<NodeHelloReply>(response.result);
  if (!hello) return;
  refusal_.clear();
  // A coordinator that does not know yet that another one has taken its place.
  if (hello->epoch < epoch_) return refused();
  epoch_ = hello->epoch;
  if (hello->tables) tables_.emplace();
}

void NodeReporter::on_tables(const NodeTablesWanted& wanted, LocalTime now) {
  detailed_every_ = wanted.every;
  wanted_interval_ = std::chrono::milliseconds{wanted.interval_ms};
  next_ = std::min(next_, now + interval());
  records_wanted_ = wanted.records;
  if (wanted.full && tables_) tables_->begin_anew();
}

void NodeReporter::on_request(const RpcRequest& request, LocalTime now) {
  if (request.method == "node.pattern")
    take<TileOverlay>(request, now, [this](const auto& overlay) {
      if (const auto tile = wall_.find_tile(overlay.tile)) node_.on_overlay(*tile, overlay);
    });
  else if (request.method == "node.pictures")
    take<PicturesWanted>(request, now, [this](const auto& wanted) { on_pictures(wanted); });
  else if (request.method == "node.place")
    take<NodePlaceMessage>(request, now, [this](const auto& place) { on_place(place); });
  else if (request.method == "node.tables")
    take<NodeTablesWanted>(request, now, [&](const auto& wanted) { on_tables(wanted, now); });
  else if (request.method == "node.fade")
    take<FadesMessage>(request, now, [this](const auto& message) { node_.on_fades(fades_of(message)); });
  else if (request.method == "node.sound")
    take<SoundLevel>(request, now, [this](const auto& level) {
      if (node_.on_sound) node_.on_sound(level);
    });
}

template <class Message>
void NodeReporter::take(const RpcRequest& request, LocalTime now, const auto& use) {
  if (const auto message = read_message<Message>(request.params))
    use(*message);
  else
    misunderstood(request.method, message.error().what, now);
}

}  // namespace lw
