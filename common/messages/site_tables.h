// The figures of a wall's sites as tables (common/messages/tables.h): a row for each site, and for each of its nodes.
#pragma once

#include "common/messages/stats.h"
#include "common/messages/tables.h"

#include <vector>

namespace lw {

// A wall without sites has no tables of them.
void put_sites(TableSender& tables, const std::vector<SiteReport>& sites);
Result<void> read_sites(const TableReceiver& tables, std::vector<SiteReport>& into);

}  // namespace lw
