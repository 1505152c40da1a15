// A large wall with 4 flows for each tile, and a server that sends the statistics of such a wall ten times a second,
// from its own thread.
#pragma once

#include "common/messages/stats_tables.h"
#include "tests/gui/fake_server.h"
#include "wall-control/messages/told.h"

#include <QBuffer>
#include <QDateTime>
#include <QImage>
#include <QPainter>
#include <QThread>
#include <QTimer>

#include <atomic>
#include <cmath>
#include <memory>

namespace lw::test {

struct LargeSize {
  int columns = 8, rows = 8;

  [[nodiscard]] int tiles() const { return columns * rows; }
  [[nodiscard]] int flows() const { return 4 * tiles(); }
  [[nodiscard]] int nodes() const { return tiles() / 4; }
  [[nodiscard]] QJsonArray place(int tile) const { return {tile % columns, tile / columns}; }
};

inline QJsonObject large_wall(const LargeSize& size = {}) {
  QJsonArray flows, nodes;
  for (int flow = 0; flow < size.flows(); ++flow)
    flows << QJsonObject{{"flow", flow},
                         {"tile", size.place(flow / 4)},
                         {"node", QString("node%1").arg(flow / 16)},
                         {"first_row", flow % 4 * 270},
                         {"rows", 270},
                         {"port", 50'000 + 2 * flow}};
  for (int node = 0; node < size.nodes(); ++node) {
    QJsonArray tiles;
    for (int i = 0; i < 4; ++i) tiles << size.place(4 * node + i);
    nodes << QJsonObject{
        {"name", QString("node%1").arg(node)}, {"address", QString("10.0.0.%1").arg(node + 1)}, {"tiles", tiles}};
  }
  return {{"protocol", 1},
          {"host", "large"},
          {"version", "0"},
          {"wall", QJsonObject{{"name", "large"},
                               {"columns", size.columns},
                               {"rows", size.rows},
                               {"tile_width", 1920},
                               {"tile_height", 1080},
                               {"frame_rate", "60"},
                               {"flows_per_tile", 4},
                               {"playout_delay_ms", 80},
                               {"nodes", nodes},
                               {"flows", flows}}}};
}

// All figures that server and nodes report; flow 77 is unsteady. In an incident its tile conceals frames.
inline QJsonObject large_stats(int tenth, qint64 time_ms, const LargeSize& size = {}, bool incident = false) {
  const auto wave = [&](int of, double mean) { return mean * (1 + 0.3 * std::sin(0.05 * tenth + of)); };
  QJsonArray senders, wall_flows, wall_tiles, nodes;
  for (int flow = 0; flow < size.flows(); ++flow) {
    QJsonObject sender{
        {"flow", flow}, {"tile", size.place(flow / 4)}, {"ssrc", 305'419'896 + flow}, {"cpu", flow % 64}};
    for (const char* key : {"packets", "bytes", "frames", "frames_skipped", "send_errors", "resent", "resent_bytes",
                            "resends_refused", "parity", "parity_bytes", "calls", "zero_copy_calls"})
      sender[key] = 1000 * tenth;
    for (const char* key : {"cpu_s", "gbit_per_s", "late_us_max", "rtt_us", "read_us_p50", "read_us_p99",
                            "queue_us_p50", "queue_us_p99", "send_us_p50", "send_us_p99"})
      sender[key] = wave(flow, 120);
    senders << sender;
    wall_flows << QJsonObject{{"flow", flow}, {"flight_us_p50", wave(flow, 60)}, {"flight_us_p99", wave(flow, 150)}};
  }
  for (int tile = 0; tile < size.tiles(); ++tile)
    wall_tiles << QJsonObject{{"tile", size.place(tile)}, {"skew_us", wave(tile, 35)}};
  for (int node = 0; node < size.nodes(); ++node) {
    QJsonArray flows, tiles;
    for (int flow = 16 * node; flow < 16 * (node + 1); ++flow) {
      QJsonObject figures{{"flow", flow},
                          {"ssrc", 305'419'896 + flow},
                          {"cpu", flow % 16},
                          {"receiving", true},
                          {"packets", 1000 * tenth}};
      for (const char* key : {"bytes", "calls", "used", "in_place", "resends_asked", "resent", "repaired", "parity",
                              "rebuilt", "duplicates", "reordered", "late", "invalid", "loss_runs", "loss_run_max",
                              "bands_whole", "bands_incomplete", "bands_dropped"})
        figures[key] = tenth;
      figures["lost"] = flow == 77 ? 3 * tenth : 0;
      figures["kernel_drops"] = 0;
      for (const char* key :
           {"gbit_per_s", "cpu_s", "jitter_us", "jitter_max_us", "delay_us_min", "delay_us_p50", "delay_us_p99",
            "completion_us_p50", "completion_us_p99", "assemble_us_p50", "assemble_us_p99"})
        figures[key] = wave(flow, flow == 77 ? 400 : 20);
      flows << figures;
    }
    for (int tile = 4 * node; tile < 4 * (node + 1); ++tile) {
      QJsonObject figures{{"tile", size.place(tile)}, {"frame", 6 * tenth % 600}, {"fps", 60.0}};
      for (const char* key : {"frames_due", "shown_whole", "swaps"}) figures[key] = 6 * tenth;
      for (const char* key :
           {"shown_repaired", "shown_concealed", "not_shown", "cut_at_start", "late", "playout_frames"})
        figures[key] = 0;
      if (incident && tile == 77 / 4) figures["shown_concealed"] = tenth;
      for (const char* key :
           {"lateness_us_p50", "lateness_us_p99", "lateness_us_max", "wait_us_p50", "wait_us_p99", "upload_us_p50",
            "upload_us_p99", "swap_us_p50", "swap_us_p99", "scanout_us_p50", "scanout_us_p99"})
        figures[key] = wave(tile, 900);
      QJsonArray presented;
      for (int swap = 0; swap < 6; ++swap) presented << QJsonArray{time_ms * 1000, wave(swap, 40)};
      figures["presented"] = presented;
      tiles << figures;
    }
    nodes << QJsonObject{{"node", QString("node%1").arg(node)},
                         {"connected", true},
                         {"age_s", 0.04},
                         {"report", QJsonObject{{"process", QJsonObject{{"cpus", 16}, {"cpu_share", 0.4}}},
                                                {"clock", QJsonObject{{"state", "kept"}, {"error_us", 60.0}}},
                                                {"flows", flows},
                                                {"tiles", tiles}}}};
  }
  return {{"interval_s", 0.1},
          {"time", QDateTime::fromMSecsSinceEpoch(time_ms, Qt::UTC).toString(Qt::ISODateWithMs)},
          {"wall", QJsonObject{{"tiles", wall_tiles},
                               {"flows", wall_flows},
                               {"playout_delay_us", 80'000.0},
                               {"skew_us_p50", wave(1, 80)},
                               {"skew_us_p99", wave(2, 420)},
                               {"skew_error_us", 60.0}}},
          {"sender", senders},
          {"nodes", nodes}};
}

// Texts are prepared, so that only sending is left to do while measuring.
class LargeWallServer {
public:
  // `tables`: sends statistics as tables, like present servers; otherwise as JSON.
  explicit LargeWallServer(const LargeSize& size = {}, bool tables = true) : size_(size), tables_(tables) {
    at_home_.moveToThread(&thread_);
    thread_.start();
    QMetaObject::invokeMethod(
        &at_home_, [this] { begin(); }, Qt::BlockingQueuedConnection);
  }
  ~LargeWallServer() {
    QMetaObject::invokeMethod(
        &at_home_,
        [this] {
          server_.reset();
          timer_.reset();
        },
        Qt::BlockingQueuedConnection);
    thread_.quit();
    thread_.wait();
  }
  [[nodiscard]] QString address() const { return address_; }
  // Once a client is connected.
  void start() { began_ = true; }
  void send_pictures(bool on) { pictures_on_ = on; }
  void begin_incident() { incident_ = true; }
  // A slow client is sent less, as by wall-server.
  void was_taken() { ++taken_; }

private:
  static QString text_of(const QString& method, const QJsonObject& params) {
    return QString::fromUtf8(QJsonDocument(QJsonObject{{"jsonrpc", "2.0"}, {"method", method}, {"params", params}})
                                 .toJson(QJsonDocument::Compact));
  }
  // As large and detailed as the previews that nodes send.
  [[nodiscard]] QString picture(int tile) const {
    QImage image(256, 144, QImage::Format_RGB888);
    image.fill(QColor::fromHsv(tile * 5 % 360, 200, 90));
    QPainter painter(&image);
    for (int i = 0; i < 400; ++i) {
      painter.setPen(QColor::fromHsv((tile * 5 + i) % 360, 150, 255));
      painter.drawEllipse(QPoint((i * 37 + tile * 11) % 256, (i * 61) % 144), i % 9, i % 7);
    }
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    image.save(&buffer, "png");
    return text_of("picture",
                   {{"tile", size_.place(tile)}, {"mime", "image/png"}, {"base64", QString(bytes.toBase64())}});
  }
  void begin() {
    server_ = std::make_unique<FakeServer>();
    server_->results["info"] = large_wall(size_);
    if (tables_) server_->results["info"]["methods"] = QJsonArray{"telemetry"};
    server_->results["subscribe"] = {{"state", playing_state}, {"events", QJsonArray{}}};
    address_ = server_->address();
    for (int tile = 0; tile < size_.tiles(); ++tile) pictures_ << picture(tile);
    timer_ = std::make_unique<QTimer>();
    QObject::connect(timer_.get(), &QTimer::timeout, server_.get(), [this] { tell(); });
    timer_->setTimerType(Qt::PreciseTimer);
    timer_->start(100);
  }
  void tell() {
    if (!began_ || tenth_ - taken_ > 3) return;
    // The next tenth is made before it is due, in this thread.
    if (next_.isEmpty()) next_ = message();
    tables_ ? server_->send_bytes(next_) : server_->send_text(QString::fromUtf8(next_));
    // 2.5 a second of each tile.
    const int each = size_.tiles() / 4;
    for (int i = 0; i < each && pictures_on_; ++i) server_->send_text(pictures_[(each * tenth_ + i) % size_.tiles()]);
    next_ = message();
  }
  QByteArray message() {
    if (!tables_) return text_of("stats", stats()).toUtf8();
    const bool is_first = tenth_ == 0;
    // As the window asks for them.
    const int flows_every = size_.flows() > 1024 ? 5 : 1;
    sender_.put(stats_from(stats()).value(), tenth_ % flows_every == 0);
    const auto differences = sender_.take_differences();
    return QByteArray::fromStdString(is_first ? sender_.full() : differences);
  }
  QJsonObject stats() {
    ++tenth_;
    return large_stats(tenth_, 1'800'000'000'000 + 100 * tenth_, size_, incident_);
  }

  const LargeSize size_;
  const bool tables_;
  StatsTablesSender sender_{true};
  QThread thread_;
  QObject at_home_;
  std::unique_ptr<FakeServer> server_;
  std::unique_ptr<QTimer> timer_;
  QStringList pictures_;
  QString address_;
  QByteArray next_;
  int tenth_ = 0;
  std::atomic<int> taken_ = 0;
  std::atomic<bool> began_ = false;
  std::atomic<bool> pictures_on_ = false;
  std::atomic<bool> incident_ = false;
};

}  // namespace lw::test
