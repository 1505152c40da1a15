#include "wall-control/machines/machine_page.h"

#include "wall-control/link/call_all.h"
#include "wall-control/ui/heading.h"
#include "wall-control/ui/palette.h"

#include <QBoxLayout>
#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>

#include <algorithm>

namespace lw {
namespace {

constexpr std::size_t cpus_per_row = 8;

QLabel* text(const QString& words) {
  auto* label = new QLabel(words);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  return label;
}

QFrame* box(QLayout* layout) {
  auto* made = new QFrame;
  made->setFrameStyle(QFrame::Box | QFrame::Plain);
  made->setForegroundRole(QPalette::Mid);
  made->setLayout(layout);
  return made;
}

QString title_of(const Machine& machine) {
  const auto kind =
      machine.server ? MachinePage::tr("Server %1").arg(machine.name) : MachinePage::tr("Node %1").arg(machine.name);
  QStringList words{kind};
  if (!machine.host.isEmpty()) words << machine.host;
  if (!machine.cpu_model.isEmpty()) words << machine.cpu_model;
  return words.join(QString::fromUtf8("  \u00b7  "));
}

}  // namespace

MachinePage::MachinePage(ControlLink& link, const FlowHistory& history, const PlacementPanel::Offer& offer,
                         QWidget* parent)
    : QWidget(parent), link_(link), history_(history) {
  setAccessibleName(tr("The hosts"));
  auto* inside = new QWidget;
  hosts_ = new QVBoxLayout(inside);
  hosts_->setContentsMargins(0, 0, 4, 0);
  scroll_ = new QScrollArea;
  scroll_->setAccessibleName(tr("The hosts"));
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setWidget(inside);
  // Whenever boards have got their places, until somebody scrolls.
  connect(scroll_->verticalScrollBar(), &QScrollBar::rangeChanged, this, &MachinePage::go_to_host);
  connect(scroll_->verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] { wanted_host_.reset(); });
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 8, 12, 8);
  layout->addWidget(scroll_, 1);
  placement_ = new PlacementPanel(link_, offer);
  layout->addWidget(placement_);
  connect(
      &link_, &ControlLink::ready, this, [this] { ask(); }, Qt::QueuedConnection);
  // A node reports its host's facts a moment after it connects.
  ask_soon_.setSingleShot(true);
  ask_soon_.setInterval(500);
  connect(&ask_soon_, &QTimer::timeout, this, &MachinePage::ask);
  connect(&link_, &ControlLink::happened, this, [this](const EventMessage& event) {
    if (event.code == "node-joined") ask_soon_.start();
  });
  build();
}

void MachinePage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  ask();
}

void MachinePage::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  wanted_host_.reset();
}

void MachinePage::ask() {
  if (link_.state() != ControlLink::State::ready) return;
  call_all<MachinesReply>(link_, "machines", machines_from, [this](const MachinesReply& all) { set_machines(all); });
}

void MachinePage::set_machines(const MachinesReply& answer) {
  machines_.set(answer);
  build();
  emit changed();
}

