#include "wall-control/app/call.h"

#include "common/base/print.h"
#include "wall-control/link/control_url.h"
#include "wall-control/link/wall_socket.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimer>

#include <cstdio>

namespace lw {
namespace {

constexpr int timeout_ms = 10'000;

void fail(const QString& words) {
  print_error("wall-control: {}", qUtf8Printable(words));
  QCoreApplication::exit(1);
}

QString refusal_text(const QString& address, const Refusal& refusal) {
  if (refusal.kind == Refusal::Kind::token)
    return QObject::tr("refused: token: %1: %2; give one with --token-file or LAMBDAWALL_TOKEN")
        .arg(address, refusal.words);
  if (refusal.kind == Refusal::Kind::too_many)
    return QObject::tr("refused: %1: %2; again in %3 s").arg(address, refusal.words).arg(refusal.wait_s);
  return QObject::tr("refused: %1: %2").arg(address, refusal.words);
}

}  // namespace

int call_once(const QString& address, const Access& access, const QString& method, const QString& params) {
  QJsonParseError problem{};
  const auto document = QJsonDocument::fromJson(params.isEmpty() ? "{}" : params.toUtf8(), &problem);
  if (!document.isObject()) {
    print_error("wall-control: PARAMS is no JSON object ({}); write them like '{{\"name\": \"cosmos-2d\"}}'",
                qUtf8Printable(problem.errorString()));
    return 2;
  }
  const auto url = control_url(address);
  if (!url.isValid()) {
    print_error("wall-control: '{}' is no address; write HOST:PORT", qUtf8Printable(address));
    return 2;
  }
  WallSocket socket;
  socket.set_trust(access.trust);
  QObject::connect(&socket, &WallSocket::opened, &socket, [&] {
    const QJsonObject message{{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", document.object()}};
    socket.send(QString::fromUtf8(QJsonDocument(message).toJson(QJsonDocument::Compact)));
  });
  QObject::connect(&socket, &WallSocket::heard, &socket, [&socket](const QString& text) {
    const auto answer = QJsonDocument::fromJson(text.toUtf8()).object();
    if (!answer.contains("id")) return;
    socket.disconnect();  // whatever follows the answer does not count as a failure
    if (answer.contains("error")) return fail(answer["error"].toObject()["message"].toString());
    const auto result = answer["result"];
    const auto printed = result.isArray() ? QJsonDocument(result.toArray()) : QJsonDocument(result.toObject());
    print_out("{}", printed.toJson(QJsonDocument::Indented).constData());
    QCoreApplication::exit(0);
  });
  QObject::connect(&socket, &WallSocket::closed, &socket, [&](const QString& reason) {
    fail(QObject::tr("no answer from %1: %2; is the wall-server running, and is this its control address?")
             .arg(address, reason));
  });
  QObject::connect(&socket, &WallSocket::refused, &socket, [&](const Refusal& refusal) {
    if (believe_aloud(refusal, address, access.trust.known)) return socket.open(url, access.token);
    fail(refusal_text(address, refusal));
  });
  QTimer::singleShot(timeout_ms, &socket,
                     [&] { fail(QObject::tr("no answer from %1 within 10 s; is it a wall-server?").arg(address)); });
  QTimer::singleShot(0, &socket, [&] { socket.open(url, access.token); });
  return QCoreApplication::exec();
}

}  // namespace lw
