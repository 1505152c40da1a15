#include "wall-control/events/event_log.h"

#include "wall-control/plots/export.h"
#include "wall-control/ui/heading.h"
#include "wall-control/ui/save_file.h"

#include <QAction>
#include <QBoxLayout>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>
#include <QToolButton>

#include <algorithm>
#include <set>

namespace lw {

EventLog::EventLog(QWidget* parent) : QWidget(parent) {
  filter_.setSourceModel(&model_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(make_filters());
  make_table();
  make_keys();
  layout->addWidget(table_, 1);
  show_count();
}

QWidget* EventLog::make_filters() {
  auto* bar = new QWidget;
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(0, 0, 0, 2);
  least_ = new QComboBox;
  least_->addItems({tr("All"), tr("Warnings"), tr("Errors")});
  least_->setAccessibleName(tr("Least severity shown"));
  least_->setToolTip(tr("Events of this severity and above"));
  connect(least_, &QComboBox::currentIndexChanged, this, [this](int index) {
    filter_.set_least(static_cast<Severity>(index));
    show_count();
  });
  node_ = new QComboBox;
  node_->addItem(tr("Every node"), QString());
  node_->setAccessibleName(tr("Node whose events are shown"));
  connect(node_, &QComboBox::currentIndexChanged, this, [this] {
    filter_.set_node(node_->currentData().toString());
    show_count();
  });
  words_ = new QLineEdit;
  words_->setPlaceholderText(tr("Search events"));
  words_->setAccessibleName(tr("Search events"));
  words_->setClearButtonEnabled(true);
  connect(words_, &QLineEdit::textChanged, this, [this](const QString& words) {
    filter_.set_words(words);
    show_count();
  });
  count_ = new QLabel;
  count_->setObjectName("event-count");
  count_->setForegroundRole(QPalette::PlaceholderText);
  layout->addWidget(heading(tr("Events")));
  layout->addWidget(count_, 1);
  layout->addWidget(words_);
  layout->addWidget(node_);
  layout->addWidget(least_);
  auto* save = new QToolButton;
  save->setObjectName("save-events");
  save->setText(QString::fromUtf8("Save\u2026"));
  save->setToolTip(tr("Save the events that are shown as .csv or .json"));
  connect(save, &QToolButton::clicked, this, &EventLog::ask_and_save);
  layout->addWidget(save);
  return bar;
}

void EventLog::make_table() {
  table_ = new QTableView;
  table_->setObjectName("events");
  table_->setAccessibleName(tr("Events"));
  table_->setAccessibleDescription(tr("Enter shows the moment of an event in the plots."));
  table_->setModel(&filter_);
  table_->setFrameShape(QFrame::NoFrame);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->setTabKeyNavigation(false);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setContextMenuPolicy(Qt::ActionsContextMenu);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 6);
  auto* header = table_->horizontalHeader();
  header->setHighlightSections(false);
  header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  header->setStretchLastSection(true);
  const auto width = [&](const QString& text) { return table_->fontMetrics().horizontalAdvance(text) + 14; };
  table_->setColumnWidth(EventModel::time, width("00:00:00.000"));
  table_->setColumnWidth(EventModel::severity, width(mark_of(Severity::warning) + ' ' + word_of(Severity::warning)));
  table_->setColumnWidth(EventModel::place, width("node left, flow 3"));
  table_->setColumnWidth(EventModel::code, width("node-out-of-step"));
  const auto choose = [this](const QModelIndex& index) {
    if (index.isValid()) emit moment_chosen(index.data(EventModel::time_role).toLongLong());
  };
  connect(table_, &QTableView::clicked, this, choose);
  connect(table_, &QTableView::activated, this, choose);
}

void EventLog::make_keys() {
  const auto add = [this](const QString& text, const QKeySequence& key, const std::function<void()>& run) {
    auto* action = new QAction(text, table_);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, run);
    table_->addAction(action);
  };
  add(tr("Copy"), QKeySequence::Copy, [this] { QGuiApplication::clipboard()->setText(as_text()); });
  add(tr("Save"), QKeySequence::Save, [this] { ask_and_save(); });
  add(tr("Next warning or error"), Qt::Key_N, [this] { next_trouble(1); });
  add(tr("Previous warning or error"), QKeySequence(Qt::SHIFT | Qt::Key_N), [this] { next_trouble(-1); });
}

void EventLog::add(const Event& event) {
  const auto* bar = table_->verticalScrollBar();
  const bool at_end = bar->value() == bar->maximum();
  if (!model_.add(event)) return;
  note_node(event.node);
  show_count();
  if (at_end) table_->scrollToBottom();
}

void EventLog::clear() {
  model_.clear();
  while (node_->count() > 1) node_->removeItem(1);
  show_count();
}

void EventLog::note_node(const QString& node) {
  if (!node.isEmpty() && node_->findData(node) < 0) node_->addItem(node, node);
}

void EventLog::set_times(const std::optional<EventFilter::Times>& times) {
  has_times_ = times.has_value();
  filter_.set_times(times);
  show_count();
}

void EventLog::show_count() {
  const int all = model_.rowCount();
  const int shown = filter_.rowCount();
  if (has_times_)
    count_->setText(tr("%1 of %2, of the time marked in the plots").arg(shown).arg(all));
  else
    count_->setText(shown == all ? QString::number(all) : tr("%1 of %2").arg(shown).arg(all));
}

void EventLog::next_trouble(int step) {
  const auto current = table_->currentIndex();
  for (int row = current.isValid() ? current.row() + step
                 : step > 0        ? 0
                                   : filter_.rowCount() - 1;
       row >= 0 && row < filter_.rowCount(); row += step) {
    const auto index = filter_.index(row, 0);
    if (model_.at(filter_.mapToSource(index).row()).severity == Severity::info) continue;
    table_->setCurrentIndex(index);
    emit moment_chosen(index.data(EventModel::time_role).toLongLong());
    return;
  }
}

QString EventLog::as_text() const {
  std::set<int> rows;
  for (const auto& index : table_->selectionModel()->selectedRows()) rows.insert(index.row());
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
