#include "wall-control/network/charts_panel.h"

#include "wall-control/network/choices.h"
#include "wall-control/network/distribution_panel.h"
#include "wall-control/network/save_view.h"
#include "wall-control/ui/figure_table.h"
#include "wall-control/ui/icons.h"

#include <QBoxLayout>
#include <QTabWidget>
#include <QToolButton>

namespace lw {

std::vector<Lane> usual_lanes() {
  return {{Quantity::throughput, true}, {Quantity::jitter, false}, {Quantity::loss, false}};
}

ChartsPanel::ChartsPanel(NetworkModels& models, QWidget* parent) : Panel(parent), models_(models) {
  charts_ = new LaneChart(models.source(), usual_lanes(), {});
  charts_->setToolTip(tr(
      "Wheel or + and -: zoom. Drag, or Shift and an arrow: mark a time. Ctrl and an arrow: move. Enter: zoom to the "
      "marked time. Escape: back"));
  heat_map_ = new HeatMap(models.source());
  distribution_ = new DistributionPanel(models);
  tabs_ = new QTabWidget;
  tabs_->setObjectName("network");
  tabs_->setDocumentMode(true);
  tabs_->addTab(charts_, tr("Charts"));
  tabs_->addTab(heat_map_, tr("Heat map"));
  tabs_->addTab(make_flows(), tr("Flows"));
  tabs_->addTab(distribution_, tr("Distribution"));
  tabs_->setCornerWidget(make_controls());
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(tabs_);
  connect(&models, &NetworkModels::refreshed, this, &ChartsPanel::refresh);
  connect(&models, &NetworkModels::choice_changed, this, &ChartsPanel::take_choice);
  connect(&models, &NetworkModels::wall_changed, this, [this] {
    charts_->refresh();
    heat_map_->refresh();
  });
  take_choice();
}

// At the end of the row of tabs and controls.
bool ChartsPanel::take_menu(QWidget* menu) {
  tabs_->cornerWidget()->layout()->addWidget(menu);
  return true;
}

QWidget* ChartsPanel::make_controls() {
  const auto tool = [](Icon meaning, const QString& name, const QString& tip) {
    auto* button = new QToolButton;
    button->setIcon(icon(meaning));
    button->setText(name);
    button->setToolButtonStyle(button->icon().isNull() ? Qt::ToolButtonTextOnly : Qt::ToolButtonIconOnly);
    button->setAccessibleName(name);
    button->setToolTip(tip);
    return button;
  };
  auto* quantity = new QuantityChoice(models_);
  quantity->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  quantity->setMinimumContentsLength(14);
  auto* pause = tool(Icon::pause, tr("Pause charts"), tr("Pause the charts; nothing is lost (P)"));
  pause->setCheckable(true);
  connect(pause, &QToolButton::toggled, &models_.window(), &TimeWindow::hold);
  connect(&models_.window(), &TimeWindow::changed, pause,
          [this, pause] { pause->setChecked(!models_.window().live()); });
  auto* enlarge = tool(Icon::full_screen, tr("Enlarge"), tr("Show this in the Network workspace (Ctrl+2)"));
  connect(enlarge, &QToolButton::clicked, this, &ChartsPanel::page_wanted);
  auto* controls = new QWidget;
  auto* layout = new QHBoxLayout(controls);
  layout->setContentsMargins(0, 2, 4, 2);
  layout->setSpacing(4);
  layout->addWidget(quantity);
  layout->addWidget(new PartChoice(models_));
  layout->addWidget(new SpanChoice(models_));
  layout->addWidget(new LiveButton(models_));
  layout->addWidget(pause);
  layout->addWidget(enlarge);
  // The charts have their own quantities.
  const auto follow = [this, quantity](int tab) {
    quantity->setVisible(tabs_->widget(tab) == heat_map_ || tabs_->widget(tab) == distribution_);
  };
  connect(tabs_, &QTabWidget::currentChanged, this, follow);
  follow(tabs_->currentIndex());
  return controls;
}

QWidget* ChartsPanel::make_flows() {
  flows_ = new FigureTable;
  flows_->setObjectName("flows");
  sorted_flows_.setSourceModel(&models_.flows());
  sorted_flows_.setSortRole(FlowTableModel::sort_role);
  flows_->setModel(&sorted_flows_);
  flows_->setSortingEnabled(true);
  flows_->sortByColumn(FlowTableModel::lost, Qt::DescendingOrder);
  flows_->setAccessibleName(tr("Flows"));
  flows_->set_widths({52, 52, 92, 64, 64, 100, 84, 88, 56, 84, 110, 72, 84, 92});
  return flows_;
}

void ChartsPanel::take_choice() {
  heat_map_->set_quantity(models_.quantity());
  heat_map_->set_rows(models_.rows());
}

// A long time changes little in a tenth of a second, and a map or a table of hundreds of rows is for reading.
void ChartsPanel::refresh() {
  const bool second = ++samples_ >= TimeSeries::samples_per_second;
  if (second) samples_ = 0;
  if (second && flows_->isVisible()) models_.flows().refresh();
  if (!models_.window().live()) return;  // held figures do not change
  charts_->refresh();
  if (second) heat_map_->refresh();
}

QString ChartsPanel::save(const QString& path) {
  const auto* view = tabs_->currentWidget();
  if (view == charts_) return save_charts(path, models_, charts_->lanes());
  if (view == heat_map_) return save_heat_map(path, models_);
  if (view == distribution_) return save_distribution(path, models_);
  return save_figures(path, sorted_flows_, FlowTableModel::sort_role);
}

}  // namespace lw
