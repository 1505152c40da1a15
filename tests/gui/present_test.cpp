// The audience view: on the second display, only with figures that were measured, without states and warnings, driven
// by a clicker.
#include "tests/gui/as_read.h"
#include "tests/gui/fake_server.h"
#include "tests/gui/own_settings.h"
#include "tests/gui/picture.h"
#include "tests/gui/wall_figures.h"
#include "wall-control/present/audience_view.h"
#include "wall-control/ui/look.h"

#include <QApplication>
#include <QCursor>
#include <QPainter>
#include <QRadialGradient>
#include <QScreen>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QWindow>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <random>

using namespace lw;

namespace {

constexpr int columns = 5, rows = 3;

InfoReply audience_info() {
  auto json = wall_info(columns, rows, 1);
  auto wall = json["wall"].toObject();
  wall["name"] = QString::fromUtf8("SARA 5\u00d73");
  wall["tile_width"] = 2560;
  wall["tile_height"] = 1600;
  wall["bezel_x"] = 96;
  wall["bezel_y"] = 96;
  json["wall"] = wall;
  return read_info(json);
}

// 35.4 Gbit/s in total, 24 frames a second; one flow loses packets, of which most come again.
QJsonObject audience_stats(int tenth, bool loses) {
  QJsonArray flows, tiles;
  for (int tile = 0; tile < columns * rows; ++tile) {
    const bool bad = loses && tile == 4;
    flows << QJsonObject{{"flow", tile},
                         {"receiving", true},
                         {"packets", 1000 * tenth},
                         {"lost", bad ? 100 * tenth : 0},
                         {"repaired", bad ? 97 * tenth : 0},
                         {"gbit_per_s", 2.36}};
    tiles << QJsonObject{{"tile", QJsonArray{tile % columns, tile / columns}},
                         {"frame", tenth},
                         {"fps", 24.0},
                         {"frames_due", 3 * tenth},
                         {"shown_whole", 3 * tenth},
                         {"shown_concealed", 0},
                         {"not_shown", 0},
                         {"late", 0}};
  }
  return {{"time", time_of_tenth(tenth)},
          {"interval_s", 0.1},
          {"wall", QJsonObject{{"skew_us_p50", 120.0}, {"skew_us_p99", 420.0}, {"skew_error_us", 60.0}}},
          {"sender", QJsonArray{}},
          {"nodes",
           QJsonArray{QJsonObject{
               {"node", "one"}, {"connected", true}, {"report", QJsonObject{{"flows", flows}, {"tiles", tiles}}}}}}};
}

// A sky over all tiles, of which each tile shows its part.
QImage sky() {
  QImage made(columns * 256, rows * 160, QImage::Format_RGB32);
  made.fill(QColor(6, 12, 28));
  QPainter painter(&made);
  painter.setPen(Qt::NoPen);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> share(0, 1);
  for (int light = 0; light < 60; ++light) {
    const QPointF middle(share(random) * made.width(), share(random) * made.height());
    const double radius = 20 + 120 * share(random) * share(random);
    QRadialGradient glow(middle, radius);
    QColor color = share(random) < 0.5 ? QColor(255, 150, 60) : QColor(120, 160, 255);
    color.setAlphaF(0.7F);
    glow.setColorAt(0, color);
    color.setAlphaF(0);
    glow.setColorAt(1, color);
    painter.setBrush(glow);
    painter.drawEllipse(middle, radius, radius);
  }
  return made;
}

}  // namespace

class PresentTest : public QObject {
  Q_OBJECT

  QTemporaryDir settings_;
  std::unique_ptr<Look> look_;
  std::unique_ptr<FakeServer> server_;
  std::unique_ptr<ControlLink> link_;
  FlowHistory history_;
  WallStatus status_;
  TilePreviews previews_;
  std::unique_ptr<AudienceView> view_;

