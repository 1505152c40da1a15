#include "common/messages/server_tables.h"

#include "common/messages/site_tables.h"
#include "common/messages/table_rows.h"

#include <utility>

namespace lw {
namespace {

// The members of a report that are values.
struct ServerReportHead {
  std::uint64_t read_failures = 0, frames_read_late = 0;
  std::optional<std::uint64_t> library;

  static constexpr bool closed = false;
  static void members(auto& head, auto& visit) {
    visit("read_failures", head.read_failures, MayBeAbsent{});
    visit("frames_read_late", head.frames_read_late, MayBeAbsent{});
    visit("library", head.library, Tolerated{});
  }
};

struct ServerShapes {
  TableShape report = shape_of<ServerReportHead>("report");
  TableShape import = shape_of<ImportMessage>("import");
  TableShape flows = shape_of<SenderFlowReport>("flows");
};

}  // namespace

std::string ServerTablesSender::message(const ServerReport& report, bool flows) {
  const auto& shape = shapes<ServerShapes>();
  tables_.put(shape.report,
              {row_of(0, ServerReportHead{report.read_failures, report.frames_read_late, report.library})});
  tables_.put(shape.import, rows_of(report.import));
  put_sites(tables_, report.sites);
  if (flows || full_) {
    flows_ = rows_of(
        report.flows, [](const auto& flow) { return flow.flow; }, {}, std::move(flows_));
    tables_.put(shape.flows, flows_);
  }
  auto differences = tables_.take_differences(server_tables_name);
  return std::exchange(full_, false) ? tables_.full(server_tables_name) : differences;
}

Result<const ServerReport*> ServerTablesReceiver::take(Json message, ServerReport& report) {
  return updated(update(std::move(message), report), report, tables_);
}

Result<void> ServerTablesReceiver::update(Json message, ServerReport& report) {
  if (auto taken = tables_.take(std::move(message)); !taken) return taken;
  std::optional<ServerReportHead> head;
  if (auto read = read_one(tables_, "report", head); !read) return read;
  if (head) {
    report.read_failures = head->read_failures;
    report.frames_read_late = head->frames_read_late;
    report.library = head->library;
  }
  if (auto read = read_one(tables_, "import", report.import); !read) return read;
  if (auto read = read_sites(tables_, report.sites); !read) return read;
  return read_all(tables_, "flows", report.flows);
}

}  // namespace lw
