// The window's cost with walls of 64 and 512 tiles of 4 flows and ten statistics a second: CPU time of the GUI thread,
// latency from a key press to its effect on the screen, and memory. A view's number is that of its design in the guide.
// Reported, not judged: a busy machine fails no test.
// LW_LOAD_SECONDS: how long each view is shown (1); LW_LOAD_HOURS: hours of telemetry (0).
#include "tests/gui/as_read.h"
#include "tests/gui/large_wall.h"
#include "tests/gui/picture.h"
#include "wall-control/app/main_window.h"
#include "wall-control/messages/told.h"
#include "wall-control/network/charts_panel.h"
#include "wall-control/network/network_page.h"
#include "wall-control/wallview/wall_view.h"

#include <QAbstractEventDispatcher>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QTabWidget>
#include <QThread>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <functional>
#include <memory>

using namespace lw;

namespace {

double thread_cpu_s() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

double resident_mib() {
  QFile file("/proc/self/statm");
  if (!file.open(QIODevice::ReadOnly)) return 0;
  return file.readAll().split(' ').value(1).toDouble() * 4096 / (1 << 20);
}

// Posts an event to the GUI thread as the window system does, from outside.
class Visitor : public QThread {
public:
  explicit Visitor(std::function<void(qint64 asked_ns)> visit) : visit_(std::move(visit)) { clock_.start(); }
  ~Visitor() override {
    requestInterruption();
    wait();
  }
  [[nodiscard]] qint64 now_ns() const { return clock_.nsecsElapsed(); }

protected:
  void run() override {
    while (!isInterruptionRequested()) {
      msleep(73);  // covers all phases of the statistics' interval of 100 ms
      if (waiting_.exchange(true)) continue;
      const auto visit = [this, asked = now_ns()] {
        visit_(asked);
        waiting_ = false;
      };
      QMetaObject::invokeMethod(this, visit, Qt::QueuedConnection);
    }
  }

private:
  std::function<void(qint64)> visit_;
  QElapsedTimer clock_;
  std::atomic<bool> waiting_ = false;
};

// The longest CPU time for which the GUI thread works without looking for keys.
class Turns : public QObject {
public:
  Turns() {
    connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::awake, this, [this] {
      const double now_s = thread_cpu_s();
      longest_s_ = std::max(longest_s_, now_s - began_s_);
      began_s_ = now_s;
    });
  }
  [[nodiscard]] double longest_ms() const { return 1000 * longest_s_; }

private:
  double began_s_ = thread_cpu_s(), longest_s_ = 0;
};

}  // namespace

class LoadTest : public QObject {
  Q_OBJECT

  std::unique_ptr<test::LargeWallServer> server_;
  std::unique_ptr<MainWindow> window_;
  int turn_ = 0;

