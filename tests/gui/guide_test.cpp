// The whole window with a wall as in the drawings of the control room's guide: healthy, in an incident, its network,
// and 512 tiles. For people to compare: screenshots at three sizes and in three themes.
#include "common/messages/info.h"
#include "common/messages/message.h"
#include "tests/gui/fake_server.h"
#include "tests/gui/health_room.h"
#include "tests/gui/own_settings.h"
#include "tests/gui/picture.h"
#include "wall-control/app/dock.h"
#include "wall-control/app/main_window.h"
#include "wall-control/app/tool_row.h"
#include "wall-control/health/answer_block.h"
#include "wall-control/health/inspector.h"
#include "wall-control/wallview/wall_view.h"

#include <QBuffer>
#include <QDateTime>
#include <QListView>
#include <QMenu>
#include <QPainter>
#include <QRandomGenerator>
#include <QScrollArea>
#include <QSettings>
#include <QTemporaryDir>
#include <QToolButton>

#include <nlohmann/json.hpp>

#include <array>
#include <memory>

using namespace lw;

namespace {

constexpr std::array sizes{QSize{1280, 720}, QSize{1600, 1000}, QSize{2560, 1440}};
constexpr std::array themes{"dark", "light", "high-contrast"};  // as Ctrl+T goes through them
constexpr int thumbnails = 16;

// Lights before a dark ground, as the guide has them.
QImage universe(QSize size, quint32 seed) {
  QImage image(size, QImage::Format_RGB888);
  image.fill(QColor(6, 9, 18));
  QRandomGenerator random(seed);
  QPainter painter(&image);
  painter.setCompositionMode(QPainter::CompositionMode_Plus);
  painter.setPen(Qt::NoPen);
  const int hue = static_cast<int>(seed * 47 % 360);
  for (int i = 0; i < 90; ++i) {
    const QPointF center(random.bounded(double(size.width())), random.bounded(double(size.height())));
    const double radius = size.height() * (0.03 + 0.25 * random.generateDouble() * random.generateDouble());
    QRadialGradient light(center, radius);
    const bool knot = i % 4 == 0;
    light.setColorAt(0, QColor::fromHsv((knot ? hue + 30 : hue + 215) % 360, knot ? 150 : 170, knot ? 230 : 90));
    light.setColorAt(1, Qt::transparent);
    painter.setBrush(light);
    painter.drawEllipse(center, radius * (1 + 2 * random.generateDouble()), radius);
  }
  return image;
}

QJsonObject as_message(const QImage& image) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  image.save(&buffer, "PNG");
  return {{"mime", "image/png"}, {"base64", QString::fromLatin1(bytes.toBase64())}};
}

QImage strip(quint32 seed) {
  QImage image(QSize(160, 60) * thumbnails, QImage::Format_RGB888);
  image = image.copy(0, 0, 160 * thumbnails, 60);
  QPainter painter(&image);
  for (int i = 0; i < thumbnails; ++i) painter.drawImage(160 * i, 0, universe({160, 60}, seed + 1000 * i));
  return image;
}

struct Film {
  const char* name;
  const char* title;
  int seconds;
  double gbit;
  bool fits;
};
constexpr std::array films{Film{"cosmic-web", "Flight through the cosmic web", 160, 35.4, true},
                           Film{"whole-domain", "Cosmic web, whole domain", 80, 35.4, true},
                           Film{"galaxies", "Merging galaxies", 54, 35.4, true},
                           Film{"sea", "Sea surface temperature", 300, 17.7, true},
                           Film{"channel", "Turbulent channel flow, Re 10 000", 192, 35.4, true},
                           Film{"storm", "Supercell thunderstorm", 125, 44.2, false},
                           Film{"protein", "Protein folding in water", 250, 35.4, true},
                           Film{"mandelbrot", "Deep zoom into the Mandelbrot set", 108, 35.4, true}};
constexpr int rate = 24;

QJsonObject listed(const Film& film) {
  return {{"name", film.name},
          {"title", film.title},
          {"tags", QJsonArray{"simulation"}},
          {"columns", 5},
          {"rows", 3},
          {"tile_width", 2560},
          {"tile_height", 1600},
          {"pixel_format", "rgb8"},
          {"frame_rate", QString::number(rate)},
          {"frames", film.seconds * rate},
          {"gbit_per_s", film.gbit},
          {"poster", true},
          {"thumbnails", thumbnails},
          {"fits", film.fits},
          {"reason", film.fits ? "" : "44.2 of 40 Gbit/s"}};
}

