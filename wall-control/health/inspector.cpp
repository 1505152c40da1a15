#include "wall-control/health/inspector.h"

#include "wall-control/health/cause_card.h"
#include "wall-control/health/flow_rows.h"
#include "wall-control/health/inspector_figures.h"
#include "wall-control/health/state_mark.h"
#include "wall-control/health/waterfall.h"
#include "wall-control/ui/counts.h"
#include "wall-control/ui/icons.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/text_label.h"
#include "wall-control/ui/tile_names.h"
#include "wall-control/ui/type.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QGuiApplication>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr int inspector_margin = 12;

QToolButton* make_crumb() {
  auto* crumb = new QToolButton;
  crumb->setToolButtonStyle(Qt::ToolButtonTextOnly);
  crumb->setAutoRaise(true);
  return crumb;
}

// The worst of several: a dark tile is worse than a degraded one.
int inspector_rank(State state) {
  const std::array order{State::note, State::ok, State::warn, State::off, State::crit};
  return static_cast<int>(std::ranges::find(order, state) - order.begin());
}

}  // namespace

Inspector::Inspector(const Models& models, QWidget* parent)
    : Panel(parent),
      models_(models),
      pin_(new QAction(icon(Icon::pin), tr("Keep showing this"), this)),
      copy_(new QAction(icon(Icon::copy), tr("Copy figures as text"), this)) {
  setAccessibleName(tr("Inspector"));
  pin_->setCheckable(true);
  pin_->setToolTip(tr("Keep showing this part, whatever is selected"));
  connect(pin_, &QAction::toggled, this, &Inspector::follow);
  connect(copy_, &QAction::triggered, this, [this] {
    const auto text = as_text();
    QGuiApplication::clipboard()->setText(text);
    emit copied(text);
  });
  set_tools({pin_, copy_});
  auto* empty = TextLabel::wrapping(12, Tone::text2);
  empty->setText(tr("No wall is connected yet. Connect to a server to see its tiles, nodes and flows."));
  auto* empty_page = new QWidget;
  auto* empty_layout = new QVBoxLayout(empty_page);
  empty_layout->setContentsMargins(inspector_margin, inspector_margin, inspector_margin, inspector_margin);
  empty_layout->addWidget(empty);
  empty_layout->addStretch();
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* content = make_content();
  scroll->setWidget(content);
  for (auto* ground : {content, scroll->viewport(), empty_page}) {
    ground->setBackgroundRole(QPalette::Base);
    ground->setAutoFillBackground(true);
  }
  pages_ = new QStackedWidget;
  pages_->addWidget(empty_page);
  pages_->addWidget(scroll);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(pages_);
  connect(&models_.focus, &Focus::changed, this, &Inspector::follow);
  follow();
}

QWidget* Inspector::make_title(TextLabel*& title, TextLabel*& note) {
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 8, 0, 0);
  title = TextLabel::wrapping(13, Tone::text, true);
  note = TextLabel::wrapping(11, Tone::text3);
  layout->addWidget(title);
  layout->addStretch();
  layout->addWidget(note);
  return row;
}

QWidget* Inspector::make_head() {
  auto* head = new QWidget;
  auto* layout = new QHBoxLayout(head);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(10);
  mark_ = new StateMark(22);
  words_ = TextLabel::wrapping(16, Tone::text, true);
  detail_ = TextLabel::wrapping(12, Tone::text2);
  identify_ = new QPushButton(icon(Icon::identify), tr("Identify"));
  identify_->setAccessibleName(identify_->text());
  identify_->setToolTip(tr("Show its number, node and size on the wall"));
  connect(identify_, &QPushButton::clicked, this, [this] { emit identify_wanted(part_); });
  auto* texts = new QVBoxLayout;
  texts->setSpacing(2);
  texts->addWidget(words_);
  texts->addWidget(detail_);
  layout->addWidget(mark_);
  layout->addLayout(texts, 1);
  layout->addWidget(identify_);
  return head;
}

