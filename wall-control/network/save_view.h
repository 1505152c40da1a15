// Saves what one of the views of the network shows.
#pragma once

#include "wall-control/network/network_models.h"
#include "wall-control/plots/lane_chart.h"

#include <QString>

namespace lw {

// Charts and maps: figures (.csv, .json), or an image of the chart itself (.png, .svg, .pdf). Returns what went wrong,
// or an empty text.
QString save_charts(const QString& path, NetworkModels& models, const std::vector<Lane>& lanes);
QString save_heat_map(const QString& path, NetworkModels& models);
QString save_distribution(const QString& path, NetworkModels& models);
// A table has figures only.
QString save_figures(const QString& path, const QAbstractItemModel& table, int role);

}  // namespace lw
