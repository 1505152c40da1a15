// A server that answers as wall-server does, remembers what it was asked, and can be made to fail.
#pragma once

#include <QHostAddress>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <QWebSocket>
#include <QWebSocketServer>

#include <utility>

namespace lw {

inline QJsonObject info(int protocol) {
  QJsonArray flows;
  QJsonArray tiles;
  for (int tile = 0; tile < 4; ++tile) {
    flows << QJsonObject{{"flow", tile},  {"tile", QJsonArray{tile % 2, tile / 2}},
                         {"node", "one"}, {"first_row", 0},
                         {"rows", 400},   {"port", 50000 + 2 * tile}};
    tiles << QJsonArray{tile % 2, tile / 2};
  }
  return {{"program", "wall-server"},
          {"version", "0"},
          {"protocol", protocol},
          {"host", "test"},
          {"wall", QJsonObject{{"name", "test wall"},
                               {"columns", 2},
                               {"rows", 2},
                               {"tile_width", 640},
                               {"tile_height", 400},
                               {"bezel_x", 16},
                               {"bezel_y", 16},
                               {"nodes", QJsonArray{QJsonObject{{"name", "one"}, {"tiles", tiles}}}},
                               {"flows", flows}}}};
}

inline QJsonObject visualization(const QString& name, bool fits) {
  return {{"name", name},
          {"title", "Title of " + name},
          {"tags", QJsonArray{"tag"}},
          {"columns", 2},
          {"rows", 2},
          {"tile_width", 640},
          {"tile_height", 400},
          {"pixel_format", "rgb8"},
          {"frame_rate", "30"},
          {"frames", 90},
          {"gbit_per_s", 0.74},
          {"poster", false},
          {"fits", fits},
          {"reason", fits ? "" : "made for another wall"}};
}

inline QJsonObject stats(qint64 packets, qint64 lost) {
  QJsonArray flows;
  QJsonArray tiles;
  for (int tile = 0; tile < 4; ++tile) {
    flows << QJsonObject{{"flow", tile},
                         {"receiving", true},
                         {"packets", packets},
                         {"lost", tile == 2 ? lost : 0},
                         {"gbit_per_s", 0.18 + tile * 0.01},
                         {"jitter_us", 20.0 + tile}};
    tiles << QJsonObject{{"tile", QJsonArray{tile % 2, tile / 2}},
                         {"frame", 17},
                         {"fps", 30.0},
                         {"frames_due", 100},
                         {"shown_whole", 100},
                         {"shown_concealed", 0},
                         {"not_shown", 0},
                         {"late", 0}};
  }
  return {{"interval_s", 0.1},
          {"sender", QJsonArray{}},
          {"nodes",
           QJsonArray{QJsonObject{
               {"node", "one"}, {"connected", true}, {"report", QJsonObject{{"flows", flows}, {"tiles", tiles}}}}}}};
}

class FakeServer : public QObject {
public:
  explicit FakeServer(int protocol = 1) : protocol_(protocol), server_("fake", QWebSocketServer::NonSecureMode) {
    connect(&server_, &QWebSocketServer::newConnection, this, [this] {
      auto* peer = server_.nextPendingConnection();
      peers_ << peer;
      connect(peer, &QWebSocket::textMessageReceived, this,
              [this, peer](const QString& text) { answer(peer, QJsonDocument::fromJson(text.toUtf8()).object()); });
    });
    listen(0);
  }
  void listen(quint16 port) { QVERIFY(server_.listen(QHostAddress::LocalHost, port)); }
  void stop() {
    server_.close();
    for (auto* peer : std::exchange(peers_, {})) peer->abort();
  }
  [[nodiscard]] quint16 port() const { return server_.serverPort(); }
  [[nodiscard]] QString address() const { return QString("127.0.0.1:%1").arg(server_.serverPort()); }
  void tell(const QString& method, const QJsonObject& params) {
    send_text(QJsonDocument(QJsonObject{{"jsonrpc", "2.0"}, {"method", method}, {"params", params}}).toJson());
  }
  void send_text(const QString& text) {
    for (auto* peer : peers_) peer->sendTextMessage(text);
  }

  QList<std::pair<QString, QJsonObject>> calls;
  QString refuse;  // a method that fails

private:
  void answer(QWebSocket* peer, const QJsonObject& request) {
    const auto method = request["method"].toString();
    calls << std::pair{method, request["params"].toObject()};
    QJsonObject reply{{"jsonrpc", "2.0"}, {"id", request["id"]}};
    if (method == refuse) {
      reply["error"] = QJsonObject{{"code", 1}, {"message", "the disk is on fire"}};
    } else if (method == "info") {
      reply["result"] = info(protocol_);
    } else if (method == "list") {
      reply["result"] =
          QJsonObject{{"visualizations", QJsonArray{visualization("alpha", true), visualization("beta", false)}}};
    } else if (method == "subscribe") {
      reply["result"] = QJsonObject{{"state", QJsonObject{{"status", "stopped"}, {"rate", 1.0}, {"loop", true}}},
                                    {"events", QJsonArray{}}};
    } else {
      reply["result"] = QJsonObject{};
    }
    peer->sendTextMessage(QString::fromUtf8(QJsonDocument(reply).toJson()));
  }

  int protocol_;
  QWebSocketServer server_;
  QList<QWebSocket*> peers_;
};

inline const QJsonObject playing_state{{"status", "playing"}, {"name", "alpha"}, {"frame", 17}, {"frames", 90},
                                       {"frame_rate", "30"},  {"rate", 1.0},     {"loop", true}};

}  // namespace lw