QWidget* Inspector::make_content() {
  auto* content = new QWidget;
  auto* layout = new QVBoxLayout(content);
  layout->setContentsMargins(inspector_margin, 6, inspector_margin, inspector_margin);
  layout->setSpacing(8);
  auto* crumbs = new QHBoxLayout;
  crumbs->setSpacing(0);
  wall_crumb_ = make_crumb();
  node_crumb_ = make_crumb();
  tile_crumb_ = make_crumb();
  flow_crumb_ = make_crumb();
  auto& focus = models_.focus;
  connect(wall_crumb_, &QToolButton::clicked, this, [&focus] { focus.show({}); });
  connect(node_crumb_, &QToolButton::clicked, this, [this] { models_.focus.show({{}, {}, {}, node_crumb_->text()}); });
  connect(tile_crumb_, &QToolButton::clicked, this, [this] {
    auto tiles = part_;
    tiles.flow.reset();
    models_.focus.show(tiles);
  });
  crumbs->addWidget(wall_crumb_);
  for (auto* crumb : {node_crumb_, tile_crumb_, flow_crumb_}) {
    auto* between = TextLabel::wrapping(12, Tone::text3);
    between->setText(QString(QChar(0x203a)));
    crumb_marks_ << between;
    crumbs->addWidget(between);
    crumbs->addWidget(crumb);
  }
  crumbs->addStretch();
  flow_count_ = TextLabel::wrapping(12, Tone::text3);
  crumbs->addWidget(flow_count_);
  layout->addLayout(crumbs);
  layout->addWidget(make_head());
  cause_ = new CauseCard;
  connect(cause_, &CauseCard::hosts_wanted, this, &Inspector::hosts_wanted);
  connect(cause_, &CauseCard::move_wanted, this, &Inspector::move_wanted);
  layout->addWidget(cause_);
  layout->addWidget(make_title(stages_title_, stages_note_));
  stages_ = new Waterfall;
  layout->addWidget(stages_);
  layout->addWidget(make_title(flows_title_, flows_note_));
  flows_ = new FlowRows;
  connect(flows_, &FlowRows::chosen, this, [this](int flow) { models_.focus.show_line(Scope::flow, flow); });
  layout->addWidget(flows_);
  layout->addWidget(make_title(figures_title_, figures_note_));
  figures_ = new FigureGrid;
  layout->addWidget(figures_);
  layout->addStretch();
  stages_title_->setText(tr("Where the time goes"));
  stages_note_->setText(tr("median of 256 frames"));
  flows_title_->setText(tr("Flows"));
  flows_note_->setText(tr("mean of 10 s"));
  return content;
}

// A pinned inspector stays where it is; its own breadcrumb and rows move it all the same.
void Inspector::follow() {
  if (!pin_->isChecked()) part_ = models_.focus.part();
  shown_.now();
}

void Inspector::showEvent(QShowEvent* event) {
  Panel::showEvent(event);
  shown_.now();
}

const TileRow* Inspector::tile() const {
  const bool one = part_.column && part_.row && part_.others.empty();
  return one ? models_.history.tile(*part_.column, *part_.row) : nullptr;
}

bool Inspector::of_wall() const { return !part_.column && part_.node.isEmpty(); }

std::vector<const FlowRow*> Inspector::flows() const {
  std::vector<const FlowRow*> flows;
  for (const auto& flow : models_.history.flows())
    if (part_.has(flow)) flows.push_back(&flow);
  return flows;
}

void Inspector::show_part() {
  const bool known = !models_.history.tiles().empty();
  pages_->setCurrentIndex(known ? 1 : 0);
  copy_->setEnabled(known);
  if (!known) return;
  const auto tiles = models_.causes.tiles_of(part_);
  show_crumbs();
  show_head(tiles);
  // The wall as a whole has problems; a cause belongs to a part of it.
  cause_->show_cause(of_wall() ? Cause{} : models_.causes.of(part_), state_of(tiles));
  show_stages(tiles);
  show_flows();
  show_figures(tiles);
}

void Inspector::show_crumbs() {
  const auto* row = tile();
  const auto node = row != nullptr ? row->node : part_.node;
  const auto show = [](QToolButton* crumb, QWidget* mark, const QString& text) {
    crumb->setText(text);
    crumb->setAccessibleName(text);
    crumb->setVisible(!text.isEmpty());
    if (mark != nullptr) mark->setVisible(!text.isEmpty());
  };
  show(wall_crumb_, nullptr, tr("Wall"));
  show(node_crumb_, crumb_marks_[0], node);
  const auto place = row != nullptr         ? with_tile(tr("Tile %1,%2"), row->column, row->row)
                     : part_.others.empty() ? QString()
                                            : name_of(part_);
  show(tile_crumb_, crumb_marks_[1], place);
  show(flow_crumb_, crumb_marks_[2], part_.flow ? tr("Flow %1").arg(*part_.flow) : QString());
  flow_count_->setText(counts::flows(static_cast<qint64>(flows().size())));
}

