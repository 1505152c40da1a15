#include "common/messages/site_tables.h"

#include "common/messages/table_rows.h"

#include <cstdint>
#include <utility>

namespace lw {
namespace {

struct SiteShapes {
  TableShape sites = shape_of<SiteReport>("sites");
  TableShape nodes = shape_of<SiteNodeReport>("site_nodes");
};

}  // namespace

void put_sites(TableSender& tables, const std::vector<SiteReport>& sites) {
  if (sites.empty()) return;
  std::vector<TableRow> rows, nodes;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    rows.push_back(row_of(static_cast<std::uint32_t>(i), sites[i]));
    for (std::size_t j = 0; j < sites[i].nodes.size(); ++j)
      nodes.push_back(row_of(row_id_in(i, static_cast<std::uint32_t>(j)), sites[i].nodes[j]));
  }
  tables.put(shapes<SiteShapes>().sites, std::move(rows));
  tables.put(shapes<SiteShapes>().nodes, std::move(nodes));
}

Result<void> read_sites(const TableReceiver& tables, std::vector<SiteReport>& into) {
  std::vector<SiteReport> sites;
  if (auto read = read_all(tables, "sites", sites); !read) return read;
  const auto* places = tables.find("sites");
  const auto* nodes = tables.find("site_nodes");
  if (nodes != nullptr)
    for (const auto& row : nodes->rows)
      for (std::size_t i = 0; i < sites.size(); ++i) {
        if (row_owner(row.id) != places->rows[i].id) continue;
        auto node = read_row<SiteNodeReport>(*nodes, row);
        if (!node) return node.error();
        sites[i].nodes.push_back(std::move(*node));
      }
  into = std::move(sites);
  return {};
}

}  // namespace lw
