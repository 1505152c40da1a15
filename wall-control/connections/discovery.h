// The walls that announce themselves on this network: DNS-SD, by the D-Bus interface of Avahi. Without a system
// bus or Avahi, there are none, and nothing is reported. All texts come from the network: they are made printable,
// and their number and lengths are bounded.
#pragma once

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusServiceWatcher>
#include <QHash>
#include <QObject>
#include <QStringList>

#include <optional>
#include <vector>

namespace lw {

struct FoundWall {
  QString service;  // its name on this network
  QString name;     // in the wall file
  QString address;  // HOST:PORT, numeric
  int columns = 0, rows = 0;
  qint64 pixels = 0;
  QString version;
  int protocol = 0;

  bool operator==(const FoundWall&) const = default;
};

// What a server announced; `txt` as in RFC 6763 section 6. Empty if it cannot be connected.
std::optional<FoundWall> found_wall(const QString& service, const QString& address, int port,
                                    const QList<QByteArray>& txt);

class Discovery : public QObject {
  Q_OBJECT

public:
  static constexpr std::size_t walls_max = 64;

  explicit Discovery(const QDBusConnection& bus = QDBusConnection::systemBus(), QObject* parent = nullptr);

  void start();
  // Avahi looks for walls.
  [[nodiscard]] bool searching() const { return !browser_.isEmpty(); }
  // Sorted by name.
  [[nodiscard]] const std::vector<FoundWall>& walls() const { return walls_; }

signals:
  void changed();

private slots:
  void item_new(const QDBusMessage& message);
  void item_remove(const QDBusMessage& message);

private:
  // A service on one interface with one protocol, as Avahi counts them.
  struct Item {
    int interface = 0, protocol = 0;
    QString name, type, domain;
    bool operator==(const Item&) const = default;
  };
  static std::optional<Item> item_in(const QDBusMessage& message);
  void browse();
  void forget();
  void resolve(const Item& item, int address_protocol);
  void take(const Item& item, const QDBusMessage& reply);

  QDBusConnection bus_;
  QDBusServiceWatcher watcher_;
  QString browser_;            // the path of Avahi's object
  QList<QDBusMessage> early_;  // items that came before the path of the browser was known
  QList<Item> items_;
  std::vector<FoundWall> walls_;
};

}  // namespace lw