State Inspector::state_of(const std::vector<std::size_t>& tiles) const {
  auto worst = State::note;
  for (const auto tile : tiles) {
    const auto state = models_.health.condition(tile).state;
    if (inspector_rank(state) > inspector_rank(worst)) worst = state;
  }
  return worst;
}

QString Inspector::words_of(const std::vector<std::size_t>& tiles, State state) const {
  switch (state) {
    case State::crit:
      return tr("Picture faults");
    case State::warn:
      return tr("Degraded, picture intact");
    case State::off:
      return tiles.size() > 1 && tile() == nullptr ? tr("Tiles without a picture") : tr("No picture");
    case State::ok:
      return models_.health.playing() ? tr("In step") : tr("Ready");
    case State::note:
      break;
  }
  return tr("Nothing measured yet");
}

QString Inspector::detail_of(const std::vector<std::size_t>& tiles, State state) const {
  if (const auto* row = tile()) {
    const auto badge = models_.health.of(*row).badge;
    const auto since = models_.health.condition(tiles.front()).since_ms;
    if (badge.isEmpty()) return tr("on %1").arg(row->node);
    const auto span = figure_text::span(static_cast<double>(models_.health.now_ms() - since) / 1000);
    return since > 0 ? tr("%1 · for %2").arg(badge, span) : badge;
  }
  const auto bad = std::ranges::count_if(tiles, [&](std::size_t tile) {
    const auto now = models_.health.condition(tile).state;
    return now != State::ok && now != State::note;
  });
  if (state == State::ok || bad == 0) return counts::tiles(static_cast<qint64>(tiles.size()));
  return tr("%1 of %2 tiles affected").arg(bad).arg(tiles.size());
}

void Inspector::show_head(const std::vector<std::size_t>& tiles) {
  const auto state = state_of(tiles);
  mark_->set_state(state);
  words_->setText(words_of(tiles, state));
  detail_->setText(detail_of(tiles, state));
}

void Inspector::show_stages(const std::vector<std::size_t>& tiles) {
  const auto wall = models_.stages.of_wall();
  const auto here = of_wall() ? wall : models_.stages.worst_of(tiles);
  stages_note_->setText(of_wall()           ? tr("median of the tiles")
                        : tile() != nullptr ? tr("median of 256 frames")
                                            : tr("slowest tile, median of 256 frames"));
  stages_->show_content({here, wall, models_.history.wall().playout_delay_us, cause_->cause().stage, state_of(tiles)});
}

void Inspector::show_flows() {
  const auto shown = flows();
  flows_title_->setText(shown.size() > FlowRows::rows_max ? tr("Flows, worst first") : tr("Flows"));
  flows_->show_flows(shown, part_.flow);
}

void Inspector::show_figures(const std::vector<std::size_t>& tiles) {
  if (const auto* row = tile()) {
    figures_title_->setText(tr("Tile"));
    figures_note_->setText({});
    return figures_->show_pairs(pairs_of_tile(*row, models_.status));
  }
  figures_title_->setText(of_wall() ? tr("Wall") : part_.node.isEmpty() ? tr("Tiles") : tr("Node"));
  figures_note_->setText(tr("sums and worsts"));
  figures_->show_pairs(pairs_of_tiles(models_.history, models_.status, tiles, part_));
}

QString Inspector::as_text() const {
  QStringList lines;
  const auto* row = tile();
  lines << (row != nullptr ? with_tile(tr("Tile %1,%2 on %3"), row->column, row->row).arg(row->node)
            : of_wall()    ? tr("Wall")
                           : name_of(part_));
  lines << QString("%1: %2").arg(words_->text(), detail_->text());
  const auto& cause = cause_->cause();
  if (cause.kind != Cause::Kind::none) lines << tr("Likely cause: %1. %2").arg(cause.title, cause.text);
  lines << stages_->accessibleDescription() << flows_->accessibleDescription();
  for (const auto& pair : figures_->pairs())
    lines << QString("%1: %2").arg(pair.name, pair.value.isEmpty() ? tr("not measured") : pair.value);
  return lines.join('\n');
}

}  // namespace lw
