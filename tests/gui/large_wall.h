// A wall of 64 tiles with 4 flows each, and a server that sends the statistics of such a wall ten times a second, from
// its own thread.
#pragma once

#include "tests/gui/fake_server.h"

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

constexpr int large_tiles = 64, large_flows = 256, large_nodes = 16;

inline QJsonArray large_place(int tile) { return {tile % 8, tile / 8}; }

inline QJsonObject large_wall() {
  QJsonArray flows, nodes;
  for (int flow = 0; flow < large_flows; ++flow)
    flows << QJsonObject{{"flow", flow},
                         {"tile", large_place(flow / 4)},
                         {"node", QString("node%1").arg(flow / 16)},
                         {"first_row", flow % 4 * 270},
                         {"rows", 270},
                         {"port", 50'000 + 2 * flow}};
  for (int node = 0; node < large_nodes; ++node) {
    QJsonArray tiles;
    for (int i = 0; i < 4; ++i) tiles << large_place(4 * node + i);
    nodes << QJsonObject{
        {"name", QString("node%1").arg(node)}, {"address", QString("10.0.0.%1").arg(node + 1)}, {"tiles", tiles}};
  }
  return {{"protocol", 1},
          {"host", "large"},
          {"version", "0"},
          {"wall", QJsonObject{{"name", "large"},
                               {"columns", 8},
                               {"rows", 8},
                               {"tile_width", 1920},
                               {"tile_height", 1080},
                               {"frame_rate", "60"},
                               {"flows_per_tile", 4},
                               {"playout_delay_ms", 80},
                               {"nodes", nodes},
                               {"flows", flows}}}};
}

// All figures that server and nodes report; flow 77 is unsteady.
inline QJsonObject large_stats(int tenth, qint64 time_ms) {
  const auto wave = [&](int of, double mean) { return mean * (1 + 0.3 * std::sin(0.05 * tenth + of)); };
  QJsonArray senders, wall_flows, wall_tiles, nodes;
  for (int flow = 0; flow < large_flows; ++flow) {
    QJsonObject sender{
        {"flow", flow}, {"tile", large_place(flow / 4)}, {"ssrc", 305'419'896 + flow}, {"cpu", flow % 64}};
    for (const char* key : {"packets", "bytes", "frames", "frames_skipped", "send_errors", "resent", "resent_bytes",
                            "resends_refused", "parity", "parity_bytes", "calls", "zero_copy_calls"})
      sender[key] = 1000 * tenth;
    for (const char* key : {"cpu_s", "gbit_per_s", "late_us_max", "rtt_us", "read_us_p50", "read_us_p99",
                            "queue_us_p50", "queue_us_p99", "send_us_p50", "send_us_p99"})
      sender[key] = wave(flow, 120);
    senders << sender;
    wall_flows << QJsonObject{{"flow", flow}, {"flight_us_p50", wave(flow, 60)}, {"flight_us_p99", wave(flow, 150)}};
  }
  for (int tile = 0; tile < large_tiles; ++tile)
    wall_tiles << QJsonObject{{"tile", large_place(tile)}, {"skew_us", wave(tile, 35)}};
  for (int node = 0; node < large_nodes; ++node) {
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
      QJsonObject figures{{"tile", large_place(tile)}, {"frame", 6 * tenth % 600}, {"fps", 60.0}};
      for (const char* key : {"frames_due", "shown_whole", "swaps"}) figures[key] = 6 * tenth;
      for (const char* key :
           {"shown_repaired", "shown_concealed", "not_shown", "cut_at_start", "late", "playout_frames"})
        figures[key] = 0;
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
  LargeWallServer() {
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
  // A slow client is sent less, as by wall-server.
  void was_taken() { ++taken_; }

private:
  static QString text_of(const QString& method, const QJsonObject& params) {
    return QString::fromUtf8(QJsonDocument(QJsonObject{{"jsonrpc", "2.0"}, {"method", method}, {"params", params}})
                                 .toJson(QJsonDocument::Compact));
  }
  // As large and detailed as the previews that nodes send.
  static QString picture(int tile) {
    QImage image(256, 144, QImage::Format_RGB888);
    image.fill(QColor::fromHsv(tile * 5, 200, 90));
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
                   {{"tile", large_place(tile)}, {"mime", "image/png"}, {"base64", QString(bytes.toBase64())}});
  }
  void begin() {
    server_ = std::make_unique<FakeServer>();
    server_->results["info"] = large_wall();
    server_->results["subscribe"] = {{"state", playing_state}, {"events", QJsonArray{}}};
    address_ = server_->address();
    for (int tile = 0; tile < large_tiles; ++tile) pictures_ << picture(tile);
    timer_ = std::make_unique<QTimer>();
    QObject::connect(timer_.get(), &QTimer::timeout, server_.get(), [this] { tell(); });
    timer_->setTimerType(Qt::PreciseTimer);
    timer_->start(100);
  }
  void tell() {
    if (!began_ || tenth_ - taken_ > 3) return;
    // The next tenth is made before it is due, in this thread.
    server_->send_text(next_.isEmpty() ? text_of("stats", stats()) : next_);
    // 2.5 a second of each tile.
    for (int i = 0; i < large_tiles / 4 && pictures_on_; ++i)
      server_->send_text(pictures_[(large_tiles / 4 * tenth_ + i) % large_tiles]);
    next_ = text_of("stats", stats());
  }
  QJsonObject stats() {
    ++tenth_;
    return large_stats(tenth_, 1'800'000'000'000 + 100 * tenth_);
  }

  QThread thread_;
  QObject at_home_;
  std::unique_ptr<FakeServer> server_;
  std::unique_ptr<QTimer> timer_;
  QStringList pictures_;
  QString address_, next_;
  int tenth_ = 0;
  std::atomic<int> taken_ = 0;
  std::atomic<bool> began_ = false;
  std::atomic<bool> pictures_on_ = false;
};

}  // namespace lw::test
