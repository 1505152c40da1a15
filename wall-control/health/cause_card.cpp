#include "wall-control/health/cause_card.h"

#include "wall-control/health/state_mark.h"
#include "wall-control/ui/icons.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/text_label.h"

#include <QBoxLayout>
#include <QPainter>
#include <QPushButton>

namespace lw {
namespace {

constexpr int card_radius = 6, card_bar = 3;
constexpr std::size_t listed_flows = 2;

QString first_of(const std::vector<int>& flows) {
  QStringList numbers;
  for (std::size_t i = 0; i < std::min(flows.size(), listed_flows); ++i) numbers << QString::number(flows[i]);
  return numbers.join(", ");
}

}  // namespace

CauseCard::CauseCard(QWidget* parent)
    : QWidget(parent),
      title_(TextLabel::wrapping(14, Tone::text, true)),
      text_(TextLabel::wrapping(12, Tone::text2)),
      evidence_(new QVBoxLayout),
      move_(new QPushButton),
      hosts_(new QPushButton(tr("Open in Hosts"))) {
  auto* heading = TextLabel::wrapping(11, Tone::text3);
  heading->setText(tr("Likely cause"));
  move_->setDefault(true);
  move_->setToolTip(tr("Let another CPU of the host take these flows"));
  hosts_->setToolTip(tr("Show the host's CPUs, network cards and flows"));
  hosts_->setAccessibleName(hosts_->text());
  connect(move_, &QPushButton::clicked, this, [this] { emit move_wanted(cause_.host, cause_.flows); });
  connect(hosts_, &QPushButton::clicked, this, [this] { emit hosts_wanted(cause_.host); });
  evidence_->setSpacing(4);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(move_);
  buttons->addWidget(hosts_);
  buttons->addStretch();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(card_bar + 13, 12, 12, 12);
  layout->setSpacing(6);
  layout->addWidget(heading);
  layout->addWidget(title_);
  layout->addWidget(text_);
  layout->addLayout(evidence_);
  layout->addLayout(buttons);
  setVisible(false);
}

void CauseCard::show_cause(const Cause& cause, State state) {
  cause_ = cause;
  state_ = state;
  title_->setText(cause.title);
  text_->setText(cause.text);
  move_->setVisible(!cause.flows.empty());
  move_->setIcon(icon(Icon::cpu, colors::on_accent));
  move_->setText((cause.flows.size() == 1 ? tr("Move flow %1…") : tr("Move flows %1…")).arg(first_of(cause.flows)));
  move_->setAccessibleName(move_->text());
  show_evidence();
  setVisible(cause.kind != Cause::Kind::none);
  update();
}

void CauseCard::show_evidence() {
  while (lines_.size() < cause_.evidence.size()) {
    Line line{new QWidget, new StateMark(12), TextLabel::wrapping(12, Tone::text)};
    auto* layout = new QHBoxLayout(line.row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(line.shape, 0, Qt::AlignTop);
    layout->addWidget(line.text, 1);
    evidence_->addWidget(line.row);
    lines_.push_back(line);
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const bool used = i < cause_.evidence.size();
    lines_[i].row->setVisible(used);
    if (!used) continue;
    lines_[i].shape->set_state(cause_.evidence[i].state);
    lines_[i].text->setText(cause_.evidence[i].text);
  }
}

void CauseCard::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(colors::line);
  painter.setBrush(colors::raised);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), card_radius, card_radius);
  painter.fillRect(0, 1, card_bar, height() - 2, color_of(state_));
}

}  // namespace lw
