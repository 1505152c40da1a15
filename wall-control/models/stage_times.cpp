#include "wall-control/models/stage_times.h"

#include <QCoreApplication>

#include <algorithm>

namespace lw {
namespace {

struct StageTexts {
  Q_DECLARE_TR_FUNCTIONS(Stages)
};

constexpr unsigned flow_numbers_max = 1U << 16;

StageTime& at(StageRow& row, Stage stage) { return row[static_cast<std::size_t>(stage)]; }

void keep_slower(std::optional<double>& kept, const std::optional<double>& value) {
  if (value && (!kept || *value > *kept)) kept = value;
}

void keep_slower(StageRow& kept, const StageRow& row) {
  for (std::size_t i = 0; i < stage_count; ++i) {
    keep_slower(kept[i].p50, row[i].p50);
    keep_slower(kept[i].p99, row[i].p99);
  }
}

std::optional<double> median_of(std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace

QString name_of(Stage stage) {
  switch (stage) {
    case Stage::read:
      return StageTexts::tr("Disk read");
    case Stage::queue:
      return StageTexts::tr("Wait to send");
    case Stage::send:
      return StageTexts::tr("Send");
    case Stage::flight:
      return StageTexts::tr("Network");
    case Stage::assemble:
      return StageTexts::tr("Assemble");
    case Stage::wait:
      return StageTexts::tr("Wait to upload");
    case Stage::upload:
      return StageTexts::tr("Upload");
    case Stage::swap:
      break;
  }
  return StageTexts::tr("Swap");
}

StageTimes::FlowStages* StageTimes::flow(unsigned number) {
  if (number >= flow_numbers_max) return nullptr;
  if (number >= flows_.size()) flows_.resize(number + 1);
  return &flows_[number];
}

const StageTimes::FlowStages* StageTimes::flow(int number) const {
  return number >= 0 && static_cast<std::size_t>(number) < flows_.size() ? &flows_[static_cast<std::size_t>(number)]
                                                                         : nullptr;
}

void StageTimes::forget() {
  flows_.clear();
  tiles_.clear();
}

void StageTimes::add(const Stats& stats) {
  for (auto& flow : flows_) flow = {};
  for (auto& [place, row] : tiles_) row = {};
  for (const auto& sender : stats.sender) {
    auto* known = flow(sender.flow);
    if (known == nullptr) continue;
    const auto& figures = sender.figures;
    at(known->row, Stage::read) = {figures["read_us_p50"].number(), figures["read_us_p99"].number()};
    at(known->row, Stage::queue) = {figures["queue_us_p50"].number(), figures["queue_us_p99"].number()};
    at(known->row, Stage::send) = {figures["send_us_p50"].number(), figures["send_us_p99"].number()};
    known->late_us = figures["late_us_max"].number();
  }
  for (const auto& both : stats.wall.flows)
    if (auto* known = flow(both.flow))
      at(known->row, Stage::flight) = {both.figures["flight_us_p50"].number(), both.figures["flight_us_p99"].number()};
  for (const auto& node : stats.nodes) {
    if (!node.report) continue;
    for (const auto& receiver : node.report->flows)
      if (auto* known = flow(receiver.flow))
        at(known->row, Stage::assemble) = {receiver.figures["assemble_us_p50"].number(),
                                           receiver.figures["assemble_us_p99"].number()};
    for (const auto& tile : node.report->tiles) {
      auto& row = tiles_[{static_cast<int>(tile.tile.column), static_cast<int>(tile.tile.row)}];
      const auto& figures = tile.figures;
      at(row, Stage::wait) = {figures["wait_us_p50"].number(), figures["wait_us_p99"].number()};
      at(row, Stage::upload) = {figures["upload_us_p50"].number(), figures["upload_us_p99"].number()};
      at(row, Stage::swap) = {figures["swap_us_p50"].number(), figures["swap_us_p99"].number()};
    }
  }
}

StageRow StageTimes::of_tile(const TileRow& tile) const {
  StageRow row;
  if (const auto found = tiles_.find({tile.column, tile.row}); found != tiles_.end()) row = found->second;
  for (const auto& line : history_.flows())
    if (line.column == tile.column && line.row == tile.row)
      if (const auto* known = flow(line.flow)) keep_slower(row, known->row);
  return row;
}

StageRow StageTimes::worst_of(const std::vector<std::size_t>& tiles) const {
  StageRow row;
  for (const auto tile : tiles)
    if (tile < history_.tiles().size()) keep_slower(row, of_tile(history_.tiles()[tile]));
  return row;
}

StageRow StageTimes::of_wall() const {
  std::map<std::pair<int, int>, StageRow> rows = tiles_;
  for (const auto& line : history_.flows())
    if (const auto* known = flow(line.flow)) keep_slower(rows[{line.column, line.row}], known->row);
  StageRow medians;
  for (std::size_t i = 0; i < stage_count; ++i) {
    std::vector<double> p50s, p99s;
    for (const auto& [place, row] : rows) {
      if (row[i].p50) p50s.push_back(*row[i].p50);
      if (row[i].p99) p99s.push_back(*row[i].p99);
    }
    medians[i] = {median_of(p50s), median_of(p99s)};
  }
  return medians;
}

std::optional<double> StageTimes::sent_late_us(int number) const {
  const auto* known = flow(number);
  return known != nullptr ? known->late_us : std::nullopt;
}

std::optional<double> StageTimes::read_us_p99(int number) const {
  const auto* known = flow(number);
  return known != nullptr ? known->row[static_cast<std::size_t>(Stage::read)].p99 : std::nullopt;
}

}  // namespace lw
