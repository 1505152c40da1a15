// Library, playlist, transport and events as operators see them: at the sizes that they have in windows of 1280x720
// and 1600x1000, in all themes, with nothing cut off without an ellipsis and a tooltip.
#include "tests/gui/as_read.h"
#include "tests/gui/panel_frame.h"
#include "tests/gui/picture.h"
#include "tests/gui/scripted_server.h"
#include "wall-control/events/event_delegate.h"
#include "wall-control/events/event_log.h"
#include "wall-control/library/import_dialog.h"
#include "wall-control/library/library_panel.h"
#include "wall-control/library/library_view.h"
#include "wall-control/link/control_link.h"
#include "wall-control/messages/told.h"
#include "wall-control/models/flow_history.h"
#include "wall-control/playlist/playlist_panel.h"
#include "wall-control/transport/transport_panel.h"
#include "wall-control/ui/commands.h"
#include "wall-control/ui/transition_choice.h"

#include <QBuffer>
#include <QLineEdit>
#include <QMainWindow>
#include <QPainter>
#include <QRandomGenerator>
#include <QScrollBar>
#include <QStandardPaths>

#include <memory>

using namespace lw;

namespace {

struct Film {
  const char* name;
  const char* title;
  int frames;
  const char* rate;
  int hue;
  bool fits = true;
};

const QList<Film> films{{"web", "Flight through the cosmic web", 3840, "24", 25},
                        {"domain", "Cosmic web, whole domain", 1920, "24", 300},
                        {"galaxies", "Merging galaxies", 1296, "24", 220},
                        {"sea", "Sea surface temperature", 3600, "12", 50},
                        {"channel", "Turbulent channel flow, Re 10 000", 4608, "24", 30},
                        {"storm", "Supercell thunderstorm", 3750, "30", 210},
                        {"protein", "Protein folding in water", 6000, "24", 120},
                        {"fractal", "Deep zoom into the Mandelbrot set", 2592, "24", 190}};

// Something with structure, `count` times side by side.
QJsonObject image(int hue, int count, QSize size) {
  QImage picture(size.width() * count, size.height(), QImage::Format_RGB32);
  QPainter painter(&picture);
  QRandomGenerator random(static_cast<quint32>(hue));
  for (int i = 0; i < count; ++i) {
    const QRect place(i * size.width(), 0, size.width(), size.height());
    painter.setClipRect(place);
    painter.fillRect(place, QColor::fromHsv((hue + 200) % 360, 160, 40));
    for (int spot = 0; spot < 12; ++spot) {
      const QPointF at(place.left() + random.bounded(size.width()), random.bounded(size.height()));
      QRadialGradient glow(at, 10 + random.bounded(size.height() / 2));
      glow.setColorAt(0, QColor::fromHsv((hue + random.bounded(40)) % 360, 120, 255, 200));
      glow.setColorAt(1, Qt::transparent);
      painter.fillRect(place, glow);
    }
  }
  painter.end();
  QByteArray bytes;
  QBuffer buffer(&bytes);
  picture.save(&buffer, "PNG");
  return {{"mime", "image/png"}, {"base64", QString::fromLatin1(bytes.toBase64())}};
}

QJsonObject visualization(const Film& film) {
  return {{"name", film.name},
          {"title", film.title},
          {"tags", QJsonArray{"astronomy"}},
          {"columns", 2},
          {"rows", 1},
          {"tile_width", 2560},
          {"tile_height", 1600},
          {"pixel_format", "rgb8"},
          {"frame_rate", film.rate},
          {"frames", film.frames},
          {"bytes", 239e9},
          {"gbit_per_s", 35.4},
          {"poster", true},
          {"thumbnails", 16},
          {"fits", true}};
}

QJsonObject entry(int id, const QString& name, int loops, int fade_ms = 0) {
  QJsonObject json{{"id", id}, {"name", name}};
  if (loops > 0) json["loops"] = loops;
  if (loops == 0) json["seconds"] = 60;
  if (fade_ms > 0) json["transition"] = "fade";
  if (fade_ms > 0) json["fade_ms"] = fade_ms;
  return json;
}

QJsonObject playing() {
  return {{"status", "playing"},
          {"name", "web"},
          {"frame", 992},
          {"frames", 3840},
          {"frame_rate", "24"},
          {"rate", 1.0},
          {"loop", true},
          {"repeat", true},
          {"entry", entry(1, "web", 3)},
          {"playlist", QJsonArray{entry(2, "domain", 1, 2000), entry(3, "galaxies", 4), entry(4, "sea", 0, 2000),
                                  entry(1, "web", 3)}},
          {"imports", QJsonArray{QJsonObject{{"server", "a"},
                                             {"name", "Aurora, all-sky"},
                                             {"status", "running"},
                                             {"frames", 62},
                                             {"frames_total", 100}}}}};
}

struct Told {
  const char* time;
  const char* severity;
  const char* code;
  const char* node;
  const char* text;
};

const QList<Told> happened{{"12:58:12", "info", "playlist", "", "Playlist changed: 4 entries"},
                           {"13:02:31", "info", "clock", "render-2", "Clock offset back under 20 \u00b5s"},
                           {"13:18:05", "info", "playlist", "", "Fade 2 s from Sea surface temperature"},
                           {"13:18:07", "info", "play", "", "Playing Flight through the cosmic web"},
                           {"13:19:40", "warning", "loss-began", "render-4", "212 packets lost, all resent in time"},
                           {"13:19:43", "info", "loss-ended", "render-4", "Packet loss cleared after 3 s"},
                           {"13:20:47", "error", "concealed", "render-3", "3 frames shown with concealed rows"}};

}  // namespace

