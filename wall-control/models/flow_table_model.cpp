#include "wall-control/models/flow_table_model.h"

#include "wall-control/ui/palette.h"
#include "wall-control/ui/tile_names.h"

#include <QBrush>

namespace lw {
namespace {

QVariant optional(const std::optional<double>& value) { return value ? QVariant(*value) : QVariant(); }

}  // namespace

void FlowTableModel::refresh() {
  const int rows = static_cast<int>(history_.flows().size());
  if (rows != rows_) {
    beginResetModel();
    rows_ = rows;
    endResetModel();
  } else if (rows_ > 0) {
    emit dataChanged(index(0, 0), index(rows_ - 1, column_count - 1), {Qt::DisplayRole, sort_role});
  }
}

// A figure that was not measured has no value, and is shown as a dash.
QVariant FlowTableModel::value(const FlowRow& row, int column) const {
  switch (column) {
    case flow:
      return row.flow;
    case tile:
      return tile_name(row.column, row.row);
    case node:
      return row.node;
    case rate:
      return optional(row.gbit_per_s);
    case jitter:
      return optional(row.jitter_us);
    case delay:
      return optional(row.delay_us_p99);
    case rtt:
      return optional(row.rtt_us);
    case sender_cpu:
      return row.sender_cpu < 0 ? QVariant() : QVariant(row.sender_cpu);
    default:
      break;
  }
  if (!row.reported) return {};
  switch (column) {
    case lost:
      return row.lost;
    case kernel_drops:
      return row.kernel_drops;
    case reordered:
      return row.reordered;
    case duplicates:
      return row.duplicates;
    case late:
      return row.late;
    case receiver_cpu:
      return row.receiver_cpu < 0 ? QVariant() : QVariant(row.receiver_cpu);
    default:
      return {};
  }
}

QVariant FlowTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rows_) return {};
  const auto& row = history_.flows()[static_cast<std::size_t>(index.row())];
  auto content = value(row, index.column());
  switch (role) {
    case sort_role:
      return content;
    case Qt::DisplayRole:
      if (!content.isValid()) return QString::fromUtf8("\u2013");
      if (content.typeId() == QMetaType::Double)
        return QString::number(content.toDouble(), 'f', index.column() == rate ? 3 : 1);
      return content;
    case Qt::TextAlignmentRole:
      return int((index.column() == tile || index.column() == node ? Qt::AlignLeft : Qt::AlignRight) |
                 Qt::AlignVCenter);
    case Qt::ForegroundRole:
      if ((index.column() == lost || index.column() == kernel_drops) && content.toLongLong() > 0)
        return QBrush(colors::crit);
      if (index.column() == flow) return QBrush(colors::series_pen(row.flow).color());
      return {};
    default:
      return {};
  }
}

QVariant FlowTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  struct Heading {
    QString title, definition;
  };
  const std::array<Heading, column_count> headings{{
      {tr("Flow"), tr("Number of the flow over the whole wall")},
      {tr("Tile"), tr("Column and row from the top left")},
      {tr("Node"), tr("The render node that shows the tile")},
      {tr("Gbit/s"), tr("UDP payload received over the last interval")},
      {tr("Lost"), tr("Packets expected by sequence number that did not come (RFC 3550 A.3)")},
      {tr("Kernel drops"), tr("Of those, dropped by the node's kernel because the socket was full (SO_RXQ_OVFL)")},
      {tr("Reordered"), tr("Packets that came with a number below the highest so far (RFC 4737)")},
      {tr("Duplicates"), tr("Packets that came before (RFC 5560)")},
      {tr("Late"), tr("Packets whose band was already given up or shown")},
      {tr("Jitter, \u00b5s"), tr("Interarrival jitter of the first packets of frames (RFC 3550 section 6.4.1)")},
      {tr("Delay p99, \u00b5s"),
       tr("Arrival of a frame's first packet less its media time, newest 256 frames: one-way delay "
          "and the sender's lateness, true to the error of the node's clock")},
      {tr("RTT, \u00b5s"), tr("Round-trip time from RTCP (RFC 3550 section 6.4.1)")},
      {tr("Send CPU"), tr("Core of the sender's thread")},
      {tr("Recv CPU"), tr("Core of the receiver's thread")},
  }};
  if (role == Qt::DisplayRole) return headings[static_cast<std::size_t>(section)].title;
  if (role == Qt::ToolTipRole) return headings[static_cast<std::size_t>(section)].definition;
  return {};
}

}  // namespace lw
