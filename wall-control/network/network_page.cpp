#include "wall-control/network/network_page.h"

#include "wall-control/network/burst_panel.h"
#include "wall-control/network/charts_panel.h"
#include "wall-control/network/choices.h"
#include "wall-control/network/distribution_panel.h"
#include "wall-control/network/line_panel.h"
#include "wall-control/network/path_panel.h"
#include "wall-control/network/save_view.h"
#include "wall-control/plots/overview.h"
#include "wall-control/ui/icons.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <QBoxLayout>
#include <QPainter>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>

namespace lw {
namespace {

// The colours of the heat map, beside its tab.
class Scale : public QWidget {
public:
  explicit Scale(HeatMap& map) : map_(map) {
    setAccessibleName(NetworkPage::tr("Colours of the heat map"));
    connect(&map, &HeatMap::scale_changed, this, [this] {
      updateGeometry();
      update();
    });
  }
  [[nodiscard]] QSize sizeHint() const override { return {map_.scale_width(), 28}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    map_.draw_scale(painter, rect().adjusted(0, 0, -16, 0));
  }

private:
  HeatMap& map_;
};

}  // namespace

NetworkPage::NetworkPage(NetworkModels& models, QWidget* parent) : QWidget(parent), models_(models) {
  setObjectName("network-page");
  auto* sides = new QSplitter(Qt::Horizontal);
  sides->addWidget(make_left());
  sides->addWidget(make_right());
  sides->setStretchFactor(0, 8);
  sides->setStretchFactor(1, 5);
  sides->setSizes({980, 620});
  sides->setChildrenCollapsible(false);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(make_bar());
  layout->addWidget(sides, 1);
  connect(&models, &NetworkModels::refreshed, this, &NetworkPage::refresh);
  connect(&models, &NetworkModels::choice_changed, this, &NetworkPage::take_choice);
  connect(&models, &NetworkModels::wall_changed, this, [this] {
    heat_map_->refresh();
    below_map_->refresh();
    lanes_->refresh();
    overview_->refresh();
  });
  take_choice();
}

QWidget* NetworkPage::make_bar() {
  rows_ = new QComboBox;
  rows_->setObjectName("rows");
  rows_->setAccessibleName(tr("Rows of the heat map"));
  for (const auto& [rows, name] :
       {std::pair{Rows::flows, tr("By flow, grouped by node")}, std::pair{Rows::tiles, tr("By tile, grouped by node")},
        std::pair{Rows::nodes, tr("By node")}, std::pair{Rows::worst_first, tr("By flow, worst first")}})
    rows_->addItem(name, static_cast<int>(rows));
  connect(rows_, &QComboBox::activated, this,
          [this](int index) { models_.set_rows(static_cast<Rows>(rows_->itemData(index).toInt())); });
  compare_ = new QPushButton(icon(Icon::compare), {});
  compare_->setCheckable(true);
  compare_->setToolTip(tr("The distribution also shows the same length of time before the chosen one"));
  connect(compare_, &QPushButton::toggled, this, [this](bool on) { models_.set_compares(on); });
  save_ = new QPushButton(icon(Icon::export_figures), {});
  save_->setToolTip(tr("Save figures (.csv, .json), this chart (.png, .svg, .pdf) or a report (Ctrl+E)"));
  connect(save_, &QPushButton::clicked, this, &NetworkPage::export_wanted);
  hold_ = new QPushButton(icon(Icon::pause), {});
  hold_->setObjectName("hold");
  hold_->setCheckable(true);
  hold_->setToolTip(tr("Pause the charts; nothing is lost (P)"));
  connect(hold_, &QPushButton::toggled, &models_.window(), &TimeWindow::hold);
  connect(&models_.window(), &TimeWindow::changed, hold_, [this] { hold_->setChecked(!models_.window().live()); });
  auto* bar = new QWidget;
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(8, 6, 8, 6);
  layout->setSpacing(8);
  auto* quantity = new QuantityChoice(models_);
  quantity->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  quantity->setMinimumContentsLength(16);
  for (QWidget* control : std::initializer_list<QWidget*>{new PartChoice(models_), quantity, rows_,
                                                          new SpanButtons(models_), hold_, new LiveButton(models_)})
    layout->addWidget(control);
  layout->addStretch(1);
  for (QWidget* control : std::initializer_list<QWidget*>{new MarkedButton(models_), compare_, save_})
    layout->addWidget(control);
  name_buttons();
  return bar;
}

QWidget* NetworkPage::make_left() {
  heat_map_ = new HeatMap(models_.source());
  heat_map_->set_scale_above(false);
  below_map_ = new LaneChart(models_.source(), usual_lanes(), {.legend_above = false, .values = false});
  below_map_->setMinimumHeight(150);
  lanes_ = new LaneChart(models_.source(), usual_lanes(), {});
  overview_ = new Overview(models_.source());
  auto* map = new QSplitter(Qt::Vertical);
  map->addWidget(heat_map_);
  map->addWidget(below_map_);
  map->setStretchFactor(0, 5);
  map->setStretchFactor(1, 2);
  map->setSizes({520, 200});
  map->setChildrenCollapsible(false);
  views_ = new QTabWidget;
  views_->setObjectName("network-views");
  views_->setDocumentMode(true);
  views_->addTab(map, tr("Heat map"));
  views_->addTab(lanes_, tr("Charts"));
  paths_ = new PathPanel(models_);
  connect(paths_, &PathPanel::library_wanted, this, &NetworkPage::library_wanted);
  views_->addTab(paths_, tr("Flow paths"));
  auto* scale = new Scale(*heat_map_);
  views_->setCornerWidget(scale);
  connect(views_, &QTabWidget::currentChanged, scale, [scale](int tab) { scale->setVisible(tab == 0); });
  auto* left = new QWidget;
  auto* layout = new QVBoxLayout(left);
  layout->setContentsMargins(0, 0, 0, 4);
  layout->setSpacing(4);
  layout->addWidget(views_, 1);
  layout->addWidget(overview_);
  return left;
}

QWidget* NetworkPage::make_right() {
  lines_ = new LinePanel(models_);
  distribution_ = new DistributionPanel(models_);
  auto* tabs = new QTabWidget;
  tabs->setDocumentMode(true);
  tabs->setObjectName("network-figures");
  tabs->addTab(distribution_, tr("Distribution"));
  bursts_ = new BurstPanel(models_);
  connect(bursts_, &BurstPanel::library_wanted, this, &NetworkPage::library_wanted);
  tabs->addTab(bursts_, tr("Bursts"));
  auto* right = new QSplitter(Qt::Vertical);
  right->addWidget(lines_);
  right->addWidget(tabs);
  right->setStretchFactor(0, 5);
  right->setStretchFactor(1, 4);
  right->setSizes({430, 360});
  right->setChildrenCollapsible(false);
  return right;
}

// In a narrow window icons say what the buttons do.
void NetworkPage::name_buttons() {
  const bool narrow = width() < type::scaled(1440);
  const auto name = [narrow](QPushButton* button, const QString& words) {
    button->setText(narrow && !button->icon().isNull() ? QString() : words);
    button->setAccessibleName(words);
  };
  name(hold_, tr("Hold"));
  name(compare_, tr("Compare with before"));
  name(save_, tr("Export…"));
}

void NetworkPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  name_buttons();
}

