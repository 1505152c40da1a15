#include "wall-control/start/computer_strip.h"

#include "wall-control/ui/icons.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/text_label.h"
#include "wall-control/ui/type.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QCoreApplication>
#include <QEvent>
#include <QGridLayout>
#include <QGuiApplication>
#include <QPainter>
#include <QPushButton>
#include <QStandardPaths>
#include <QTimer>

#include <algorithm>

namespace lw {
namespace {

constexpr int doctor_timeout_ms = 20'000;
constexpr quint16 control_port = 9010;
constexpr double line_px = 12;
constexpr int line_gap_px = 1;

class FactShape : public QWidget {
public:
  explicit FactShape(State state) : state_(state) { setFixedSize(side, side); }

protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    paint_state(painter, state_, rect(), color_of(state_), colors::window);
  }

private:
  static constexpr int side = 13;
  State state_;
};

QWidget* cell_of(const ComputerFact& fact) {
  auto* cell = new QWidget;
  auto* row = new QHBoxLayout(cell);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  row->addWidget(new FactShape(fact.state), 0, Qt::AlignTop);
  auto* texts = new QVBoxLayout;
  texts->setSpacing(line_gap_px);
  texts->addWidget(new TextLabel(fact.words, line_px));
  texts->addWidget(new TextLabel(fact.about, line_px, Tone::text3));
  row->addLayout(texts);
  if (!fact.fix.isEmpty()) {
    auto* copy = new QPushButton(icon(Icon::copy), ComputerStrip::tr("Copy fix"));
    copy->setObjectName("copy-fix");
    copy->setToolTip(fact.fix);
    copy->setAccessibleName(ComputerStrip::tr("Copy the command that fixes it: %1").arg(fact.words));
    QObject::connect(copy, &QPushButton::clicked, copy,
                     [fix = fact.fix] { QGuiApplication::clipboard()->setText(fix); });
    row->addWidget(copy, 0, Qt::AlignTop);
  }
  row->addStretch(1);
  return cell;
}

}  // namespace

ComputerStrip::ComputerStrip(QWidget* parent)
    : QWidget(parent),
      note_(new TextLabel({}, 12, Tone::text2)),
      age_(new TextLabel({}, 12, Tone::text3)),
      cells_room_(new QWidget),
      grid_(new QGridLayout(cells_room_)) {
  note_->setObjectName("computer-note");
  auto* header = new QHBoxLayout;
  header->setSpacing(8);
  header->addWidget(new TextLabel(tr("This computer"), 13, Tone::text, true));
  header->addWidget(note_, 1);
  header->addWidget(age_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(10);
  layout->addLayout(header);
  grid_->setHorizontalSpacing(24);
  grid_->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(cells_room_);
  reserve_room();
  connect(&doctor_, &QProcess::finished, this, [this] {
    facts_ = computer_facts(doctor_.readAllStandardOutput());
    check_port();
  });
  connect(&doctor_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) check_port();
  });
  connect(&port_, &QTcpSocket::connected, this, [this] {
    facts_.push_back(port_fact(true));
    finish();
  });
  connect(&port_, &QTcpSocket::errorOccurred, this, [this](QAbstractSocket::SocketError error) {
    if (error == QAbstractSocket::ConnectionRefusedError) facts_.push_back(port_fact(false));
    finish();
  });
}

ComputerStrip::~ComputerStrip() {
  doctor_.disconnect(this);
  port_.disconnect(this);
  doctor_.kill();
  doctor_.waitForFinished(doctor_timeout_ms);
}

void ComputerStrip::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::StyleChange) reserve_room();
}

// The page does not move under the pointer when the facts arrive.
void ComputerStrip::reserve_room() {
  cells_room_->setMinimumHeight(2 * QFontMetrics(type::sized(line_px)).height() + line_gap_px);
}

void ComputerStrip::check() {
  if (doctor_.state() != QProcess::NotRunning) return;
  facts_.clear();
  const QString name = "wall-probe";
  const auto beside = QStandardPaths::findExecutable(name, {QCoreApplication::applicationDirPath()});
  const auto program = beside.isEmpty() ? QStandardPaths::findExecutable(name) : beside;
  if (program.isEmpty()) {
    note_->setText(tr("Install lambdawall-probe to see whether this computer is ready for a wall."));
    return check_port();
  }
  note_->setText(tr("Checking\u2026"));
  doctor_.start(program, {"doctor", "--json"}, QIODevice::ReadOnly);
  QTimer::singleShot(doctor_timeout_ms, &doctor_, &QProcess::kill);
}

void ComputerStrip::check_port() {
  port_.abort();
  port_.connectToHost(QHostAddress(QHostAddress::LocalHost), control_port);
}

void ComputerStrip::finish() {
  port_.abort();
  show_facts(facts_);
}

void ComputerStrip::show_facts(const std::vector<ComputerFact>& facts) {
  for (auto* cell : cells_) cell->deleteLater();
  cells_.clear();
  for (std::size_t i = 0; i < facts.size(); ++i) {
    cells_.push_back(cell_of(facts[i]));
    grid_->addWidget(cells_.back(), 0, static_cast<int>(i));
  }
  if (facts.size() < 2) return;  // only the port: the note says why
  const bool ready = !facts.empty() && facts.front().state == State::ok;
  note_->setText(ready ? tr("ready for the demo") : tr("small for the demo"));
  age_->setText(tr("Checked just now"));
}

}  // namespace lw
