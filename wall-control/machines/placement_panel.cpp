#include "wall-control/machines/placement_panel.h"

#include "common/messages/place_requests.h"
#include "wall-control/link/control_link.h"
#include "wall-control/ui/heading.h"
#include "wall-control/ui/permit.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>

namespace lw {
namespace {

QString text_of(const std::optional<double>& value, double size, int decimals) {
  return value ? QString::number(*value / size, 'f', decimals) : QString::fromUtf8("\u2013");
}

QString text_of(const std::optional<qint64>& value) {
  return value ? QString::number(*value) : QString::fromUtf8("\u2013");
}

QString row(const QString& name, const TrialFigures& figures) {
  QString cells = QString("<tr><td>%1</td>").arg(name);
  for (const auto& text :
       {text_of(figures.gbit_per_s, 1, 3), text_of(figures.late_us_max, 1000, 2), text_of(figures.jitter_us, 1, 1),
        text_of(figures.lost), text_of(figures.kernel_drops), text_of(figures.cpu_share, 0.01, 1)})
    cells += QString("<td align=right>%1</td>").arg(text);
  return cells + "</tr>";
}

QString table_of(const TrialFigures& before, const TrialFigures& after) {
  QString heads = "<tr><td></td>";
  for (const auto& head :
       {PlacementPanel::tr("Gbit/s"), PlacementPanel::tr("latest burst, ms"), PlacementPanel::tr("jitter, us"),
        PlacementPanel::tr("lost"), PlacementPanel::tr("kernel drops"), PlacementPanel::tr("CPU, %")})
    heads += QString("<td align=right>%1</td>").arg(head);
  return "<table cellspacing=0 cellpadding=3>" + heads + "</tr>" + row(PlacementPanel::tr("before"), before) +
         row(PlacementPanel::tr("after"), after) + "</table>";
}

QComboBox* choice(const char* name, const QString& accessible) {
  auto* made = new QComboBox;
  made->setObjectName(name);
  made->setAccessibleName(accessible);
  made->setToolTip(accessible);
  made->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  return made;
}

// Items of text and number; keeps the chosen number if it still exists.
void fill(QComboBox& box, const QList<std::pair<QString, QVariant>>& items) {
  QList<std::pair<QString, QVariant>> now;
  for (int i = 0; i < box.count(); ++i) now.emplace_back(box.itemText(i), box.itemData(i));
  if (now == items) return;
  const auto chosen = box.currentData();
  const QSignalBlocker quiet(box);
  box.clear();
  for (const auto& [text, value] : items) box.addItem(text, value);
  box.setCurrentIndex(std::max(0, box.findData(chosen)));
}

}  // namespace

PlacementPanel::PlacementPanel(ControlLink& link, const Offer& offer, QWidget* parent) : QWidget(parent), link_(link) {
  make_choices();
  make_buttons(offer);
  stage_ = new QLabel;
  stage_->setObjectName("trial-stage");
  stage_->setWordWrap(true);
  figures_ = new QLabel;
  figures_->setObjectName("trial-figures");
  figures_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  figures_->setToolTip(
      tr("Throughput and interarrival jitter: means. Latest burst: the one that left the server farthest behind its "
         "time.\n"
         "Lost packets, and those of them that the node's kernel dropped: in the time measured.\n"
         "CPU: time of the moved thread, of a core. What was not measured is a dash."));
  line_ = new QLineEdit;
  line_->setObjectName("cpus-line");
  line_->setReadOnly(true);
  line_->setAccessibleName(tr("The line for the wall file"));
  line_->setToolTip(tr("What the wall file must say for this placement to be the planned one; it is not changed here"));
  auto* choices = new QHBoxLayout;
  for (auto* part : {host_, flow_, cpu_}) choices->addWidget(part);
  choices->addStretch(1);
  auto* buttons = new QHBoxLayout;
  for (auto* part : {try_, keep_, take_back_}) buttons->addWidget(part);
  buttons->addStretch(1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 4, 0, 4);
  layout->addWidget(heading(tr("Try another CPU")));
  layout->addLayout(choices);
  layout->addLayout(buttons);
  for (auto* part : std::initializer_list<QWidget*>{stage_, figures_, line_}) layout->addWidget(part);
  // A trial needs the server itself, not a recording of it.
  connect(&link_, &ControlLink::ready, this, [this](const InfoReply& info) {
    wall_ = info.wall;
    trial_.forget();
    show_trial();
  });
  connect(&link_, &ControlLink::stats, this, &PlacementPanel::take);
  connect(&link_, &ControlLink::state_changed, this, &PlacementPanel::enable);
  connect(&link_, &ControlLink::guard_changed, this, &PlacementPanel::enable);
  show_trial();
}

void PlacementPanel::make_choices() {
  host_ = choice("trial-host", tr("Whose thread: the server's, which sends, or a node's, which receives"));
  flow_ = choice("trial-flow", tr("Which flow"));
  cpu_ = choice("trial-cpu", tr("To which CPU"));
  connect(host_, &QComboBox::currentIndexChanged, this, &PlacementPanel::show_flows);
  connect(flow_, &QComboBox::currentIndexChanged, this, &PlacementPanel::enable);
  connect(cpu_, &QComboBox::currentIndexChanged, this, &PlacementPanel::enable);
}

void PlacementPanel::make_buttons(const Offer& offer) {
  const auto button = [](const char* name, const QString& text, const QString& tip) {
    auto* made = new QPushButton(text);
    made->setObjectName(name);
    made->setToolTip(tip);
    return made;
  };
  try_ = button("try", tr("Move and compare"), tr("Measure for 5 s, move the thread, and measure as long again"));
  keep_ = button("keep", tr("Keep the move"), tr("Leave it there until the program ends"));
  take_back_ = button("take-back", tr("Undo the move"), tr("Move it back to where it was"));
  connect(try_, &QPushButton::clicked, this, [this] {
    problem_.clear();
    if (const auto move = chosen_move()) trial_.begin(*move);
    show_trial();
  });
  connect(keep_, &QPushButton::clicked, this, [this] {
    trial_.forget();
    show_trial();
  });
  connect(take_back_, &QPushButton::clicked, this, [this] {
    ask(trial_.move().flow, trial_.move().from);
    trial_.forget();
    show_trial();
  });
  if (!offer) return;
  offer(try_, [this] {
    if (const auto move = chosen_move()) ask(move->flow, move->to);
  });
  offer(take_back_, [this] { ask(trial_.move().flow, trial_.move().from); });
}

void PlacementPanel::ask(int flow, int cpu) {
  PlaceRequest request;
  request.flows = {{static_cast<unsigned>(flow), static_cast<unsigned>(cpu)}};
  const bool running = trial_.stage() != PlacementTrial::Stage::idle;
  const auto node = running ? trial_.move().node : host_->currentData().toString();
  if (!node.isEmpty()) request.node = node.toStdString();
  link_.call("place", request, [this](const QJsonValue&, const QString& error) {
    problem_ = error;
    if (!error.isEmpty()) trial_.forget();
    show_trial();
  });
}

void PlacementPanel::show_machines(const std::vector<Machine>& machines) {
  machines_ = machines;
  QList<std::pair<QString, QVariant>> hosts;
  for (const auto& machine : machines_)
    if (!machine.flows.empty())
      hosts.emplace_back(machine.server ? tr("Server %1").arg(machine.name) : tr("Node %1").arg(machine.name),
                         machine.server ? QString() : machine.name);
  fill(*host_, hosts);
  show_flows();
}

const Machine* PlacementPanel::chosen_machine() const {
  const auto node = host_->currentData().toString();
  const auto found = std::ranges::find_if(machines_, [&](const Machine& machine) {
    return !machine.flows.empty() && (machine.server ? QString() : machine.name) == node;
  });
  return found != machines_.end() && host_->count() > 0 ? &*found : nullptr;
}

void PlacementPanel::show_flows() {
  QList<std::pair<QString, QVariant>> flows, cpus;
  if (const auto* machine = chosen_machine()) {
    for (const auto& flow : machine->flows)
      flows.emplace_back(tr("flow %1, on CPU %2").arg(flow.flow).arg(flow.cpu), flow.flow);
    QList<int> numbers;
    for (const auto& core : machine->cores)
      for (const int cpu : core.cpus) numbers << cpu;
    std::ranges::sort(numbers);
    for (const int cpu : numbers) cpus.emplace_back(tr("to CPU %1").arg(cpu), cpu);
  }
  fill(*flow_, flows);
  fill(*cpu_, cpus);
  enable();
  show_line();
}

std::optional<TrialMove> PlacementPanel::chosen_move() const {
  const auto* machine = chosen_machine();
  if (machine == nullptr || cpu_->count() == 0) return std::nullopt;
  const auto flow = std::ranges::find(machine->flows, flow_->currentData().toInt(), &MachineFlow::flow);
  const int to = cpu_->currentData().toInt();
  if (flow == machine->flows.end() || flow->cpu == to) return std::nullopt;
  return TrialMove{machine->server ? QString() : machine->name, flow->flow, flow->cpu, to};
}

void PlacementPanel::enable() {
  using Stage = PlacementTrial::Stage;
  const auto stage = trial_.stage();
  permit(try_, link_, "place", stage == Stage::idle && chosen_move().has_value());
  keep_->setEnabled(stage == Stage::done);
  permit(take_back_, link_, "place", stage == Stage::settling || stage == Stage::after || stage == Stage::done);
  for (auto* part : {host_, flow_, cpu_}) part->setEnabled(stage == Stage::idle && part->count() > 0);
}

void PlacementPanel::take(const Stats& stats) {
  const auto before = trial_.stage();
  if (trial_.add(stats)) ask(trial_.move().flow, trial_.move().to);
  if (before != PlacementTrial::Stage::idle) show_trial();
}

void PlacementPanel::show_trial() {
  using Stage = PlacementTrial::Stage;
  const auto& move = trial_.move();
  const auto seconds_left = [](const TrialFigures& figures) {
    return (PlacementTrial::window_samples - figures.samples + 9) / 10;
  };
  QString words;
  switch (trial_.stage()) {
    case Stage::idle:
      words = problem_.isEmpty()
                  ? tr("Choose another CPU for a flow and press Move and compare: its figures before and after are "
                       "shown. Its frames stay in the memory they are in.")
                  : tr("Not moved: %1").arg(problem_);
      break;
    case Stage::before:
      words = tr("Flow %1 on CPU %2: measuring, %3 s").arg(move.flow).arg(move.from).arg(seconds_left(trial_.before()));
      break;
    case Stage::settling:
      words = tr("Flow %1 is moved to CPU %2").arg(move.flow).arg(move.to);
      break;
    case Stage::after:
      words = tr("Flow %1 on CPU %2: measuring, %3 s").arg(move.flow).arg(move.to).arg(seconds_left(trial_.after()));
      break;
    case Stage::done:
      words = trial_.arrived()
                  ? tr("Flow %1 was moved from CPU %2 to CPU %3").arg(move.flow).arg(move.from).arg(move.to)
                  : tr("Flow %1 did not come to CPU %2: the log of its program says why").arg(move.flow).arg(move.to);
      break;
  }
  if (stage_->text() != words) stage_->setText(words);
  figures_->setVisible(trial_.stage() == Stage::after || trial_.stage() == Stage::done);
  if (!figures_->isHidden()) figures_->setText(table_of(trial_.before(), trial_.after()));
  enable();
  show_line();
}

// As the wall file counts them: the server's by number, a node's by its tiles.
QList<int> PlacementPanel::flows_in_order(const Machine& machine) const {
  QList<int> order;
  if (machine.server) {
    for (const auto& flow : machine.flows) order << flow.flow;
    std::ranges::sort(order);
    return order;
  }
  for (const auto& node : wall_.nodes) {
    if (QString::fromStdString(node.name) != machine.name) continue;
    for (const auto& tile : node.tiles)
      for (const auto& flow : wall_.flows)
        if (flow.tile == tile) order << static_cast<int>(flow.flow);
  }
  return order;
}

void PlacementPanel::show_line() {
  const auto* machine = chosen_machine();
  QStringList cpus;
  if (machine != nullptr)
    for (const int flow : flows_in_order(*machine))
      if (const auto found = std::ranges::find(machine->flows, flow, &MachineFlow::flow); found != machine->flows.end())
        cpus << QString::number(found->cpu);
  line_->setVisible(!cpus.isEmpty());
  if (cpus.isEmpty()) return;
  const auto line =
      QString("cpus = [%1]  # %2").arg(cpus.join(", "), machine->server ? "[[server]]" : "[[node]] " + machine->name);
  if (line_->text() != line) line_->setText(line);
}

}  // namespace lw
