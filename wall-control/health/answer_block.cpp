#include "wall-control/health/answer_block.h"

#include "wall-control/ui/icons.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <QEvent>
#include <QPainter>
#include <QPushButton>

namespace lw {
namespace {

constexpr double answer_detail_px = 12, answer_more_px = 11;
constexpr std::array answer_sizes{19.0, 17.0, 15.0, 13.0};
constexpr int answer_edge = 12;

QFont answer_font(const QString& words, int width) {
  for (const double px : answer_sizes) {
    auto font = type::sized(px, true);
    if (px == answer_sizes.back() || QFontMetrics(font).horizontalAdvance(words) <= width) return font;
  }
  return {};
}

}  // namespace

AnswerBlock::AnswerBlock(QWidget* parent)
    : QWidget(parent),
      cause_(new QPushButton(icon(Icon::show_cause, colors::on_accent), tr("Show cause"), this)),
      acknowledge_(new QPushButton(icon(Icon::bell_muted), tr("Acknowledge"), this)),
      try_now_(new QPushButton(icon(Icon::refresh), tr("Try now"), this)) {
  cause_->setDefault(true);
  cause_->setToolTip(tr("Select the worst tile and explain its fault"));
  acknowledge_->setToolTip(tr("I have seen these alarms (A)"));
  try_now_->setToolTip(tr("Connect again without waiting"));
  for (auto* button : {cause_, acknowledge_, try_now_}) button->setAccessibleName(button->text());
  connect(cause_, &QPushButton::clicked, this, &AnswerBlock::show_cause);
  connect(acknowledge_, &QPushButton::clicked, this, &AnswerBlock::acknowledge);
  connect(try_now_, &QPushButton::clicked, this, &AnswerBlock::try_now);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
  show_content({});
}

QSize AnswerBlock::sizeHint() const { return {type::scaled(452), type::scaled(72)}; }

void AnswerBlock::show_content(const Content& content) {
  content_ = content;
  cause_->setVisible(content.offer == Offer::cause);
  try_now_->setVisible(content.offer == Offer::connection);
  acknowledge_->setVisible(content.acknowledge);
  const auto more = content.more.isEmpty() ? QString() : '\n' + content.more;
  setAccessibleName(content.answer.words);
  setAccessibleDescription(content.details.value(0) + more);
  setToolTip(QString("%1\n%2").arg(content.answer.words, content.details.value(0) + more));
  update();
}

void AnswerBlock::place_buttons() {
  int wide = 0;
  for (auto* button : {cause_, acknowledge_, try_now_}) wide = std::max(wide, button->sizeHint().width());
  const int high = std::min(cause_->sizeHint().height(), (height() - 3 * 6) / 2);
  const int gap = (height() - 2 * high) / 3;
  const int left = width() - answer_edge - wide;
  cause_->setGeometry(left, gap, wide, high);
  try_now_->setGeometry(left, gap, wide, high);
  acknowledge_->setGeometry(left, 2 * gap + high, wide, high);
}

void AnswerBlock::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  place_buttons();
}

void AnswerBlock::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
    updateGeometry();
    cause_->setIcon(icon(Icon::show_cause, colors::on_accent));
    place_buttons();
  }
  QWidget::changeEvent(event);
}

int AnswerBlock::text_width() const {
  const int left = type::scaled(64);
  const bool buttons = content_.offer != Offer::nothing || content_.acknowledge;
  return (buttons ? cause_->geometry().left() : width()) - answer_edge - left;
}

void AnswerBlock::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const auto state = content_.answer.state;
  const bool loud = state == State::crit || state == State::warn;
  const auto ground = loud ? soft_color_of(state) : colors::window;
  painter.fillRect(rect(), ground);
  if (loud) painter.fillRect(0, 0, 3, height(), color_of(state));
  const int shape = type::scaled(32);
  paint_state(painter, state, QRectF(type::scaled(18), (height() - shape) / 2.0, shape, shape), color_of(state),
              ground);
  const int left = type::scaled(64);
  const int wide = text_width();
  const auto line = [&](double from, double high) { return QRect(left, type::scaled(from), wide, type::scaled(high)); };
  const bool three = !content_.more.isEmpty();
  const auto put = [&](const QRect& place, const QFont& font, const QColor& color, const QStringList& texts) {
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, type::fitting(font, texts, wide));
  };
  put(line(three ? 6 : 12, 26), answer_font(content_.answer.words, wide), colors::text, {content_.answer.words});
  put(line(three ? 32 : 40, 17), type::sized(answer_detail_px), loud ? colors::text : colors::text2, content_.details);
  if (three) put(line(49, 16), type::sized(answer_more_px), colors::text2, {content_.more});
}

}  // namespace lw
