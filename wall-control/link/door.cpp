#include "wall-control/link/door.h"

#include "wall-control/link/control_url.h"

#include <QSslCertificate>

#include <algorithm>

namespace lw {
namespace {

constexpr qsizetype head_bytes_max = 16 * 1024;
constexpr int wait_default_s = 60;
constexpr int wait_max_s = 3600;
enum Status { switching = 101, unauthorized = 401, misdirected = 421, too_many = 429, unavailable = 503 };

QByteArray header(const QByteArray& head, const QByteArray& name) {
  for (const auto& line : head.split('\n')) {
    const auto colon = line.indexOf(':');
    if (colon > 0 && line.left(colon).trimmed().toLower() == name) return line.mid(colon + 1).trimmed();
  }
  return {};
}

}  // namespace

QByteArray authorization(const QString& token) { return token.isEmpty() ? QByteArray() : "Bearer " + token.toLatin1(); }

Door::Door(QObject* parent) : QObject(parent) {
  connect(&socket_, &QSslSocket::sslErrors, this, &Door::judge);
  connect(&socket_, &QSslSocket::encrypted, this, &Door::ask);
  connect(&socket_, &QSslSocket::readyRead, this, &Door::hear);
  connect(&socket_, &QSslSocket::errorOccurred, this, [this] {
    if (url_.isEmpty()) return;
    url_.clear();
    emit unreachable(socket_.errorString());
  });
}

void Door::leave() {
  ++knocks_;
  url_.clear();
  socket_.abort();
}

void Door::knock(const QUrl& url, const QString& token) {
  leave();
  token_ = token;
  heard_.clear();
  expected_.clear();
  if (!prepare(url)) return;
  url_ = url;
  socket_.setSslConfiguration(settings_);
  socket_.connectToHostEncrypted(url.host(), static_cast<quint16>(url.port()));
}

// The system's authorities are not used: a wall's certificate is self-signed, or from the named authority.
bool Door::prepare(const QUrl& url) {
  settings_ = QSslConfiguration::defaultConfiguration();
  settings_.setProtocol(QSsl::TlsV1_2OrLater);
  settings_.setPeerVerifyMode(QSslSocket::VerifyPeer);
  settings_.setCaCertificates({});
  believed_.clear();
  if (!trust_.ca_file.isEmpty()) {
    const auto authorities = QSslCertificate::fromPath(trust_.ca_file);
    settings_.setCaCertificates(authorities);
    if (!authorities.isEmpty()) return true;
    refuse({Refusal::Kind::bad_certificate, tr("there is no certificate in %1; name a PEM file").arg(trust_.ca_file)});
    return false;
  }
  const auto known = trust_.known.fingerprint_of(host_and_port(url));
  if (!known) {
    refuse({Refusal::Kind::other, QString::fromStdString(known.error().text())});
    return false;
  }
  believed_ = *known;
  return true;
}

// Called during the TLS handshake, before anything of ours is sent. Without authorities there is always an error to
// judge.
void Door::judge(const QList<QSslError>& errors) {
  const auto shown = fingerprint_of(socket_.peerCertificate().toDer());
  if (!believed_.isEmpty() && shown == believed_ && trust_.ca_file.isEmpty()) {
    expected_ = errors;
    return socket_.ignoreSslErrors(errors);
  }
  if (trust_.ca_file.isEmpty()) return refuse(certificate_refusal(shown));
  QStringList words;
  for (const auto& error : errors) words << error.errorString();
  refuse({Refusal::Kind::bad_certificate,
          tr("the certificate (%1) is not good by %2: %3").arg(shown, trust_.ca_file, words.join(", "))});
}

Refusal Door::certificate_refusal(const QString& shown) const {
  const auto server = host_and_port(url_);
  if (believed_.isEmpty())
    return {Refusal::Kind::first_use, tr("the certificate of %1 is not known yet (%2)").arg(server, shown), shown};
  return {Refusal::Kind::other_certificate,
          tr("the certificate of %1 is another one (%2) than before (%3); if that is meant, remove its line from %4")
              .arg(server, shown, believed_, trust_.known.file()),
          shown, believed_};
}

void Door::ask() {
  const auto shown = fingerprint_of(socket_.peerCertificate().toDer());
  if (trust_.ca_file.isEmpty() && (believed_.isEmpty() || shown != believed_))
    return refuse(certificate_refusal(shown));
  QByteArray request = "GET / HTTP/1.1\r\nHost: " + host_and_port(url_).toLatin1() +
                       "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                       "Sec-WebSocket-Key: bGFtYmRhd2FsbC1rbm9jaw==\r\n";
  if (const auto shown_token = authorization(token_); !shown_token.isEmpty())
    request += "Authorization: " + shown_token + "\r\n";
  socket_.write(request + "\r\n");
}

void Door::hear() {
  if (url_.isEmpty()) return;
  heard_ += socket_.read(head_bytes_max - heard_.size());
  const auto end = heard_.indexOf("\r\n\r\n");
  if (end >= 0) return judge_status(heard_.left(end));
  if (heard_.size() == head_bytes_max)
    refuse({Refusal::Kind::other, tr("it does not speak HTTP; is it a wall-server?")});
}

void Door::judge_status(const QByteArray& head) {
  const auto words = head.left(head.indexOf('\r')).split(' ');
  const int status = words.size() > 1 && words[0].startsWith("HTTP/1.") ? words[1].toInt() : 0;
  if (status == Status::switching) {
    leave();
    return emit opened();
  }
  if (status == Status::unauthorized)
    return refuse(
        {Refusal::Kind::token, token_.isEmpty() ? tr("it asks for a token") : tr("this token is not known there")});
  if (status == Status::too_many) {
    bool is_number = false;
    const int seconds = header(head, "retry-after").toInt(&is_number);
    Refusal refusal{Refusal::Kind::too_many, tr("too many failures from this address")};
    refusal.wait_s = std::clamp(is_number ? seconds : wait_default_s, 1, wait_max_s);
    return refuse(refusal);
  }
  if (status == Status::misdirected)
    return refuse({Refusal::Kind::other,
                   tr("it is not called %1; use its address, or start it with --control-name %1").arg(url_.host())});
  if (status == Status::unavailable)
    return refuse({Refusal::Kind::other, tr("this token has as many connections as it may have; close one")});
  refuse({Refusal::Kind::other, status == 0 ? tr("it does not speak HTTP; is it a wall-server?")
                                            : tr("it answers HTTP %1; is it a wall-server?").arg(status)});
}

// From the event loop: the receiver may probe again, which must not happen in the middle of a handshake.
void Door::refuse(const Refusal& refusal) {
  url_.clear();
  QMetaObject::invokeMethod(
      this,
      [this, refusal, knock = knocks_] {
        if (knock != knocks_) return;
        leave();
        emit refused(refusal);
      },
      Qt::QueuedConnection);
}

}  // namespace lw
