#include "wall-control/link/wall_socket.h"

#include "common/base/printable.h"

#include <QNetworkRequest>

namespace lw {

WallSocket::WallSocket(QObject* parent) : QObject(parent) {
  connect(&door_, &Door::opened, this, [this] { open_behind(url_); });
  connect(&door_, &Door::refused, this, &WallSocket::refused);
  connect(&door_, &Door::unreachable, this, &WallSocket::closed);
  connect(&socket_, &QWebSocket::connected, this, &WallSocket::opened);
  // All texts from a server enter here: making them printable here covers everything that shows or prints them. Those
  // in binary messages enter in StatsReader.
  connect(&socket_, &QWebSocket::textMessageReceived, this,
          [this](const QString& text) { emit heard(QString::fromStdString(printable_json(text.toStdString()))); });
  connect(&socket_, &QWebSocket::binaryMessageReceived, this, &WallSocket::heard_bytes);
  connect(&socket_, &QWebSocket::disconnected, this, [this] {
    const auto reason = socket_.closeReason().isEmpty() ? socket_.errorString() : socket_.closeReason();
    emit closed(QString::fromStdString(printable(reason.toStdString())));
  });
}

void WallSocket::open(const QUrl& url, const QString& token) {
  abort();
  url_ = url;
  token_ = token;
  if (url.scheme() == "ws") return socket_.open(url);
  door_.knock(url, token);
}

// Errors are ignored only for the certificate that was checked: TLS itself refuses another one,
// before the token is sent.
void WallSocket::open_behind(const QUrl& url) {
  socket_.setSslConfiguration(door_.settings());
  socket_.ignoreSslErrors(door_.expected());
  QNetworkRequest request(url);
  if (const auto shown = authorization(token_); !shown.isEmpty()) request.setRawHeader("Authorization", shown);
  socket_.open(request);
}

void WallSocket::abort() {
  door_.leave();
  socket_.abort();
}

}  // namespace lw
