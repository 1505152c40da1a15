// A WebSocket to a server's control plane: plain on this machine, elsewhere over TLS with a trusted certificate
// and a token (docs/security.md).
#pragma once

#include "wall-control/link/door.h"

#include <QWebSocket>

namespace lw {

class WallSocket : public QObject {
  Q_OBJECT

public:
  explicit WallSocket(QObject* parent = nullptr);

  void set_trust(const Trust& trust) { door_.set_trust(trust); }
  [[nodiscard]] const Trust& trust() const { return door_.trust(); }
  // A valid control_url(). The token is not sent to a server on this machine.
  void open(const QUrl& url, const QString& token);
  void abort();
  [[nodiscard]] bool is_open() const { return socket_.state() == QAbstractSocket::ConnectedState; }
  void send(const QString& text) { socket_.sendTextMessage(text); }

signals:
  void opened();
  void heard(const QString& text);
  void heard_bytes(const QByteArray& bytes);  // of a binary message
  void closed(const QString& reason);         // or could not be opened
  void refused(const lw::Refusal& refusal);

private:
  void open_behind(const QUrl& url);

  Door door_;
  QWebSocket socket_;
  QUrl url_;
  QString token_;
};

}  // namespace lw
