// A control server that records its requests and answers from a table.
#pragma once

#include "wall-control/ui/palette.h"

#include <QApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStyleFactory>
#include <QTest>
#include <QWebSocket>
#include <QWebSocketServer>

#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace lw::test {

// For previews as operators see them.
inline void look_like_the_program() {
  QApplication::setStyle(QStyleFactory::create("Fusion"));
  QApplication::setPalette(colors::palette());
}

class ScriptedServer : public QObject {
public:
  ScriptedServer() : server_("scripted", QWebSocketServer::NonSecureMode) {
    connect(&server_, &QWebSocketServer::newConnection, this, [this] {
      auto* peer = server_.nextPendingConnection();
      peers_ << peer;
      shown_token |= peer->request().hasRawHeader("Authorization");
      connect(peer, &QWebSocket::textMessageReceived, this,
              [this, peer](const QString& text) { answer(peer, QJsonDocument::fromJson(text.toUtf8()).object()); });
    });
    listen(0);
    results["info"] = {{"protocol", 1}, {"wall", wall()}};
    results["subscribe"] = {{"state", QJsonObject{{"status", "stopped"}, {"rate", 1.0}, {"loop", true}}},
                            {"events", QJsonArray{}}};
  }
  // 2 x 1 tiles on node "one".
  static QJsonObject wall() {
    const QJsonArray tiles{QJsonArray{0, 0}, QJsonArray{1, 0}};
    QJsonArray flows;
    for (int i = 0; i < 2; ++i)
      flows << QJsonObject{{"flow", i},      {"tile", tiles[i]}, {"node", "one"},
                           {"first_row", 0}, {"rows", 40},       {"port", 50000 + 2 * i}};
    return {{"name", "test wall"},
            {"columns", 2},
            {"rows", 1},
            {"tile_width", 64},
            {"tile_height", 40},
            {"flows_per_tile", 1},
            {"playout_delay_ms", 80},
            {"nodes", QJsonArray{QJsonObject{{"name", "one"}, {"tiles", tiles}}}},
            {"flows", flows}};
  }
  void listen(quint16 port) { QVERIFY(server_.listen(QHostAddress::LocalHost, port)); }
  void stop() {
    server_.close();
    for (auto* peer : std::exchange(peers_, {})) peer->abort();
  }
  [[nodiscard]] quint16 port() const { return server_.serverPort(); }
  [[nodiscard]] QString address() const { return QString("127.0.0.1:%1").arg(port()); }
  void tell(const QString& method, const QJsonObject& params) {
    // A window that subscribes (again) gets the same state: otherwise the answer would return to an older one.
    if (method == "state") results["subscribe"]["state"] = params;
    send_text(QJsonDocument(QJsonObject{{"jsonrpc", "2.0"}, {"method", method}, {"params", params}}).toJson());
  }
  void send_text(const QString& text) {
    for (auto* peer : peers_) peer->sendTextMessage(text);
  }
  void send_bytes(const QByteArray& bytes) {
    for (auto* peer : peers_) peer->sendBinaryMessage(bytes);
  }
  bool was_asked(const QString& method, const QJsonObject& params = {}) {
    return QTest::qWaitFor([&] { return calls.contains(std::pair{method, params}); }, 2000);
  }

  QList<std::pair<QString, QJsonObject>> calls;
  bool shown_token = false;
  std::map<QString, QJsonObject> results;  // by method; others are answered with {}
  std::map<QString, QString> errors;       // by method: rejected with this text
  // An answer that depends on what is asked; none: that of `results`.
  std::function<std::optional<QJsonObject>(const QString& method, const QJsonObject& params)> answer_with;

protected:
  // Takes over a connection accepted elsewhere that has sent its upgrade.
  void hand_over(QTcpSocket* socket) {
    server_.handleConnection(socket);
    emit socket->readyRead();
  }

private:
  void answer(QWebSocket* peer, const QJsonObject& request) {
    const auto method = request["method"].toString();
    calls << std::pair{method, request["params"].toObject()};
    QJsonObject reply{{"jsonrpc", "2.0"}, {"id", request["id"]}};
    if (const auto error = errors.find(method); error != errors.end())
      reply["error"] = QJsonObject{{"code", 1}, {"message", error->second}};
    else
      reply["result"] = answer_to(method, request["params"].toObject());
    peer->sendTextMessage(QString::fromUtf8(QJsonDocument(reply).toJson()));
  }

  QJsonObject answer_to(const QString& method, const QJsonObject& params) {
    if (answer_with)
      if (const auto answer = answer_with(method, params)) return *answer;
    return results[method];
  }

  QWebSocketServer server_;
  QList<QWebSocket*> peers_;
};

}  // namespace lw::test