void MachinePage::build() {
  while (auto* item = hosts_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  boards_.clear();
  if (machines_.all().empty()) hosts_->addWidget(text(tr("Connect to a server to see its hosts")));
  for (const auto& machine : machines_.all()) {
    auto& board = boards_.emplace_back();
    board.box = make_board(machine, board);
    hosts_->addWidget(board.box);
  }
  hosts_->addStretch(1);
  if (isVisible()) flows_shown_.now();
}

// The boards are made again when the server answers: then it is at the top too.
void MachinePage::show_host(const QString& name) {
  wanted_host_ = name;
  go_to_host();
}

void MachinePage::go_to_host() {
  for (std::size_t i = 0; wanted_host_ && i < boards_.size(); ++i) {
    const auto& machine = machines_.all()[i];
    if (wanted_host_->isEmpty() ? machine.server : !machine.server && machine.name == *wanted_host_)
      scroll_->verticalScrollBar()->setValue(boards_[i].box->y());
  }
}

QWidget* MachinePage::make_board(const Machine& machine, Board& board) {
  auto* layout = new QVBoxLayout;
  layout->addWidget(heading(title_of(machine)));
  if (!machine.known)
    layout->addWidget(text(tr("Its facts have not come: it is not connected, or of an older version")));
  for (const auto& [number, words] : machine.numa_nodes)
    layout->addWidget(make_numa_node(machine, number, words, board));
  layout->addWidget(make_numa_node(machine, std::nullopt, tr("On no NUMA node"), board));
  board.wrong = text({});
  board.wrong->setObjectName("wrong-pairings");
  layout->addWidget(board.wrong);
  return box(layout);
}

QWidget* MachinePage::make_numa_node(const Machine& machine, std::optional<int> number, const QString& title,
                                     Board& board) {
  auto* layout = new QVBoxLayout;
  layout->addWidget(text(title));
  auto* cores = new QGridLayout;
  const auto threads_max = machine.cores.empty() ? 1 : std::max<std::size_t>(1, machine.cores.front().cpus.size());
  const int per_row = static_cast<int>(std::max<std::size_t>(1, cpus_per_row / threads_max));
  int place = 0;
  for (const auto& core : machine.cores) {
    if (core.numa_node != number) continue;
    auto* threads = new QHBoxLayout;
    threads->setContentsMargins(2, 2, 2, 2);
    for (const int cpu : core.cpus) {
      auto* label = new QLabel;
      label->setTextFormat(Qt::RichText);
      label->setMinimumWidth(64);
      label->setAlignment(Qt::AlignTop | Qt::AlignHCenter);
      board.cpus[cpu] = label;
      threads->addWidget(label);
    }
    cores->addWidget(box(threads), place / per_row, place % per_row);
    ++place;
  }
  layout->addLayout(cores);
  for (const auto& card : machine.cards)
    if (card.numa_node == number) {
      auto* label = text(tr("Network: %1").arg(card.text));
      label->setWordWrap(false);  // it has its own lines
      layout->addWidget(label);
    }
  for (const auto& [node, words] : machine.disks)
    if (node == number) layout->addWidget(text(tr("Disk: %1").arg(words)));
  auto* made = box(layout);
  if (layout->count() <= 2 && place == 0) made->hide();  // showing it here would open a separate window
  return made;
}

void MachinePage::refresh() {
  if (isVisible()) flows_shown_.ask();
}

void MachinePage::place_flows() {
  machines_.place(history_);
  placement_->show_machines(machines_.all());
  QStringList words;
  for (std::size_t i = 0; i < boards_.size(); ++i) {
    show_flows(machines_.all()[i], boards_[i]);
    words << QString("%1: %2").arg(title_of(machines_.all()[i]), boards_[i].wrong->text());
  }
  setAccessibleDescription(words.join("; "));
}

void MachinePage::show_flows(const Machine& machine, const Board& board) {
  const auto wrong = wrong_pairings(machine);
  const auto is_wrong = [&](int flow) { return std::ranges::find(wrong, flow, &WrongPairing::flow) != wrong.end(); };
  for (auto cpu = board.cpus.begin(); cpu != board.cpus.end(); ++cpu) {
    auto lines =
        QStringList{QString("<span style='color:%1'>%2</span>").arg(colors::text3.name(), tr("CPU %1").arg(cpu.key()))};
    for (const auto& flow : machine.flows) {
      if (flow.cpu != cpu.key()) continue;
      const auto mark = is_wrong(flow.flow) ? QString::fromUtf8("\u25b2 ") : QString();
      const auto color = is_wrong(flow.flow) ? colors::warn : colors::ok;
      lines << QString("<b style='color:%1'>%2%3</b>").arg(color.name(), mark, tr("flow %1").arg(flow.flow));
    }
    if (const auto shown = lines.join("<br>"); (*cpu)->text() != shown) (*cpu)->setText(shown);
  }
  QStringList reasons;
  for (const auto& pairing : wrong)
    reasons << tr("%1 flow %2 on CPU %3: %4")
                   .arg(QString::fromUtf8("\u25b2"))
                   .arg(pairing.flow)
                   .arg(pairing.cpu)
                   .arg(pairing.reason);
  const auto shown = !reasons.isEmpty()      ? reasons.join('\n')
                     : machine.flows.empty() ? tr("No flow is pinned here now")
                                             : tr("Every flow is well placed");
  if (board.wrong->text() == shown) return;
  board.wrong->setText(shown);
  board.wrong->setStyleSheet(reasons.isEmpty() ? QString() : QString("color: %1").arg(colors::warn.name()));
}

}  // namespace lw
