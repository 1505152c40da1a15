// The control room finds the announcement of a real server: the same type of service, and records that it can read.
#include "tests/gui/private_bus.h"
#include "wall-control/connections/discovery.h"

#include <QFile>
#include <QTcpServer>
#include <QTemporaryDir>

using namespace lw;

class AnnounceTest : public QObject {
  Q_OBJECT

  // A port that is free now.
  static quint16 free_port() {
    QTcpServer server;
    return server.listen(QHostAddress::AnyIPv4) ? server.serverPort() : quint16{0};
  }

private slots:
  void an_announced_wall_is_found() {
    test::PrivateBus bus;
    if (!bus.start() || !bus.start_avahi()) QSKIP("dbus-daemon or Python's dbus and gi are missing");
    Discovery discovery(QDBusConnection::connectToBus(bus.address(), "announce"));
    discovery.start();
    QTRY_VERIFY(discovery.searching());
    const QTemporaryDir folder;
    const auto port = free_port();
    QFile wall(folder.filePath("wall.toml"));
    QVERIFY(wall.open(QIODevice::WriteOnly));
    wall.write(QString::fromUtf8(R"([wall]
name = "Nebenraum, gro\u00df"
announce = true
columns = 3
rows = 2
tile_width = 64
tile_height = 40
frame_rate = 30
[[node]]
name = "one"
address = "127.0.0.1"
tiles = [ { column = 0, row = 0 }, { column = 1, row = 0 }, { column = 2, row = 0 },
          { column = 0, row = 1 }, { column = 1, row = 1 }, { column = 2, row = 1 } ]
[[server]]
name = "hub"
interfaces = ["127.0.0.1"]
control = "0.0.0.0:%1"
)")
                   .arg(port)
                   .toUtf8());
    wall.close();
    QProcess server;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("DBUS_SYSTEM_BUS_ADDRESS", bus.address());
    server.setProcessEnvironment(environment);
    server.start(QCoreApplication::applicationDirPath() + "/wall-server",
                 {"--wall", wall.fileName(), "--content", folder.path(), "--state", folder.filePath("state")});
    QTRY_VERIFY2_WITH_TIMEOUT(discovery.walls().size() == 1, server.readAllStandardError().constData(), 20'000);
    const auto& found = discovery.walls().front();
    QCOMPARE(found.name, QString::fromUtf8("Nebenraum, gro\u00df"));
    QCOMPARE(found.service, found.name);
    QCOMPARE(found.address, QString("127.0.0.1:%1").arg(port));
    QCOMPARE(found.columns, 3);
    QCOMPARE(found.rows, 2);
    QCOMPARE(found.pixels, qint64{6} * 64 * 40);
    QCOMPARE(found.version, QString(LW_VERSION));
    QCOMPARE(found.protocol, 1);
    server.terminate();
    QVERIFY(server.waitForFinished(10'000));
    QTRY_VERIFY(discovery.walls().empty());
    QDBusConnection::disconnectFromBus("announce");
  }
};

QTEST_GUILESS_MAIN(AnnounceTest)
#include "announce_test.moc"