  void play(bool loses = false, int tenths = 30) {
    for (int tenth = 1; tenth <= tenths; ++tenth) {
      const auto stats = stats_from(audience_stats(tenth, loses)).value();
      history_.add(stats);
      status_.add(stats);
    }
    StateMessage state;
    state.status = PlayStatus::playing;
    state.name = "cosmos-3d";
    state.frame = 20;
    state.frames = 80;
    status_.set_state(state);
    view_->set_state(state);
  }
  void give_previews() {
    const auto all = sky();
    for (int tile = 0; tile < columns * rows; ++tile)
      previews_.add(
          {tile % columns, tile / columns, all.copy(256 * (tile % columns), 160 * (tile / columns), 256, 160)});
  }
  void open(const QSize& size = {1920, 1080}) {
    view_->resize(size);
    view_->show();
    view_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(view_.get()));
  }
  std::vector<AudienceFigure> figures() {
    return audience_figures(audience_info().wall, history_, repair_of(history_));
  }
  void connect_link() {
    link_->connect_to(server_->address());
    QTRY_COMPARE(link_->state(), ControlLink::State::ready);
  }

private slots:
  void initTestCase() {
    test::look_like_the_program();
    test::keep_settings_in(settings_.path());
    look_ = std::make_unique<Look>();
  }
  void init() {
    server_ = std::make_unique<FakeServer>();
    link_ = std::make_unique<ControlLink>();
    history_ = {};
    status_ = {};
    previews_.clear();
    history_.set_wall(audience_info().wall);
    status_.set_wall(audience_info().wall);
    view_ = std::make_unique<AudienceView>(
        *link_,
        AudienceModels{
            history_, status_, previews_, [](const QString&) { return QString("Flight through the cosmic web"); },
            [](const QString&) { return QString("Dark matter today, seen from the inside. Colour shows speed."); }});
    view_->set_wall(audience_info().wall);
  }
  void cleanup() {
    view_.reset();
    link_.reset();
    server_.reset();
  }

  void it_opens_on_the_other_display() {
    const auto screens = QGuiApplication::screens();
    QCOMPARE(screens.size(), 2);
    QCOMPARE(audience_screen(screens[0]), screens[1]);
    QCOMPARE(audience_screen(screens[1]), screens[0]);
    view_->open(screens[0]);
    QVERIFY(view_->isFullScreen());
    QCOMPARE(view_->windowHandle()->screen(), screens[1]);
    QCOMPARE(view_->geometry().topLeft(), screens[1]->geometry().topLeft());
  }

  void only_measured_figures_are_there() {
    auto shown = figures();
    QCOMPARE(shown.size(), 1U);
    QCOMPARE(shown[0].value + " " + shown[0].unit + " " + shown[0].about, "61 megapixels on 15 displays");
    play();
    shown = figures();
    QCOMPARE(shown.size(), 4U);
    QCOMPARE(shown[1].value + " " + shown[1].unit, "35.4 Gbit/s");
    QCOMPARE(shown[2].value + " " + shown[2].unit + " " + shown[2].about, "24 frames a second uncompressed");
    QCOMPARE(shown[3].value + " " + shown[3].unit + " " + shown[3].about, "0.4 ms between displays");
  }

  void trouble_is_told_as_a_repair() {
    play(true);
    const auto repair = repair_of(history_);
    QCOMPARE(repair.displays, 1);
    QVERIFY(repair.share > 0.96 && repair.share < 0.98);
    const auto shown = figures();
    QCOMPARE(shown[2].value + " " + shown[2].unit, "97 % repaired");
    QCOMPARE(shown[3].about, "all displays in step");
    // It is over ten seconds after the last loss.
    for (int tenth = 31; tenth <= 140; ++tenth) {
      auto stats = audience_stats(tenth, false);
      auto nodes = stats["nodes"].toArray();
      auto node = nodes[0].toObject();
      auto report = node["report"].toObject();
      auto flows = report["flows"].toArray();
      auto flow = flows[4].toObject();
      flow["lost"] = 3000;
      flow["repaired"] = 2910;
      flows[4] = flow;
      report["flows"] = flows;
      node["report"] = report;
      nodes[0] = node;
      stats["nodes"] = nodes;
      history_.add(stats_from(stats).value());
    }
    QCOMPARE(repair_of(history_).displays, 0);
    QVERIFY(!repair_of(history_).share);
  }

  void a_clicker_moves_through_the_playlist() {
    connect_link();
    open();
    server_->calls.clear();
    QTest::keyClick(view_.get(), Qt::Key_PageDown);
    QVERIFY(server_->was_asked("next"));
    StateMessage state;
    state.status = PlayStatus::playing;
    state.name = "a";
    state.entry = EntryMessage{"a", 1, {}, {}, {}};
    state.playlist = {EntryMessage{"b", 2, {}, {}, {}}, EntryMessage{"c", 3, {}, {}, {}}};
    view_->set_state(state);
    server_->calls.clear();
    QTest::keyClick(view_.get(), Qt::Key_PageUp);  // nothing was before
    state.name = "b";
    state.entry = EntryMessage{"b", 2, {}, {}, {}};
    state.playlist.erase(state.playlist.begin());
    view_->set_state(state);
    QTest::keyClick(view_.get(), Qt::Key_PageUp);
    QVERIFY(server_->was_asked(
        "playlist",
        {{"entries", QJsonArray{QJsonObject{{"name", "a"}}, QJsonObject{{"name", "b"}}, QJsonObject{{"name", "c"}}}},
         {"repeat", false}}));
    QVERIFY(server_->was_asked("next"));
    QCOMPARE(server_->calls.size(), 2);
  }

  // A server as docs/protocol.md describes it: back leads to the entry before, and next from there to the one that was
  // left, with and without repeat.
  void back_is_the_opposite_of_next() {
    for (unsigned seed = 1; seed <= 200; ++seed) {
      std::mt19937 random(seed);
      EntryHistory history;
      std::uint64_t id = 0;
      std::deque<EntryMessage> queue;
      StateMessage state;
      state.repeat = random() % 2 == 0;
      const auto count = 2 + random() % 5;
      for (unsigned i = 0; i < count; ++i)
        queue.push_back({std::string(1, static_cast<char>('a' + i)), ++id, {}, {}, {}});
      const auto next = [&] {
        if (queue.empty()) return false;
        state.entry = queue.front();
        queue.pop_front();
        if (state.repeat) {
          queue.push_back(*state.entry);
          queue.back().id = ++id;
        }
        state.playlist.assign(queue.begin(), queue.end());
        history.take(state);
        return true;
      };
      std::vector<std::string> played;
      const auto steps = 2 + random() % 10;
      for (unsigned i = 0; i < steps && next(); ++i) played.push_back(state.entry->name);
      for (std::size_t at = played.size(); at-- > 1;) {
        const auto request = history.back();
        QVERIFY(request && request->entries);
        queue.assign(request->entries->begin(), request->entries->end());
        for (auto& entry : queue) entry.id = ++id;
        history.went_back();
        QVERIFY(next());
        QCOMPARE(state.entry->name, played[at - 1]);
        QCOMPARE(queue.front().name, played[at]);
        if (state.repeat) QCOMPARE(queue.size(), std::size_t{count});
      }
      QVERIFY(!history.back());
    }
  }

  void b_makes_the_wall_black_and_shows_it_again() {
    connect_link();
    play();
    open();
    QTest::keyClick(view_.get(), Qt::Key_B);
    QVERIFY(server_->was_asked("pattern", {{"pattern", "black"}}));
    StateMessage state;
    for (unsigned tile = 0; tile < columns * rows; ++tile)
      state.overlays.push_back({{tile % columns, tile / columns}, Pattern::black, false, false});
    status_.set_state(state);
    QTest::keyClick(view_.get(), Qt::Key_Period);
    QVERIFY(server_->was_asked("pattern", {{"pattern", "none"}}));
  }

  void escape_and_f11_close_it() {
    for (const auto key : {Qt::Key_Escape, Qt::Key_F11}) {
      const QSignalSpy closed(view_.get(), &AudienceView::closed);
      open();
      QTest::keyClick(view_.get(), key);
      QVERIFY(!view_->isVisible());
      QCOMPARE(closed.count(), 1);
    }
  }

  void pointer_and_hints_vanish() {
    play();
    open();
    const auto with_hints = view_->grab().toImage();
    QVERIFY(view_->cursor().shape() != Qt::BlankCursor);
    QTRY_COMPARE_WITH_TIMEOUT(view_->cursor().shape(), Qt::BlankCursor, 4000);
    QVERIFY(view_->grab().toImage() != with_hints);
    QTest::mouseMove(view_.get(), QPoint(50, 60));
    QTRY_VERIFY(view_->cursor().shape() != Qt::BlankCursor);
  }

  void a_black_frame_if_nothing_plays() {
    open();
    QTRY_COMPARE_WITH_TIMEOUT(view_->cursor().shape(), Qt::BlankCursor, 4000);
    const auto shown = view_->grab().toImage();
    int bright = 0;
    for (int y = 0; y < shown.height(); ++y)
      for (int x = 0; x < shown.width(); ++x)
        if (qGray(shown.pixel(x, y)) > 100) {
          ++bright;
          QVERIFY(std::abs(y - shown.height() / 2) < shown.height() / 10);  // the name of the wall
        }
    QVERIFY(bright > 100);
  }

  void the_pictures_show_no_state() {
    give_previews();
    for (const char* theme : {"dark", "light", "high-contrast"}) {
      for (const bool repairs : {false, true}) {
        history_ = {};
        history_.set_wall(audience_info().wall);
        play(repairs);
        for (const auto size : {QSize(1920, 1080), QSize(1600, 1000), QSize(1280, 720)}) {
          if (size.width() < 1920 && QString(theme) != "dark") continue;
          give_previews();
          open(size);
          view_->grab();
          QTest::qWait(300);  // until the previews are scaled
          QTRY_COMPARE_WITH_TIMEOUT(view_->cursor().shape(), Qt::BlankCursor, 4000);
          give_previews();
          const auto shown = view_->grab().toImage();
          QVERIFY(shown.save(test::picture(
              QString("audience-%1-%2-%3.png").arg(repairs ? "repairing" : "playing", theme).arg(size.width()))));
          const std::array states{colors::ok.rgb() & 0xffffff, colors::warn.rgb() & 0xffffff,
                                  colors::crit.rgb() & 0xffffff};
          bool has_state = false;
          for (int y = 0; y < shown.height(); ++y)
            for (int x = 0; x < shown.width(); ++x)
              for (const auto state : states) has_state |= (shown.pixel(x, y) & 0xffffff) == state;
          QVERIFY(!has_state);
          view_->hide();
        }
      }
      look_->next_theme();
    }
  }
};

// Two displays, as an operator with a projector has them.
int main(int argc, char** argv) {
  const QTemporaryDir folder;
  const auto file = folder.filePath("screens.json");
  QFile screens(file);
  if (!screens.open(QIODevice::WriteOnly)) return 1;
  screens.write(R"({"screens": [
    {"name": "desk", "x": 0, "y": 0, "width": 1600, "height": 1000, "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1},
    {"name": "projector", "x": 1600, "y": 0, "width": 1920, "height": 1080, "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}]})");
  screens.close();
  qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + file.toLocal8Bit());
  QApplication app(argc, argv);
  PresentTest test;
  return QTest::qExec(&test, argc, argv);
}
#include "present_test.moc"
