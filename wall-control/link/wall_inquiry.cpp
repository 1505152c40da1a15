#include "wall-control/link/wall_inquiry.h"

#include "common/messages/rpc.h"
#include "wall-control/link/control_url.h"
#include "wall-control/messages/told.h"
#include "wall-control/messages/wall_shape.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <utility>

namespace lw {
namespace {

constexpr int inquiry_timeout_ms = 4000;
constexpr int version_length_max = 20;

WallAnswer inquiry_answer(const QJsonObject& info) {
  WallAnswer answer;
  answer.version = info["version"].toString().left(version_length_max);
  const auto read = protocol_from(info);
  const int protocol = read ? read->protocol : 0;
  if (protocol != protocol_version) {
    answer.kind = protocol < protocol_version ? WallAnswer::Kind::too_old : WallAnswer::Kind::too_new;
    return answer;
  }
  const auto wall = info_from(info);
  if (!wall) return {WallAnswer::Kind::refused, QString::fromStdString(wall.error().what)};
  answer.kind = WallAnswer::Kind::ready;
  answer.version = QString::fromStdString(wall->version).left(version_length_max);
  answer.name = QString::fromStdString(wall->wall.name);
  answer.columns = static_cast<int>(wall->wall.columns);
  answer.rows = static_cast<int>(wall->wall.rows);
  answer.pixels = pixels_of(wall->wall);
  return answer;
}

}  // namespace

WallInquiry::WallInquiry(const Trust& trust, QObject* parent) : QObject(parent) {
  socket_.set_trust(trust);
  timeout_.setSingleShot(true);
  connect(&timeout_, &QTimer::timeout, this, [this] { answer({}); });
  connect(&socket_, &WallSocket::opened, this,
          [this] { socket_.send(R"({"jsonrpc":"2.0","id":1,"method":"info","params":{}})"); });
  connect(&socket_, &WallSocket::heard, this, &WallInquiry::hear);
  connect(&socket_, &WallSocket::closed, this, [this] { answer({}); });
  connect(&socket_, &WallSocket::refused, this, &WallInquiry::take);
  connect(&knock_, &QTcpSocket::connected, this, [this] { answer({WallAnswer::Kind::token}); });
  connect(&knock_, &QTcpSocket::errorOccurred, this, [this] { answer({}); });
}

// A server on another host wants a token of everybody. To ask it without one would count as a failure of this host.
void WallInquiry::ask(const QString& address, const QString& token) {
  const auto url = control_url(address);
  if (!url.isValid()) return answer({WallAnswer::Kind::refused, tr("'%1' is not an address").arg(address)});
  timeout_.start(inquiry_timeout_ms);
  if (url.scheme() == "wss" && token.isEmpty())
    knock_.connectToHost(url.host(), static_cast<quint16>(url.port()));
  else
    socket_.open(url, token);
}

void WallInquiry::hear(const QString& text) {
  const auto message = QJsonDocument::fromJson(text.toUtf8()).object();
  if (message["id"].toInteger() != 1) return;
  if (!message["result"].isObject()) return answer({WallAnswer::Kind::refused, tr("it is not a wall-server")});
  answer(inquiry_answer(message["result"].toObject()));
}

void WallInquiry::take(const Refusal& refusal) {
  using Kind = Refusal::Kind;
  const auto kind = refusal.kind == Kind::first_use           ? WallAnswer::Kind::new_server
                    : refusal.kind == Kind::other_certificate ? WallAnswer::Kind::other_certificate
                    : refusal.kind == Kind::token             ? WallAnswer::Kind::token
                                                              : WallAnswer::Kind::refused;
  answer({kind, refusal.words});
}

// From the event loop: whoever hears it may delete this.
void WallInquiry::answer(const WallAnswer& answer) {
  if (std::exchange(done_, true)) return;
  timeout_.stop();
  QMetaObject::invokeMethod(
      this,
      [this, answer] {
        socket_.abort();
        knock_.abort();
        emit answered(answer);
      },
      Qt::QueuedConnection);
}

}  // namespace lw
