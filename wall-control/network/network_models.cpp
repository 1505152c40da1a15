#include "wall-control/network/network_models.h"

#include "wall-control/plots/time_ticks.h"

#include <QAction>
#include <QWidget>

namespace lw {

NetworkModels::NetworkModels(const FlowHistory& history, std::optional<FlowEvidence> evidence, QObject* parent)
    : QObject(parent), history_(history), evidence_(evidence) {}

void NetworkModels::set_wall(const QString& name) {
  wall_name_ = name;
  flows_.refresh();
  focus_.show({});
  emit wall_changed();
}

void NetworkModels::forget() {
  while (!window_.live() || window_.marked() || window_.moment()) window_.back();
  set_wall({});
}

void NetworkModels::set_quantity(Quantity quantity) {
  if (quantity == std::exchange(quantity_, quantity)) return;
  emit choice_changed();
}

void NetworkModels::set_rows(Rows rows) {
  if (rows == std::exchange(rows_, rows)) return;
  emit choice_changed();
}

void NetworkModels::set_compares(bool compares) {
  if (compares == std::exchange(compares_, compares)) return;
  emit choice_changed();
}

QString NetworkModels::chosen_time_words() const {
  const auto span = span_words(static_cast<double>(window_.chosen().count()) / TimeSeries::samples_per_second);
  if (window_.marked()) return tr("in the marked %1").arg(span);
  return (window_.live() ? tr("in the last %1") : tr("in the %1 shown")).arg(span);
}

void NetworkModels::add_up_key(QWidget& view) {
  auto* up = new QAction(tr("Up"), &view);
  up->setShortcut(Qt::Key_Backspace);
  up->setShortcutContext(Qt::WidgetShortcut);
  connect(up, &QAction::triggered, &focus_, &Focus::up);
  view.addAction(up);
}

std::optional<std::pair<qint64, qint64>> NetworkModels::marked_times() const {
  const auto& marked = window_.marked();
  if (!marked) return std::nullopt;
  const auto first = history_.times().time_of(marked->first);
  const auto last = history_.times().time_of(marked->last);
  if (!first || !last) return std::nullopt;
  return std::pair(*first - SampleTimes::sample_ms, *last);
}

void NetworkModels::point_to(qint64 time_ms) {
  if (history_.times().count() > 0) window_.point_to(history_.times().sample_at(time_ms));
}

}  // namespace lw
