// Knocks at a control port of another machine, before the WebSocket goes there: takes up TLS, holds the certificate
// against what is believed, and only then shows the token and hears whether it is let in. QWebSocket alone tells
// neither what certificate it refused nor the status and headers of an answer.
#pragma once

#include "wall-control/link/known_servers.h"
#include "wall-control/link/refusal.h"

#include <QObject>
#include <QSslConfiguration>
#include <QSslError>
#include <QSslSocket>
#include <QUrl>

namespace lw {

// What makes a server's certificate believable.
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
  // Once it is open: with these settings and these errors only (all of them of the certificate that was seen) a second
  // connection is to the same server.
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
  QUrl url_;  // empty: nobody waits for an answer
  QString token_;
  QString believed_;  // the fingerprint, where no authority is named
  QByteArray heard_;
  QSslConfiguration settings_;
  QList<QSslError> expected_;
  int knocks_ = 0;
};

// What goes with the upgrade; empty without a token.
QByteArray authorization(const QString& token);

}  // namespace lw