class PanelsTest : public QObject {
  Q_OBJECT

  std::unique_ptr<test::ScriptedServer> server_;
  std::unique_ptr<ControlLink> link_;
  std::unique_ptr<QMainWindow> window_;
  std::unique_ptr<Commands> commands_;
  LibraryPanel* library_ = nullptr;
  PlaylistPanel* playlist_ = nullptr;
  TransportPanel* transport_ = nullptr;
  EventLog* events_ = nullptr;

  static void use(Theme theme) {
    colors::use(theme);
    QApplication::setPalette(colors::palette());
    qApp->setStyleSheet(colors::style_sheet());
  }
  template <class Take>
  void in_all_themes(const Take& take) {
    for (const auto& [theme, name] :
         {std::pair{Theme::dark, "dark"}, {Theme::light, "light"}, {Theme::high_contrast, "high-contrast"}}) {
      use(theme);
      take(QString(name));
    }
    use(Theme::dark);
  }
  void save(QWidget& widget, const QString& name) {
    QTest::qWait(30);
    QVERIFY(widget.grab().save(test::picture(name)));
  }
  void save_framed(Panel& panel, const QString& title, const QString& name, QSize size) {
    in_all_themes([&](const QString& theme) {
      auto frame = test::framed(panel, title, size);
      frame->show();
      QTest::qWait(30);
      QCOMPARE(frame->size(), size);  // it is not wider than its place
      save(*frame, QString("%1-%2x%3-%4.png").arg(name).arg(size.width()).arg(size.height()).arg(theme));
      panel.setParent(nullptr);
    });
  }

private slots:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QApplication::setStyle(QStyleFactory::create("Fusion"));
    auto font = QApplication::font();
    font.setFamilies({"Inter", font.family()});
    font.setPixelSize(13);
    font.setPointSizeF(9.75);
    QApplication::setFont(font);
    use(Theme::dark);
  }
  void init() {
    server_ = std::make_unique<test::ScriptedServer>();
    QJsonArray list;
    for (const auto& film : films) list << visualization(film);
    server_->results["list"] = {{"visualizations", list}};
    server_->results["image"] = image(30, 1, {640, 240});
    server_->results["plan"] = {{"verdict", "impossible"},
                                {"findings", QJsonArray{QJsonObject{{"verdict", "impossible"},
                                                                    {"what", "interface eth0"},
                                                                    {"needed", "44.2 Gbit/s"},
                                                                    {"have", "40 Gbit/s"}}}}};
    link_ = std::make_unique<ControlLink>();
    window_ = std::make_unique<QMainWindow>();
    commands_ = std::make_unique<Commands>(*link_, *window_);
    library_ = new LibraryPanel(*link_, *link_, *commands_);
    playlist_ = new PlaylistPanel(*link_, *commands_, library_->model(), [this] { return library_->selected(); });
    transport_ = new TransportPanel(*link_, *commands_);
    transport_->set_transition(library_->transition());
    events_ = new EventLog;
    const auto state_taken = [this](const StateMessage& state) {
      library_->set_state(state);
      playlist_->set_state(state);
      transport_->set_state(state, [this](const QString& name) { return library_->title_of(name); });
    };
    QObject::connect(link_.get(), &ControlLink::play_state, window_.get(), state_taken);
    QObject::connect(library_, &LibraryPanel::playing_strip, transport_, &TransportPanel::set_strip);
    link_->connect_to(server_->address());
    QTRY_COMPARE(library_->model().rowCount(), films.size());
    transport_->set_connected(true);
    // Each has its own images, as from the server.
    auto& model = const_cast<LibraryModel&>(library_->model());
    QTRY_VERIFY(model.without_poster().isEmpty());
    QTRY_VERIFY(model.without_plan().isEmpty());
    for (const auto& film : films) {
      const auto pixmap = [](const QJsonObject& json) {
        QPixmap made;
        made.loadFromData(QByteArray::fromBase64(json["base64"].toString().toLatin1()));
        return made;
      };
      model.set_poster(film.name, pixmap(image(film.hue, 1, {640, 240})));
      model.set_strip(film.name, pixmap(image(film.hue, 16, {160, 60})));
      model.set_plan(film.name, PlanReply{"", {}, Verdict::ok, {}});
    }
    model.set_plan("storm", plan_from(server_->results["plan"]).value());
    server_->tell("state", playing());
    QTRY_COMPARE(model.playing(), QString("web"));
    for (const auto& event : happened)
      events_->add(*read_event({{"seq", 1 + events_->model().rowCount()},
                                {"time", QString("2026-01-31T%1.000Z").arg(event.time)},
                                {"severity", event.severity},
                                {"code", event.code},
                                {"node", event.node},
                                {"text", event.text}}));
  }
  void cleanup() {
    delete events_;
    delete transport_;
    delete playlist_;
    delete library_;
    commands_.reset();
    window_.reset();
    link_.reset();
    server_.reset();
  }

  void the_library_at_its_sizes() {
    library_->findChild<LibraryView*>()->select("domain");
    save_framed(*library_, "Library", "library", {320, 625});
    save_framed(*library_, "Library", "library", {320, 390});
    library_->findChild<QAction*>("library-cards")->setChecked(false);
    save_framed(*library_, "Library", "library-rows", {320, 625});
    library_->findChild<QAction*>("library-cards")->setChecked(true);
    // Nothing found, and the way out.
    library_->findChild<QLineEdit*>("search")->setText("no such thing");
    save_framed(*library_, "Library", "library-nothing", {320, 390});
  }

  void the_playlist_at_its_sizes() {
    QCOMPARE(playlist_->note(), QString("Live"));
    save_framed(*playlist_, "Playlist", "playlist", {320, 244});
    save_framed(*playlist_, "Playlist", "playlist", {320, 200});
    playlist_->add("storm");
    QCOMPARE(playlist_->note(), QString("Edited, not live"));
    save_framed(*playlist_, "Playlist", "playlist-edited", {320, 330});
    playlist_->findChild<QAction*>("playlist-edit")->trigger();
    save_framed(*playlist_, "Playlist", "playlist-editor", {320, 400});
  }

  void the_events_at_their_sizes() {
    save_framed(*events_, "Events", "events", {428, 230});
    save_framed(*events_, "Events", "events", {340, 230});
    events_->clear();
    save_framed(*events_, "Events", "events-none", {340, 200});
  }

  void the_transport_at_its_sizes() {
    FlowHistory history;
    history.set_wall(read_info({{"wall", test::ScriptedServer::wall()}}).wall);
    const auto stats = [](int frame, int repaired, int late, int concealed, int not_shown) {
      QJsonArray tiles;
      QJsonArray flows;
      for (int i = 0; i < 2; ++i) {
        tiles << QJsonObject{{"tile", QJsonArray{i, 0}},     {"frame", frame},
                             {"shown_repaired", repaired},   {"late", late},
                             {"shown_concealed", concealed}, {"not_shown", not_shown}};
        flows << QJsonObject{{"flow", i}, {"receiving", true}};
      }
      return stats_from(
                 {{"interval_s", 0.1},
                  {"nodes", QJsonArray{QJsonObject{{"node", "one"},
                                                   {"connected", true},
                                                   {"report", QJsonObject{{"flows", flows}, {"tiles", tiles}}}}}}})
          .value();
    };
    for (int i = 0; i < 10; ++i) history.add(stats(700, 0, 0, 0, 0)), transport_->take(history);
    for (const auto& [frame, repaired, late, concealed, not_shown] :
         {std::tuple{720, 3, 0, 0, 0}, {2620, 3, 2, 0, 0}, {2760, 3, 2, 1, 0}, {3000, 3, 2, 1, 2}, {992, 3, 2, 1, 2}}) {
      history.add(stats(frame, repaired, late, concealed, not_shown));
      transport_->take(history);
    }
    QVERIFY(transport_->sizeHint().height() <= 116);
    for (const int width : {1280, 960, 600})
      in_all_themes([&](const QString& theme) {
        transport_->resize(width, 116);
        transport_->show();
        QCOMPARE(transport_->width(), width);
        save(*transport_, QString("transport-%1-%2.png").arg(width).arg(theme));
      });
    auto state = playing();
    state["in"] = 600;
    state["out"] = 3000;
    server_->tell("state", state);
    QTest::qWait(50);
    transport_->resize(1280, 116);
    save(*transport_, "transport-loop-dark.png");
  }

  void the_import_dialog() {
    in_all_themes([&](const QString& theme) {
      ImportDialog dialog(*link_);
      dialog.add_files({"/films/aurora.mp4", "/films/rain.mp4", "/films/snow.mp4"});
      dialog.show();
      save(dialog, QString("import-%1.png").arg(theme));
    });
  }
};

QTEST_MAIN(PanelsTest)
#include "panels_test.moc"