QJsonObject playing(int frame) {
  const auto entry = [](int place, int loops) {
    return QJsonObject{{"id", place + 1}, {"name", films[static_cast<std::size_t>(place)].name}, {"loops", loops}};
  };
  return {{"status", "playing"},
          {"name", films[0].name},
          {"frame", frame},
          {"frames", films[0].seconds * rate},
          {"frame_rate", QString::number(rate)},
          {"rate", 1.0},
          {"loop", true},
          {"entry", entry(0, 3)},
          {"playlist", QJsonArray{entry(1, 1), entry(2, 4), entry(3, 1), entry(0, 3)}},
          {"repeat", true}};
}

QString text_of(const char* method, const nlohmann::json& params) {
  return QString::fromStdString(nlohmann::json{{"jsonrpc", "2.0"}, {"method", method}, {"params", params}}.dump());
}

struct Scene {
  const char* picture;  // the number and name of the guide's drawing
  unsigned columns, rows;
  int workspace;
  bool incident;
};

}  // namespace

class GuideTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::unique_ptr<FakeServer> server_;
  std::unique_ptr<test::RoomOfAnySize> room_;
  std::unique_ptr<MainWindow> window_;

  void tell_pictures() {
    const auto& wall = room_->wall();
    const int columns = static_cast<int>(wall.columns), rows = static_cast<int>(wall.rows);
    const QSize tile = columns > 8 ? QSize(64, 40) : QSize(256, 160);
    const auto whole = universe({tile.width() * columns, tile.height() * rows}, 1);
    for (int column = 0; column < columns; ++column)
      for (int row = 0; row < rows; ++row) {
        auto message = as_message(whole.copy({QPoint(column * tile.width(), row * tile.height()), tile}));
        message["tile"] = QJsonArray{column, row};
        server_->tell("picture", message);
      }
  }
  void tell_tenths(int count) {
    for (int i = 0; i < count; ++i) {
      server_->send_text(text_of("stats", to_json(room_->next_stats())));
      if (i % 10 == 9) QTest::qWait(60);
    }
  }
  void tell_events() {
    const auto tell = [&](int minute, const char* severity, const char* code, const QString& text, int column) {
      QJsonObject event{{"time", QString("2027-01-15T07:%1:05.000Z").arg(minute)},
                        {"severity", severity},
                        {"code", code},
                        {"text", text}};
      if (column >= 0) {
        event["node"] = QString("render-%1").arg(column + 1);
        event["tile"] = QJsonArray{column, 1};
      }
      server_->tell("event", event);
    };
    tell(38, "info", "playlist", "playlist changed: 4 entries", -1);
    tell(42, "info", "loaded", "playing Flight through the cosmic web", -1);
    tell(47, "warning", "loss-began", "flow 44: packets are lost", 3);
    tell(48, "info", "loss-ended", "flow 44: no packet is lost any more", 3);
    tell(49, "info", "playlist", "pass 2 of 3: Flight through the cosmic web", -1);
  }
  // Each button has its room, or its action is in the dock's menu.
  void check_headers() {
    for (auto* dock : window_->findChildren<Dock*>()) {
      auto* row = dock->findChild<ToolRow*>();
      auto* more = dock->findChild<QToolButton*>("dock-menu");
      if (row == nullptr || !dock->isVisible() || row->visibleRegion().isEmpty()) continue;
      for (const auto* button : row->findChildren<QToolButton*>())
        if (button->isVisible()) QVERIFY(row->rect().contains(button->geometry()));
      emit more->menu()->aboutToShow();
      for (auto* action : row->without_room()) QVERIFY(more->menu()->actions().contains(action));
      emit more->menu()->aboutToHide();
      for (auto* action : row->without_room()) QVERIFY(!more->menu()->actions().contains(action));
    }
  }
  void open(const Scene& scene, QSize size) {
    room_ = std::make_unique<test::RoomOfAnySize>(scene.columns, scene.rows);
    InfoReply reply{};
    reply.program = "wall-server";
    reply.protocol = 1;
    reply.host = "sara-hub";
    reply.wall = room_->wall();
    const auto info = QString::fromStdString(to_json(reply).dump());
    server_->results["info"] = QJsonDocument::fromJson(info.toUtf8()).object();
    QJsonArray list;
    for (const auto& film : films) list << listed(film);
    server_->results["list"] = {{"visualizations", list}};
    server_->answer_with = [](const QString& method, const QJsonObject& asked) -> std::optional<QJsonObject> {
      if (method != "image") return std::nullopt;
      quint32 seed = 1;
      for (quint32 i = 0; i < films.size(); ++i)
        if (asked["name"].toString() == films[i].name) seed = 1 + i;
      return as_message(asked["kind"] == "poster" ? universe({320, 120}, seed) : strip(seed));
    };
    window_ = std::make_unique<MainWindow>();
    window_->resize(size);
    window_->show();
    window_->connect_to(server_->address());
    QTRY_COMPARE(window_->link().state(), ControlLink::State::ready);
    server_->tell("state", playing(992));
    tell_events();
    tell_pictures();
    const int tenths = scene.columns > 8 ? 8 : 30;  // a large wall's are long texts
    tell_tenths(tenths);
    auto* wall = window_->findChild<WallView*>();
    QTRY_VERIFY_WITH_TIMEOUT(wall->words_of(scene.columns - 1, scene.rows - 1).contains("frame"), 20'000);
    if (scene.incident) {
      room_->lose_packets_on_one_node();
      room_->be_late_on_one_tile();
      room_->tiles[room_->tile_at(3, 1)].concealed = 1;
      tell_tenths(1);
      room_->tiles[room_->tile_at(3, 1)].concealed = 0;
      tell_tenths(tenths);
      QTest::mouseClick(wall, Qt::LeftButton, {}, wall->rect_of(3, 1).center().toPoint());
    }
    QTRY_VERIFY_WITH_TIMEOUT(window_->findChild<AnswerBlock*>()->accessibleName().contains("healthy") != scene.incident,
                             20'000);
    QTest::qWait(500);  // for previews, and texts that are renewed now and then
    window_->use_workspace(scene.workspace);
  }

private slots:
  void initTestCase() {
    test::keep_settings_in(folder_.path());
    QApplication::setStyle("Fusion");
  }
  void init() {
    QSettings().clear();
    server_ = std::make_unique<FakeServer>();
  }
  void cleanup() {
    window_.reset();
    room_.reset();
    server_.reset();
  }

  void pictures_data() {
    QTest::addColumn<Scene>("scene");
    QTest::addColumn<QSize>("size");
    for (const auto& scene : {Scene{"01-main", 5, 3, 0, false}, Scene{"02-incident", 5, 3, 0, true},
                              Scene{"03-network", 5, 3, 1, true}, Scene{"06-512-tiles", 32, 16, 0, true}})
      for (const auto size : sizes) QTest::addRow("%s %d", scene.picture, size.width()) << scene << size;
  }
  void pictures() {
    QFETCH(Scene, scene);
    QFETCH(QSize, size);
    open(scene, size);
    if (QTest::currentTestFailed()) return;
    for (const auto* theme : themes) {
      tell_pictures();  // as nodes do: older previews no longer count
      tell_tenths(3);
      QTest::qWait(300);
      const auto shown = window_->grab();
      QCOMPARE(shown.size(), size);  // nothing in it needs more
      QVERIFY(shown.save(test::picture(QString("guide-%1-%2-%3.png").arg(scene.picture, theme).arg(size.width()))));
      QTest::keyClick(window_.get(), Qt::Key_T, Qt::ControlModifier);
    }
    check_headers();
    const auto* playlist = window_->findChild<QListView*>("playlist");
    for (int row = 0; row < playlist->model()->rowCount() && playlist->isVisible(); ++row) {
      const auto index = playlist->model()->index(row, 0);
      QVERIFY(playlist->visualRect(index).height() >= playlist->sizeHintForIndex(index).height());
    }
    const auto* inspector = window_->findChild<Inspector*>();
    if (const auto* scroll = inspector->findChild<QScrollArea*>(); inspector->isVisible())
      QVERIFY2(scroll->widget()->width() <= scroll->viewport()->width(),
               qPrintable(QString("%1 px in %2").arg(scroll->widget()->width()).arg(scroll->viewport()->width())));
  }
};

Q_DECLARE_METATYPE(Scene)

QTEST_MAIN(GuideTest)
#include "guide_test.moc"