  // An operator's actions in turn, each drawn before it counts as done.
  void do_something() {
    auto* wall = window_->findChild<WallView*>();
    auto* search = window_->findChild<QLineEdit*>("search");
    const bool on = (turn_ / 3) % 2 == 0;
    QWidget* used = wall;
    switch (turn_++ % 3) {
      case 0:
        if (wall->isVisible()) QTest::keyClick(wall, on ? Qt::Key_Right : Qt::Key_Left, Qt::ControlModifier);
        break;
      case 1:
        QTest::keyClick(search, on ? Qt::Key_A : Qt::Key_Backspace);
        used = search;
        break;
      default:
        used = window_->findChild<QTabWidget*>("network")->currentWidget();
        if (!used->isVisible()) used = window_.get();
        used->setFocus();
    }
    used->repaint();
  }
  void measure(const QString& view) {
    QTest::qWait(200);
    std::vector<double> waits_ms;
    int taken = 0;
    const auto counting = connect(&window_->link(), &ControlLink::stats, this, [&] { ++taken; });
    const double before = thread_cpu_s();
    const Turns turns;
    {
      Visitor visitor([&](qint64 asked) {
        do_something();
        waits_ms.push_back(static_cast<double>(visitor.now_ns() - asked) / 1e6);
      });
      visitor.start();
      const int wanted = TimeSeries::samples_per_second * std::max(1, qEnvironmentVariable("LW_LOAD_SECONDS").toInt());
      QEventLoop loop;
      connect(&window_->link(), &ControlLink::stats, &loop, [&] {
        if (taken >= wanted && !waits_ms.empty()) loop.quit();
      });
      QTimer::singleShot(60'000, &loop, &QEventLoop::quit);
      loop.exec();
      QVERIFY(taken >= wanted && !waits_ms.empty());
    }
    disconnect(counting);
    // The statistics of one second, however long they took to arrive.
    const double share = (thread_cpu_s() - before) * TimeSeries::samples_per_second / taken;
    std::ranges::sort(waits_ms);
    qInfo("%-34s %3.0f %% of a core, at most %3.0f ms in a turn; a key waits p50 %4.1f, p99 %5.1f ms", qPrintable(view),
          100 * share, turns.longest_ms(), waits_ms[waits_ms.size() / 2], waits_ms[waits_ms.size() * 99 / 100]);
  }
  void connect_wall(const test::LargeSize& size, bool tables = true) {
    server_ = std::make_unique<test::LargeWallServer>(size, tables);
    connect(&window_->link(), &ControlLink::stats, this, [this] { server_->was_taken(); });
    window_->connect_to(server_->address());
    QTRY_COMPARE(window_->link().state(), ControlLink::State::ready);
    server_->start();
    QTRY_VERIFY_WITH_TIMEOUT(
        window_->findChild<WallView*>()->words_of(size.columns - 1, size.rows - 1).contains("frame"), 20'000);
  }
  void select_tile(int column, int row) {
    auto* wall = window_->findChild<WallView*>();
    QTest::mouseClick(wall, Qt::LeftButton, {}, wall->rect_of(column, row).center().toPoint());
  }
  void save(const char* name) { QVERIFY(window_->grab().save(test::picture(name))); }

private slots:
  void init() {
    test::look_like_the_program();
    window_ = std::make_unique<MainWindow>();
    window_->resize(1600, 1000);
    window_->show();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
  }
  void cleanup() {
    window_.reset();
    server_.reset();
  }

  void each_view() {
    connect_wall({});
    auto* network = window_->findChild<QTabWidget*>("network");
    for (const bool pictures : {false, true}) {
      server_->send_pictures(pictures);
      for (int tab = 0; tab < network->count(); ++tab) {
        network->setCurrentIndex(tab);
        measure((pictures && tab == 0 ? "01 " : "") + network->tabText(tab) + (pictures ? ", live pictures" : ""));
      }
    }
    network->setCurrentIndex(0);
    save("load-01.png");
    server_->begin_incident();
    select_tile(77 / 4 % 8, 77 / 4 / 8);
    measure("02 Incident, its tile, pictures");
    save("load-02.png");
    window_->use_workspace(2);
    measure("Hosts");
    window_->use_workspace(1);
    measure("03 Network");
    for (const auto* name : {"network-views", "network-figures"}) {
      auto* tabs = window_->findChild<QTabWidget*>(name);
      tabs->setCurrentIndex(tabs->count() - 1);
      measure("Network, " + tabs->tabText(tabs->count() - 1));
      tabs->setCurrentIndex(0);
    }
    window_->network().window().set_seconds(1200);
    measure("Network, 20 min");
    window_->network().set_compares(true);
    measure("Network, compared with before");
    save("load-03.png");
  }

  // Of an earlier version.
  void a_server_without_tables() {
    connect_wall({}, false);
    measure("64 tiles, JSON");
  }

  void many_tiles() {
    connect_wall({32, 16});
    measure("512 tiles");
    server_->send_pictures(true);
    measure("06 512 tiles, live pictures");
    save("load-06.png");
    server_->begin_incident();
    select_tile(77 / 4, 0);
    measure("512 tiles, incident, its tile");
    save("load-06-incident.png");
    window_->use_workspace(1);
    measure("512 tiles, Network");
    save("load-06-network.png");
  }

  void hours_take_no_more_memory() {
    const int hours = qEnvironmentVariableIntValue("LW_LOAD_HOURS");
    if (hours == 0) QSKIP("LW_LOAD_HOURS is not set");
    FlowHistory history;
    history.set_wall(read_info(test::large_wall()).wall);
    qint64 time_ms = 1'800'000'000'000;
    std::vector<QJsonObject> samples;
    for (int tenth = 0; tenth < 20; ++tenth) samples.push_back(test::large_stats(tenth, time_ms));
    double full_mib = 0;  // after the first hour, which is all that is kept
    for (int hour = 0; hour < hours; ++hour) {
      for (std::size_t tenth = 0; tenth < 36'000; ++tenth) {
        auto& stats = samples[tenth % samples.size()];
        stats["time"] = QDateTime::fromMSecsSinceEpoch(time_ms += 100, Qt::UTC).toString(Qt::ISODateWithMs);
        history.add(stats_from(stats).value());
      }
      qInfo("after %d h of telemetry: %.0f MiB", hour + 1, resident_mib());
      if (hour == 0) full_mib = resident_mib();
      QVERIFY(resident_mib() < 1.05 * full_mib);
    }
  }
};

QTEST_MAIN(LoadTest)
#include "load_test.moc"
