#include "wall-control/network/save_view.h"

#include "wall-control/network/distribution_panel.h"
#include "wall-control/plots/export.h"

#include <QCoreApplication>
#include <QStringList>

namespace lw {
namespace {

constexpr int picture_width = 1200, lane_height = 130, map_height = 520, distribution_height = 420;

QString name_for(const char* text) { return QCoreApplication::translate("SaveView", text); }

// Wall, part, time with its zone, and each quantity with its unit.
QString caption(NetworkModels& models, const std::vector<Quantity>& quantities, const TimeWindow::Range& range) {
  QStringList parts;
  if (!models.wall_name().isEmpty()) parts << models.wall_name();
  parts << name_of(models.focus().part()) << time_caption(models.source(), range);
  QStringList shown;
  for (const auto quantity : quantities)
    shown << QString("%1 (%2)").arg(name_of(info(quantity)),
                                    QString::fromUtf8(info(quantity).unit).replace("us", "\u00b5s"));
  return (parts << shown.join(", ")).join(QString::fromUtf8(" \u00b7 "));
}

template <class Chart>
Drawing drawing_of(Chart& chart, const QString& title, const QString& caption) {
  chart.collect();
  return {chart.size(), [&chart](QPainter& painter) { chart.draw(painter); }, title, caption};
}

}  // namespace

QString save_charts(const QString& path, NetworkModels& models, const std::vector<Lane>& lanes) {
  std::vector<Quantity> quantities;
  for (const auto& lane : lanes) quantities.push_back(lane.quantity);
  if (!is_picture(path)) return save_samples(path, samples_to_export(models.source(), quantities));
  const LightTheme light;
  LaneChart chart(models.source(), lanes, {});
  chart.resize(picture_width, lane_height * static_cast<int>(lanes.size()) + 50);
  return save_drawing(path, drawing_of(chart, name_for(QT_TRANSLATE_NOOP("SaveView", "Network")),
                                       caption(models, quantities, models.window().shown())));
}

QString save_heat_map(const QString& path, NetworkModels& models) {
  if (!is_picture(path)) return save_samples(path, samples_to_export(models.source(), {models.quantity()}));
  const LightTheme light;
  HeatMap map(models.source());
  map.set_quantity(models.quantity());
  map.set_rows(models.rows());
  map.resize(picture_width, map_height);
  return save_drawing(path, drawing_of(map, title_of(info(models.quantity())),
                                       caption(models, {models.quantity()}, models.window().shown())));
}

QString save_distribution(const QString& path, NetworkModels& models) {
  Distribution plot;
  plot.set(models.quantity(), curves_of(models), models.notes().limit(models.quantity()));
  if (!is_picture(path)) {
    CurveTableModel table;
    table.set(plot.curves(), plot.unit());
    return save_figures(path, table, CurveTableModel::value_role);
  }
  const LightTheme light;
  plot.resize(picture_width, distribution_height);
  const auto title = name_for(QT_TRANSLATE_NOOP("SaveView", "Distribution: %1")).arg(title_of(info(models.quantity())));
  return save_drawing(path, {plot.size() + QSize(0, Distribution::legend_height(plot.curves().size())),
                             [&plot](QPainter& painter) {
                               plot.draw(painter);
                               plot.draw_legend(painter);
                             },
                             title, caption(models, {models.quantity()}, models.window().chosen())});
}

QString save_figures(const QString& path, const QAbstractItemModel& table, int role) {
  if (is_picture(path))
    return name_for(
               QT_TRANSLATE_NOOP("SaveView", "%1: a table has no picture; use a name that ends with .csv or .json"))
        .arg(path);
  return save_table(path, table, role);
}

}  // namespace lw
