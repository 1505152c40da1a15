#include "wall-control/ui/icons.h"

#include "wall-control/ui/palette.h"

#include <QCoreApplication>
#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QStandardPaths>
#include <QSvgRenderer>

#include <array>
#include <optional>

// Resources of a static library have to be registered by name, outside of namespaces.
static void register_icons() { Q_INIT_RESOURCE(icons); }

namespace lw {
namespace {

// In the order of Icon: a name of the theme, or with ":" one of ui/icons.
constexpr std::array<const char*, static_cast<std::size_t>(Icon::count)> names{
    "",
    "media-playback-start",
    "media-playback-pause",
    "media-playback-stop",
    "media-skip-backward",
    "media-skip-forward",
    ":frame-back",
    ":frame-forward",
    "media-seek-backward",
    "media-repeat-all",
    ":loop-range",
    "media-playlist-play",
    "player-volume",
    "player-volume-muted",
    ":monitor",
    "media-playback-start",
    ":identify",
    "view-grid",
    ":concealed-rows",
    ":blank",
    "object-order-front",
    "camera-photo",
    "zoom-in",
    "zoom-out",
    "zoom-fit-best",
    "view-fullscreen",
    "edit-select",
    "zoom-select-fit",
    "view-catalog",
    "view-media-playlist",
    "list-add",
    "view-list-icons",
    "view-list-details",
    "viewimage",
    "document-import",
    "document-open",
    "document-save",
    ":film",
    "tag",
    "document-edit",
    "edit-delete",
    "view-sort",
    "view-media-visualization",
    ":show-cause",
    "office-chart-line",
    "view-object-histogram-linear",
    ":heat-map",
    "view-file-columns",
    "view-split-left-right",
    "view-history",
    "view-filter",
    "document-export",
    "viewimage",
    ":record",
    "speedometer",
    "drive-harddisk",
    "chronometer",
    "document-send",
    "network-connect",
    "object-order-raise",
    "go-up",
    "view-refresh",
    ":cpu",
    ":server",
    ":memory",
    "clock",
    "search",
    "notifications",
    "notifications-disabled",
    "object-unlocked",
    "object-locked",
    "view-certificate",
    ":fingerprint",
    "user",
    "view-presentation",
    "window-pin",
    "edit-copy",
    "dialog-scripts",
    "view-refresh",
    "edit-undo",
    "edit-redo",
    "configure",
    ":theme",
    "input-keyboard",
    "documentation",
    "application-menu",
    "go-previous",
    "go-next",
    "go-up",
    "go-down",
    "dialog-ok-apply",
    "window-close",
    "application-exit",
    "help-about",
    "documentinfo",
};

// The theme's drawings for bars are 22 pixels; some icons exist for other sizes or other folders only.
QString theme_file(const QString& name) {
  static const std::array folders{"actions",    "devices", "status",      "apps",
                                  "categories", "places",  "preferences", "applets"};
  static const std::array sizes{"22", "16", "32", "48", "symbolic", "24", "64"};
  for (const auto& root : QStandardPaths::standardLocations(QStandardPaths::GenericDataLocation))
    for (const auto* size : sizes)
      for (const auto* folder : folders) {
        const auto path = QString("%1/icons/breeze/%2/%3/%4.svg").arg(root, folder, size, name);
        if (QFile::exists(path)) return path;
      }
  return {};
}

// Fills the drawing with a colour at the size and pixel ratio at which it is shown.
class TintedEngine : public QIconEngine {
public:
  TintedEngine(QByteArray drawing, QString name, std::optional<QColor> color)
      : drawing_(std::move(drawing)), name_(std::move(name)), color_(std::move(color)) {}

  void paint(QPainter* painter, const QRect& place, QIcon::Mode mode, QIcon::State state) override {
    painter->drawPixmap(place, scaledPixmap(place.size() * painter->device()->devicePixelRatioF(), mode, state, 1));
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    return scaledPixmap(size, mode, state, 1);
  }
  QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State, qreal) override {
    const auto color = color_.value_or(mode == QIcon::Disabled ? colors::disabled : colors::text2);
    const auto key = QString("lw-icon %1 %2 %3x%4").arg(name_, color.name()).arg(size.width()).arg(size.height());
    QPixmap made;
    if (QPixmapCache::find(key, &made)) return made;
    auto drawing = drawing_;
    drawing.replace("currentColor", color.name().toLatin1());
    made = QPixmap(size);
    made.fill(Qt::transparent);
    QPainter painter(&made);
    QSvgRenderer(drawing).render(&painter, QRectF(QPointF(), QSizeF(size)));
    painter.end();
    QPixmapCache::insert(key, made);
    return made;
  }
  [[nodiscard]] QIconEngine* clone() const override { return new TintedEngine(*this); }

private:
  QByteArray drawing_;
  QString name_;
  std::optional<QColor> color_;
};

QIcon make(Icon meaning, const std::optional<QColor>& color) {
  const auto file = icon_file(meaning);
  QFile drawing(file);
  if (file.isEmpty() || !drawing.open(QIODevice::ReadOnly)) return {};
  return QIcon(new TintedEngine(drawing.readAll(), file, color));
}

}  // namespace

QString icon_file(Icon meaning) {
  [[maybe_unused]] static const bool registered = (register_icons(), true);
  static QHash<int, QString> known;
  const auto key = static_cast<int>(meaning);
  if (known.contains(key)) return known[key];
  const QString name = names[static_cast<std::size_t>(meaning)];
  const auto file = name.isEmpty()         ? QString()
                    : name.startsWith(':') ? QString(":/icons/%1.svg").arg(name.mid(1))
                                           : theme_file(name);
  return known[key] = file;
}

QIcon icon(Icon meaning) { return make(meaning, {}); }

QIcon icon(Icon meaning, const QColor& color) { return make(meaning, color); }

QString missing_icons() {
  if (!icon_file(Icon::play).isEmpty()) return {};
  return QCoreApplication::translate("lw::icons",
                                     "Icons are missing; install the package breeze-icon-theme to see them.");
}

}  // namespace lw
