#include "wall-control/events/event_log.h"

#include "wall-control/events/event_delegate.h"
#include "wall-control/plots/export.h"
#include "wall-control/ui/empty_state.h"
#include "wall-control/ui/icons.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/save_file.h"

#include <QAction>
#include <QActionGroup>
#include <QBoxLayout>
#include <QClipboard>
#include <QEvent>
#include <QFileDialog>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QStackedWidget>

#include <algorithm>
#include <set>

namespace lw {
namespace {

constexpr int chip_icon = 14;

QIcon shape_icon(State state) {
  QPixmap made(2 * chip_icon, 2 * chip_icon);
  made.fill(Qt::transparent);
  made.setDevicePixelRatio(2);
  QPainter painter(&made);
  paint_state(painter, state, QRectF(0.5, 0.5, chip_icon - 1, chip_icon - 1));
  return QIcon(made);
}

}  // namespace

EventLog::EventLog(QWidget* parent) : Panel(parent) {
  filter_.setSourceModel(&model_);
  make_list();
  make_tools();
  make_keys();
  empty_ = new EmptyState(Icon::list);
  connect(empty_, &EmptyState::wanted, this, [this] {
    if (model_.rowCount() == 0) return emit alarm_rules_wanted();
    show_search(false);
    show_least(Severity::info);
    nodes_->actions().constFirst()->trigger();
  });
  pages_ = new QStackedWidget;
  pages_->addWidget(list_);
  pages_->addWidget(empty_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(words_);
  layout->addWidget(pages_, 1);
  show_counts();
}

void EventLog::make_tools() {
  const auto chip = [this](const QString& name, const QString& text, Severity severity) {
    auto* made = new QAction(this);
    made->setObjectName(name);
    made->setCheckable(true);
    made->setProperty("chip", true);  // the header shows its text beside its shape
    made->setToolTip(text);
    connect(made, &QAction::triggered, this, [this, severity](bool on) { show_least(on ? severity : Severity::info); });
    return made;
  };
  faults_ = chip("event-faults", tr("Faults only"), Severity::error);
  warnings_ = chip("event-warnings", tr("Faults and warnings only"), Severity::warning);
  make_filters();
  auto* filter = new QAction(icon(Icon::filter), tr("Filter"), this);
  filter->setObjectName("event-filter");
  filter->setToolTip(tr("Show only some events"));
  filter->setMenu(filters_);
  search_ = new QAction(icon(Icon::search), tr("Search"), this);
  search_->setObjectName("event-search");
  search_->setToolTip(tr("Search events"));
  search_->setCheckable(true);
  connect(search_, &QAction::triggered, this, &EventLog::show_search);
  auto* save = new QAction(icon(Icon::export_figures), tr("Export\u2026"), this);
  save->setObjectName("save-events");
  save->setToolTip(tr("Save the events that are shown as .csv or .json"));
  connect(save, &QAction::triggered, this, &EventLog::ask_and_save);
  show_chips();
  set_tools({faults_, warnings_, filter, search_, save});
}

void EventLog::make_filters() {
  words_ = new QLineEdit;
  words_->setObjectName("event-words");
  words_->setPlaceholderText(tr("Search events"));
  words_->setAccessibleName(tr("Search events"));
  words_->setClearButtonEnabled(true);
  words_->hide();
  connect(words_, &QLineEdit::textChanged, this, [this](const QString& words) {
    filter_.set_words(words);
    show_counts();
  });
  filters_ = new QMenu(this);
  least_ = new QActionGroup(this);
  for (const auto& [severity, text] : {std::pair{Severity::info, tr("All events")},
                                       {Severity::warning, tr("Faults and warnings")},
                                       {Severity::error, tr("Faults")}}) {
    auto* action = filters_->addAction(text);
    action->setCheckable(true);
    action->setData(static_cast<int>(severity));
    least_->addAction(action);
  }
  least_->actions().constFirst()->setChecked(true);
  connect(least_, &QActionGroup::triggered, this,
          [this](const QAction* action) { show_least(static_cast<Severity>(action->data().toInt())); });
  filters_->addSeparator();
  nodes_ = new QActionGroup(this);
  connect(nodes_, &QActionGroup::triggered, this, [this](const QAction* action) {
    filter_.set_node(action->data().toString());
    show_counts();
  });
  note_node({});
}

void EventLog::make_list() {
  list_ = new QListView;
  list_->setObjectName("events");
  list_->setAccessibleName(tr("Events"));
  list_->setAccessibleDescription(tr("Enter shows the moment of an event in the charts."));
  list_->setModel(&filter_);
  list_->setItemDelegate(new EventDelegate(list_));
  list_->setFrameShape(QFrame::NoFrame);
  list_->setUniformItemSizes(true);
  list_->setResizeMode(QListView::Adjust);
  list_->setMouseTracking(true);
  list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->setContextMenuPolicy(Qt::ActionsContextMenu);
  const auto choose = [this](const QModelIndex& index) {
    if (index.isValid()) emit moment_chosen(index.data(EventModel::time_role).toLongLong());
  };
  connect(list_, &QListView::clicked, this, choose);
  connect(list_, &QListView::activated, this, choose);
}

void EventLog::make_keys() {
  const auto add = [this](const QString& text, const QKeySequence& key, const std::function<void()>& run) {
    auto* action = new QAction(text, list_);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, run);
    list_->addAction(action);
  };
  add(tr("Show in charts"), Qt::Key_Return, [this] {
    const auto index = list_->currentIndex();
    if (index.isValid()) emit moment_chosen(index.data(EventModel::time_role).toLongLong());
  });
  add(tr("Copy"), QKeySequence::Copy, [this] { QGuiApplication::clipboard()->setText(as_text()); });
  add(tr("Export\u2026"), QKeySequence::Save, [this] { ask_and_save(); });
  add(tr("Next fault or warning"), Qt::Key_N, [this] { next_trouble(1); });
  add(tr("Previous fault or warning"), QKeySequence(Qt::SHIFT | Qt::Key_N), [this] { next_trouble(-1); });
}

// The newest is at the top. An operator who has scrolled away from it still sees the same rows.
void EventLog::add(const Event& event) {
  auto* bar = list_->verticalScrollBar();
  const int away = bar->value();
  const int before = filter_.rowCount();
  if (!model_.add(event)) return;
  note_node(event.node);
  show_counts();
  if (away == 0)
    list_->scrollToTop();
  else
    bar->setValue(away + (filter_.rowCount() - before) * EventDelegate::row_height(list_->viewport()->width()));
}

void EventLog::clear() {
  model_.clear();
  const auto nodes = nodes_->actions();
  for (qsizetype i = 1; i < nodes.size(); ++i) delete nodes[i];
  nodes_->actions().constFirst()->setChecked(true);
  filter_.set_node({});
  show_counts();
}

void EventLog::note_node(const QString& node) {
  const auto known = nodes_->actions();
  if (std::ranges::any_of(known, [&](const QAction* action) { return action->data().toString() == node; })) return;
  if (node.isEmpty() && !known.isEmpty()) return;
  auto* action = filters_->addAction(node.isEmpty() ? tr("Every node") : node);
  action->setCheckable(true);
  action->setChecked(node.isEmpty());
  action->setData(node);
  nodes_->addAction(action);
}

void EventLog::set_times(const std::optional<EventFilter::Times>& times) {
  has_times_ = times.has_value();
  filter_.set_times(times);
  show_counts();
}

void EventLog::show_least(Severity least) {
  filter_.set_least(least);
  for (auto* action : least_->actions()) action->setChecked(action->data().toInt() == static_cast<int>(least));
  faults_->setChecked(least == Severity::error);
  warnings_->setChecked(least == Severity::warning);
  show_counts();
}

void EventLog::show_search(bool on) {
  search_->setChecked(on);
  words_->setVisible(on);
  if (on)
    words_->setFocus();
  else
    words_->clear();
}

void EventLog::show_counts() {
  const int all = model_.rowCount();
  const int shown = filter_.rowCount();
  if (has_times_)
    set_note(tr("%1 of %2 in the marked time").arg(shown).arg(all));
  else
    set_note(shown == all ? QString() : tr("%1 of %2").arg(shown).arg(all));
  const auto count = [this](Severity severity) {
    return std::ranges::count(model_.events(), severity, &Event::severity);
  };
  const auto faults = count(Severity::error);
  const auto warnings = count(Severity::warning);
  faults_->setText(QString::number(faults));
  warnings_->setText(QString::number(warnings));
  faults_->setToolTip(faults == 1 ? tr("1 fault; show faults only") : tr("%1 faults; show faults only").arg(faults));
  warnings_->setToolTip(warnings == 1 ? tr("1 warning; show faults and warnings only")
                                      : tr("%1 warnings; show faults and warnings only").arg(warnings));
  if (pages_ == nullptr) return;
  pages_->setCurrentIndex(shown == 0 ? 1 : 0);
  if (all == 0)
    empty_->say(tr("No events"), tr("Alarms, changes and faults are listed here."), tr("Set alarm rules\u2026"));
  else
    empty_->say(tr("No event matches"), tr("%1 events are hidden by the filter.").arg(all), tr("Show all events"));
}

void EventLog::show_chips() {
  faults_->setIcon(shape_icon(State::crit));
  warnings_->setIcon(shape_icon(State::warn));
}

void EventLog::changeEvent(QEvent* event) {
  Panel::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && faults_ != nullptr) show_chips();
}

