#include "wall-control/models/site_model.h"

#include <QFont>

#include <algorithm>
#include <array>

namespace lw {
namespace {

QString text(const std::string& words) { return QString::fromStdString(words); }

QString number(const std::optional<double>& value) {
  if (!value) return SiteModel::tr("\u2013");
  return *value < 1000 ? QString::number(*value, 'g', 3) : QString::number(*value, 'f', 0);
}

QString way_to(const SiteInfo& site) {
  if (!site.relay) return SiteModel::tr("Multicast, from %1").arg(text(site.address));
  if (!site.group) return SiteModel::tr("Relay %1").arg(text(site.address));
  return SiteModel::tr("Relay %1, then multicast from %2").arg(text(site.address), text(*site.group));
}

}  // namespace

void SiteModel::set_wall(const WallInfo& wall) {
  beginResetModel();
  rows_.clear();
  for (const auto& site : wall.sites) {
    SiteRow row;
    row.site = text(site.name);
    row.relay = site.relay;
    row.way = way_to(site);
    row.playout_delay_ms = site.playout_delay_ms;
    row.resend_percent = site.resend_percent;
    rows_.push_back(row);
    for (const auto& node : site.nodes) {
      row.node = text(node.name);
      rows_.push_back(row);
    }
  }
  samples_.assign(rows_.size(), {});
  endResetModel();
}

void SiteModel::add(const Stats& stats) {
  time_s_ += stats.interval_s;
  for (const auto& site : stats.sites) {
    const auto of_site = std::ranges::find(rows_, text(site.site), &SiteRow::site);
    if (of_site == rows_.end()) continue;
    const auto first = static_cast<std::size_t>(of_site - rows_.begin());
    take(first, site.figures);
    for (const auto& node : site.nodes)
      for (auto row = first + 1; row < rows_.size() && rows_[row].site == of_site->site; ++row)
        if (rows_[row].node == text(node.node)) take(row, node.figures);
  }
}

void SiteModel::take(std::size_t row, const Figures<SiteStats>& figures) {
  const auto count = [&](Figures<SiteStats>::Key key) { return static_cast<double>(figures[key].whole().value_or(0)); };
  const Sample now{time_s_, count("lost"), count("resent"), count("resends_refused"), count("resent_bytes")};
  auto& samples = samples_[row];
  if (!samples.empty() && now.resent < samples.back().resent) samples.clear();  // the server was restarted
  samples.push_back(now);
  while (samples.size() > 2 && samples[1].time_s <= now.time_s - rate_seconds) samples.pop_front();

  auto& shown = rows_[row];
  shown.flows_heard = figures["flows_heard"].whole();
  shown.flows = figures["flows"].whole();
  shown.round_trip_ms = figures["rtt_us"].number();
  if (shown.round_trip_ms) *shown.round_trip_ms /= 1000;
  if (shown.flows_heard.value_or(0) == 0) shown.round_trip_ms.reset();
  shown.lost_per_s = shown.resent_per_s = shown.refused_per_s = shown.budget_used_percent = std::nullopt;
  const auto& then = samples.front();
  const auto seconds = now.time_s - then.time_s;
  if (seconds <= 0) return;
  // Both are known by reports only, and the first falls when a node is restarted.
  if (shown.flows_heard.value_or(0) > 0) shown.lost_per_s = std::max(0.0, now.lost - then.lost) / seconds;
  shown.resent_per_s = (now.resent - then.resent) / seconds;
  shown.refused_per_s = (now.refused - then.refused) / seconds;
  if (const auto budget = figures["resend_budget_bytes_per_s"].number(); budget && *budget > 0)
    shown.budget_used_percent = 100 * (now.resent_bytes - then.resent_bytes) / seconds / *budget;
}

void SiteModel::add_gap() {
  for (auto& row : rows_) {
    row.flows_heard = row.flows = std::nullopt;
    row.lost_per_s = row.resent_per_s = row.refused_per_s = std::nullopt;
    row.budget_used_percent = row.round_trip_ms = std::nullopt;
  }
  for (auto& samples : samples_) samples.clear();
}

SiteState SiteModel::state_of(const SiteRow& row) const {
  if (!row.flows_heard || row.flows.value_or(0) == 0) return SiteState::not_measured;
  if (!playing_) return SiteState::not_playing;
  if (*row.flows_heard == 0) return SiteState::silent;
  return *row.flows_heard < *row.flows ? SiteState::partly_heard : SiteState::heard;
}

void SiteModel::refresh() {
  for (auto& row : rows_) row.state = state_of(row);
  if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
}

int SiteModel::count(SiteState state) const {
  return static_cast<int>(
      std::ranges::count_if(rows_, [&](const SiteRow& row) { return row.node.isEmpty() && row.state == state; }));
}

QString SiteModel::words_of(SiteState state) {
  switch (state) {
    case SiteState::not_playing:
      return tr("Nothing is playing");
    case SiteState::silent:
      return tr("Silent");
    case SiteState::partly_heard:
      return tr("Partly heard");
    case SiteState::heard:
      return tr("Heard");
    case SiteState::not_measured:
      break;
  }
  return tr("Not measured");
}

QString SiteModel::text_of(const SiteRow& row, int column) const {
  switch (column) {
    case place:
      return row.node.isEmpty() ? row.site : tr("    %1").arg(row.node);
    case state:
      return words_of(row.state);
    case sent_by:
      return row.relay ? tr("Relay") : tr("Multicast");
    case heard:
      return row.flows_heard && row.flows ? tr("%1 of %2").arg(*row.flows_heard).arg(*row.flows) : number({});
    case delay:
      return QString::number(row.playout_delay_ms);
    case round_trip:
      return number(row.round_trip_ms);
    case lost:
      return number(row.lost_per_s);
    case resent:
      return number(row.resent_per_s);
    case refused:
      return number(row.refused_per_s);
    case budget:
      return number(row.budget_used_percent);
    default:
      return {};
  }
}

QVariant SiteModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const auto& row = rows_[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return text_of(row, index.column());
    case Qt::AccessibleTextRole:
      if (index.column() != place || row.node.isEmpty()) return text_of(row, index.column());
      return tr("Node %1 of site %2").arg(row.node, row.site);
    case Qt::ToolTipRole:
      return index.column() == sent_by ? QVariant(row.way) : QVariant();
    case Qt::FontRole: {
      QFont font;
      font.setBold(row.node.isEmpty() && index.column() == place);
      return font.bold() ? QVariant(font) : QVariant();
    }
    case Qt::TextAlignmentRole: {
      const bool words = index.column() == place || index.column() == state || index.column() == sent_by;
      return int((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    default:
      return {};
  }
}

QVariant SiteModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section >= column_count) return {};
  struct Heading {
    QString title, definition;
  };
  const auto by_server = tr("Packets that a relay resends are not included.");
  const std::array<Heading, column_count> headings{
      Heading{tr("Site and nodes"), tr("The sites of the wall file, each with its nodes")},
      {tr("State"), tr("Heard: each flow was reported about within the last five seconds.\nSilent: none was.")},
      {tr("Sent by"), tr("How the server sends to the site: to groups of source-specific multicast, or to a relay")},
      {tr("Flows\nheard"),
       tr("Of the flows that this server sends, those about which the node reported within the last "
          "five seconds (flows_heard)")},
      {tr("Delay\nms"), tr("Playout delay: from a frame's media time to its presentation at this site")},
      {tr("Round trip\nms"), tr("Longest round trip to one of the nodes, including a relay (rtt_us, RFC 3550)")},
      {tr("Lost\npackets/s"), tr("Packets that the nodes miss, by their reports, recovered or not (lost, RFC 3550)")},
      {tr("Resent\npackets/s"), tr("Packets that the server resent (resent, RFC 4588).\n%1").arg(by_server)},
      {tr("Refused\npackets/s"),
       tr("Requested packets that the server did not resend: beyond the budget, or no longer kept (resends_refused)")},
      {tr("Budget\nused, %"),
       tr("Resends of the last five seconds as a share of the rate that resend_percent allows.\n%1").arg(by_server)}};
  const auto& heading = headings[static_cast<std::size_t>(section)];
  if (role == Qt::DisplayRole) return heading.title;
  if (role == Qt::AccessibleTextRole) return QString(heading.title).replace('\n', ", ");
  return role == Qt::ToolTipRole ? heading.definition : QVariant();
}

}  // namespace lw
