// The report on A4 pages.
#pragma once

#include "wall-control/report/report.h"

#include <QByteArray>

namespace lw {

QByteArray report_as_pdf(const ReportText& text, const std::vector<std::unique_ptr<TimePlot>>& plots);

}  // namespace lw
