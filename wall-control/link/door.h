// Probes a control port of another machine before the WebSocket connects: starts TLS, compares the certificate
// with the trusted one, and only then sends the token and learns whether it is accepted. QWebSocket alone reports
// neither which certificate it refused nor the status and headers of an answer.
#pragma once

#include "wall-control/link/known_servers.h"
#include "wall-control/link/refusal.h"

#include <QObject>
#include <QSslConfiguration>
#include <QSslError>
#include <QSslSocket>
#include <QUrl>

namespace lw {

// What makes a server's certificate trustworthy.
struct Trust {
  QString ca_file;  // if given, nothing else counts
  KnownServers known;
};

class Door : public QObject {
  Q_OBJECT

public:
  explicit Door(QObject* parent = nullptr);

  void set_trust(const Trust& trust) { trust_ = trust; }
  [[nodiscard]] const Trust& trust() const { return trust_; }
  // `token` may be empty.
  void knock(const QUrl& url, const QString& token);
  void leave();
  // Once it is open: a second connection with these settings and only these errors (all of the certificate that was
  // checked) goes to the same server.
  [[nodiscard]] const QSslConfiguration& settings() const { return settings_; }
  [[nodiscard]] const QList<QSslError>& expected() const { return expected_; }

signals:
  void opened();
  void refused(const lw::Refusal& refusal);
  void unreachable(const QString& reason);

private:
  [[nodiscard]] bool prepare(const QUrl& url);
  void judge(const QList<QSslError>& errors);
  void ask();
  void hear();
  void refuse(const Refusal& refusal);
  void judge_status(const QByteArray& head);
  [[nodiscard]] Refusal certificate_refusal(const QString& shown) const;

  QSslSocket socket_;
  Trust trust_;
  QUrl url_;  // empty: no request is pending
  QString token_;
  QString believed_;  // the trusted fingerprint, if no authority is named
  QByteArray heard_;
  QSslConfiguration settings_;
  QList<QSslError> expected_;
  int knocks_ = 0;
};

// The headers of the upgrade; empty without a token.
QByteArray authorization(const QString& token);

}  // namespace lw
