#include "wall-control/connections/discovery.h"

#include "common/base/printable.h"
#include "wall-control/connections/profiles.h"

#include <QDBusArgument>
#include <QDBusMetaType>
#include <QDBusObjectPath>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QHostAddress>

#include <algorithm>
#include <utility>

namespace lw {
namespace {

constexpr auto avahi = "org.freedesktop.Avahi";
constexpr auto server_interface = "org.freedesktop.Avahi.Server";
constexpr auto browser_interface = "org.freedesktop.Avahi.ServiceBrowser";
constexpr auto service_type = "_lambdawall._tcp";
// avahi-common/address.h: AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC, _INET, _INET6.
constexpr int any = -1, ipv4 = 0, ipv6 = 1;
constexpr qsizetype announced_text_max = 200;
constexpr qsizetype txt_entries_max = 32;
constexpr int tiles_a_side_max = 64;

QString announced_text(const QByteArray& bytes) {
  return QString::fromStdString(printable(bytes.left(announced_text_max).toStdString())).left(announced_text_max);
}

QByteArray value_of(const QList<QByteArray>& txt, const QByteArray& key) {
  for (const auto& entry : txt.first(std::min(txt.size(), txt_entries_max)))
    if (entry.startsWith(key + '=')) return entry.mid(key.size() + 1);
  return {};
}

int side_of(const QByteArray& text) {
  const int side = text.toInt();
  return side > 0 && side <= tiles_a_side_max ? side : 0;
}

}  // namespace

std::optional<FoundWall> found_wall(const QString& service, const QString& address, int port,
                                    const QList<QByteArray>& txt) {
  const QHostAddress host(address);
  // A link-local address needs the interface, which other programs would take for a part of the name.
  if (host.isNull() || host.isLinkLocal() || port <= 0 || port > 65535) return std::nullopt;
  FoundWall wall;
  wall.service = announced_text(service.toUtf8());
  wall.name = announced_text(value_of(txt, "wall"));
  if (wall.name.isEmpty()) wall.name = wall.service;
  const bool v6 = host.protocol() == QAbstractSocket::IPv6Protocol;
  wall.address = QString(v6 ? "[%1]:%2" : "%1:%2").arg(host.toString()).arg(port);
  wall.columns = side_of(value_of(txt, "columns"));
  wall.rows = side_of(value_of(txt, "rows"));
  wall.pixels = std::max(0LL, value_of(txt, "pixels").toLongLong());
  wall.version = announced_text(value_of(txt, "version"));
  wall.protocol = std::max(0, value_of(txt, "protocol").toInt());
  return address_problem(wall.address).isEmpty() ? std::optional(wall) : std::nullopt;
}

Discovery::Discovery(const QDBusConnection& bus, QObject* parent) : QObject(parent), bus_(bus) {}

void Discovery::start() {
  if (!bus_.isConnected()) return;
  qDBusRegisterMetaType<QList<QByteArray>>();
  // Before the browser exists: its first signals may precede the answer with its path.
  bus_.connect(avahi, {}, browser_interface, "ItemNew", this, SLOT(item_new(QDBusMessage)));
  bus_.connect(avahi, {}, browser_interface, "ItemRemove", this, SLOT(item_remove(QDBusMessage)));
  watcher_.setConnection(bus_);
  watcher_.addWatchedService(avahi);
  connect(&watcher_, &QDBusServiceWatcher::serviceRegistered, this, &Discovery::browse);
  connect(&watcher_, &QDBusServiceWatcher::serviceUnregistered, this, &Discovery::forget);
  browse();
}

void Discovery::browse() {
  auto call = QDBusMessage::createMethodCall(avahi, "/", server_interface, "ServiceBrowserNew");
  call << any << any << QString(service_type) << QString() << 0U;
  auto* pending = new QDBusPendingCallWatcher(bus_.asyncCall(call), this);
  connect(pending, &QDBusPendingCallWatcher::finished, this, [this, pending] {
    pending->deleteLater();
    const QDBusPendingReply<QDBusObjectPath> reply = *pending;
    if (reply.isError()) return;
    browser_ = reply.value().path();
    const auto early = std::exchange(early_, {});
    for (const auto& message : early) message.member() == "ItemNew" ? item_new(message) : item_remove(message);
    emit changed();
  });
}

void Discovery::forget() {
  browser_.clear();
  early_.clear();
  items_.clear();
  walls_.clear();
  emit changed();
}

std::optional<Discovery::Item> Discovery::item_in(const QDBusMessage& message) {
  const auto values = message.arguments();
  if (message.signature() != "iisssu") return std::nullopt;
  return Item{values[0].toInt(), values[1].toInt(), values[2].toString(), values[3].toString(), values[4].toString()};
}

void Discovery::item_new(const QDBusMessage& message) {
  if (browser_.isEmpty()) {
    if (early_.size() < static_cast<qsizetype>(walls_max)) early_ << message;
    return;
  }
  const auto item = item_in(message);
  if (message.path() != browser_ || !item || item->type != service_type) return;
  if (items_.contains(*item) || items_.size() >= static_cast<qsizetype>(walls_max)) return;
  items_ << *item;
  resolve(*item, ipv4);
}

void Discovery::item_remove(const QDBusMessage& message) {
  if (browser_.isEmpty()) {
    if (early_.size() < static_cast<qsizetype>(walls_max)) early_ << message;
    return;
  }
  const auto item = item_in(message);
  if (message.path() != browser_ || !item || !items_.removeOne(*item)) return;
  // The same service may still be there on another interface.
  const auto name = announced_text(item->name.toUtf8());
  if (std::ranges::any_of(items_, [&](const Item& other) { return other.name == item->name; })) return;
  std::erase_if(walls_, [&](const FoundWall& wall) { return wall.service == name; });
  emit changed();
}

void Discovery::resolve(const Item& item, int address_protocol) {
  auto call = QDBusMessage::createMethodCall(avahi, "/", server_interface, "ResolveService");
  call << item.interface << item.protocol << item.name << item.type << item.domain << address_protocol << 0U;
  auto* pending = new QDBusPendingCallWatcher(bus_.asyncCall(call), this);
  connect(pending, &QDBusPendingCallWatcher::finished, this, [this, pending, item, address_protocol] {
    pending->deleteLater();
    if (!items_.contains(item)) return;  // it is gone meanwhile
    if (!pending->isError()) return take(item, pending->reply());
    if (address_protocol == ipv4) resolve(item, ipv6);
  });
}

void Discovery::take(const Item& item, const QDBusMessage& reply) {
  if (reply.signature() != "iissssisqaayu") return;
  const auto values = reply.arguments();
  const auto wall =
      found_wall(item.name, values[7].toString(), values[8].toInt(), qdbus_cast<QList<QByteArray>>(values[9]));
  // One entry for a service, although it is announced on each interface.
  if (!wall || walls_.size() >= walls_max ||
      std::ranges::any_of(walls_, [&](const FoundWall& other) { return other.service == wall->service; }))
    return;
  walls_.insert(std::ranges::lower_bound(walls_, wall->name, {}, &FoundWall::name), *wall);
  emit changed();
}

}  // namespace lw