// Rows have another height below some width.
void EventLog::resizeEvent(QResizeEvent* event) {
  Panel::resizeEvent(event);
  const bool at_top = list_->verticalScrollBar()->value() == 0;
  list_->doItemsLayout();
  if (at_top) list_->scrollToTop();
}

void EventLog::next_trouble(int step) {
  const auto current = list_->currentIndex();
  for (int row = current.isValid() ? current.row() + step
                 : step > 0        ? 0
                                   : filter_.rowCount() - 1;
       row >= 0 && row < filter_.rowCount(); row += step) {
    const auto index = filter_.index(row, 0);
    if (model_.at(filter_.mapToSource(index).row()).severity == Severity::info) continue;
    list_->setCurrentIndex(index);
    emit moment_chosen(index.data(EventModel::time_role).toLongLong());
    return;
  }
}

QString EventLog::as_text() const {
  std::set<int> rows;
  for (const auto& index : list_->selectionModel()->selectedIndexes()) rows.insert(index.row());
  if (rows.empty())
    for (int row = 0; row < filter_.rowCount(); ++row) rows.insert(row);
  QString text;
  for (const int row : rows) {
    QStringList cells;
    for (int column = 0; column < EventModel::column_count; ++column)
      cells << filter_.index(row, column).data().toString();
    text += cells.join('\t') + '\n';
  }
  return text;
}

QString EventLog::save(const QString& path) const {
  if (!path.endsWith(".json", Qt::CaseInsensitive)) return save_table(path, filter_, EventModel::file_role);
  QJsonArray shown;  // as the server sent them
  for (int row = 0; row < filter_.rowCount(); ++row)
    shown << to_json(model_.at(filter_.mapToSource(filter_.index(row, 0)).row()));
  return save_file(path, QJsonDocument(shown).toJson());
}

void EventLog::ask_and_save() {
  const auto path = QFileDialog::getSaveFileName(this, tr("Save the events that are shown"), "events.csv",
                                                 tr("Events (*.csv *.json)"));
  if (path.isEmpty()) return;
  if (const auto problem = save(path); !problem.isEmpty()) emit failed(problem);
}

}  // namespace lw