void NetworkPage::take_choice() {
  const auto quantity = models_.quantity();
  heat_map_->set_quantity(quantity);
  heat_map_->set_rows(models_.rows());
  overview_->set_quantity(quantity);
  // The chosen quantity first, then what explains it.
  std::vector<Lane> lanes{{quantity, quantity == Quantity::throughput}};
  for (const Lane& lane :
       {Lane{Quantity::jitter, false}, Lane{Quantity::loss, false}, Lane{Quantity::throughput, true}})
    if (lane.quantity != quantity && lanes.size() < 3) lanes.push_back(lane);
  for (auto* chart : {below_map_, lanes_}) {
    chart->set_lanes(lanes);
    chart->set_lead(quantity == Quantity::throughput ? Quantity::jitter : quantity);
  }
  rows_->setCurrentIndex(rows_->findData(static_cast<int>(models_.rows())));
  compare_->setChecked(models_.compares());
}

void NetworkPage::refresh() {
  if (!isVisible()) return;
  const bool second = ++samples_ >= TimeSeries::samples_per_second;
  if (second) samples_ = 0;
  if (second) overview_->refresh();
  if (!models_.window().live()) return;  // held figures do not change
  below_map_->refresh();
  lanes_->refresh();
  if (second) heat_map_->refresh();
}

QString NetworkPage::save(const QString& path) {
  if (views_->currentWidget() == paths_) return save_figures(path, paths_->table(), Qt::DisplayRole);
  return views_->currentIndex() == 0 ? save_heat_map(path, models_) : save_charts(path, models_, lanes_->lanes());
}

}  // namespace lw
