// The report on A4 pages: drawings as vectors, no block divided between two pages.
#pragma once

#include "wall-control/report/report.h"

#include <QByteArray>

namespace lw {

// The blocks of each page, by number, in order; for a page of so many pixels, given the height of each block.
std::vector<std::vector<std::size_t>> pages_of(const std::vector<ReportBlock>& blocks,
                                               const std::vector<double>& heights, double page_height);
QByteArray report_as_pdf(const Report& report);

}  // namespace lw
