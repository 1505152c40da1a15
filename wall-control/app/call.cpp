#include "wall-control/app/call.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimer>
#include <QUrl>
#include <QWebSocket>

#include <cstdio>

namespace lw {
namespace {

constexpr int timeout_ms = 10'000;

void fail(const QString& words) {
  std::fprintf(stderr, "wall-control: %s\n", qUtf8Printable(words));
  QCoreApplication::exit(1);
}

}  // namespace

int call_once(const QString& address, const QString& method, const QString& params) {
  QJsonParseError problem{};
  const auto document = QJsonDocument::fromJson(params.isEmpty() ? "{}" : params.toUtf8(), &problem);
  if (!document.isObject()) {
    std::fprintf(stderr, "wall-control: PARAMS is no JSON object (%s); write them like '{\"name\": \"cosmos-2d\"}'\n",
                 qUtf8Printable(problem.errorString()));
    return 2;
  }
  QWebSocket socket;
  QObject::connect(&socket, &QWebSocket::connected, &socket, [&] {
    const QJsonObject message{{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", document.object()}};
    socket.sendTextMessage(QString::fromUtf8(QJsonDocument(message).toJson(QJsonDocument::Compact)));
  });
  QObject::connect(&socket, &QWebSocket::textMessageReceived, &socket, [&socket](const QString& text) {
    const auto answer = QJsonDocument::fromJson(text.toUtf8()).object();
    if (!answer.contains("id")) return;
    socket.disconnect();  // what comes after the answer is no failure
    if (answer.contains("error")) return fail(answer["error"].toObject()["message"].toString());
    const auto result = answer["result"];
    const auto printed = result.isArray() ? QJsonDocument(result.toArray()) : QJsonDocument(result.toObject());
    std::printf("%s", printed.toJson(QJsonDocument::Indented).constData());
    QCoreApplication::exit(0);
  });
  QObject::connect(&socket, &QWebSocket::disconnected, &socket, [&] {
    fail(QObject::tr("no answer from %1: %2; is the wall-server running, and is this its control address?")
             .arg(address, socket.errorString()));
  });
  QTimer::singleShot(timeout_ms, &socket,
                     [&] { fail(QObject::tr("no answer from %1 within 10 s; is it a wall-server?").arg(address)); });
  QTimer::singleShot(0, &socket, [&] { socket.open(QUrl("ws://" + address)); });
  return QCoreApplication::exec();
}

}  // namespace lw
