// A D-Bus daemon of the test, and a stand-in for Avahi on it.
#pragma once

#include <QProcess>
#include <QStandardPaths>
#include <QTest>

namespace lw::test {

class PrivateBus {
public:
  bool start() {
    const auto daemon = QStandardPaths::findExecutable("dbus-daemon");
    if (daemon.isEmpty()) return false;
    daemon_.start(daemon, {"--session", "--nofork", "--print-address=1"});
    if (!QTest::qWaitFor([this] { return daemon_.canReadLine(); }, 5000)) return false;
    address_ = QString::fromLatin1(daemon_.readLine()).trimmed();
    return true;
  }
  // False where Python's bindings are missing.
  bool start_avahi() {
    avahi_.start("/usr/bin/python3", {qEnvironmentVariable("LW_COMPAT") + "/../support/fake_avahi.py", address_});
    return QTest::qWaitFor([this] { return avahi_.canReadLine() || avahi_.state() == QProcess::NotRunning; }, 20'000) &&
           avahi_.readLine() == "ready\n";
  }
  void say(const QStringList& words) { avahi_.write((words.join('\t') + "\n").toUtf8()); }
  void end_avahi() { end(avahi_); }
  [[nodiscard]] QString address() const { return address_; }
  ~PrivateBus() {
    end(avahi_);
    end(daemon_);
  }

private:
  static void end(QProcess& process) {
    process.terminate();
    process.waitForFinished(3000);
  }
  QProcess daemon_, avahi_;
  QString address_;
};

}  // namespace lw::test
