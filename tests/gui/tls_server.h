// A control server behind TLS, like one on another machine: it asks for a token, and records what clients send.
#pragma once

#include "tests/gui/fake_server.h"

#include <QFile>
#include <QProcess>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslServer>
#include <QSslSocket>

namespace lw::test {

inline const QString good_token = "lw-" + QString(64, '7');

struct OwnCertificate {
  QString certificate_file, key_file;
  // Self-signed, for 127.0.0.1.
  explicit OwnCertificate(const QString& folder, const QString& name)
      : certificate_file(folder + "/" + name + ".crt"), key_file(folder + "/" + name + ".key") {
    const QStringList arguments{"req",
                                "-x509",
                                "-newkey",
                                "ec",
                                "-pkeyopt",
                                "ec_paramgen_curve:prime256v1",
                                "-nodes",
                                "-keyout",
                                key_file,
                                "-out",
                                certificate_file,
                                "-days",
                                "30",
                                "-subj",
                                "/CN=" + name,
                                "-addext",
                                "subjectAltName=IP:127.0.0.1"};
    QProcess made;
    made.start("openssl", arguments);
    made.waitForFinished();
  }
  [[nodiscard]] QSslCertificate certificate() const { return QSslCertificate::fromPath(certificate_file).value(0); }
  [[nodiscard]] QString fingerprint() const {
    return "sha256:" + certificate().digest(QCryptographicHash::Sha256).toHex();
  }
};

class TlsServer : public FakeServer {
public:
  explicit TlsServer(const OwnCertificate& own) {
    use(own);
    connect(&gate_, &QTcpServer::pendingConnectionAvailable, this, [this] {
      while (gate_.hasPendingConnections()) take(qobject_cast<QSslSocket*>(gate_.nextPendingConnection()));
    });
    QVERIFY(gate_.listen(QHostAddress::LocalHost));
  }
  // From the next connection on.
  void use(const OwnCertificate& own) {
    QFile key(own.key_file);
    QVERIFY(key.open(QIODevice::ReadOnly));
    auto settings = QSslConfiguration::defaultConfiguration();
    settings.setLocalCertificate(own.certificate());
    settings.setPrivateKey(QSslKey(&key, QSsl::Ec));
    gate_.setSslConfiguration(settings);
  }
  // An address that does not look like this machine.
  [[nodiscard]] QString address() const { return QString("wss://127.0.0.1:%1").arg(gate_.serverPort()); }
  [[nodiscard]] QString host_and_port() const { return QString("127.0.0.1:%1").arg(gate_.serverPort()); }

  QByteArrayList heads;                    // received requests with headers
  QByteArray closed_with;                  // not empty: the answer to everybody
  std::function<void()> after_first_head;  // once

private:
  void take(QSslSocket* socket) {
    connect(socket, &QSslSocket::disconnected, socket, &QObject::deleteLater);
    connect(socket, &QSslSocket::readyRead, this, [this, socket] {
      const auto begin = socket->peek(16'384);
      const auto end = begin.indexOf("\r\n\r\n");
      if (end < 0) return;
      heads << begin.left(end + 2);
      socket->disconnect(this);
      if (const auto then = std::exchange(after_first_head, {})) then();
      if (!closed_with.isEmpty()) return send_away(socket, closed_with);
      if (!heads.last().contains("Authorization: Bearer " + good_token.toLatin1() + "\r\n"))
        return send_away(socket, "401 Unauthorized\r\nWWW-Authenticate: Bearer");
      hand_over(socket);
    });
  }
  static void send_away(QSslSocket* socket, const QByteArray& status) {
    socket->write("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    socket->disconnectFromHost();
  }

  QSslServer gate_;
};

}  // namespace lw::test
