#include "wall-control/start/start_row.h"

#include "wall-control/ui/palette.h"
#include "wall-control/ui/question.h"
#include "wall-control/ui/text_label.h"
#include "wall-control/ui/type.h"

#include <QBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QStyle>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr int row_px = 66, sketch_px = 78, row_margin_px = 14, row_sign_px = 13, button_px = 104;

}  // namespace

AnswerWords words_of(const std::optional<WallAnswer>& answer) {
  using Kind = WallAnswer::Kind;
  if (!answer) return {{}, Icon::refresh, StartRow::tr("Asking\u2026"), {}};
  const auto same_version =
      StartRow::tr("Server and control program have to be of the same version. Install the newer one on both.");
  switch (answer->kind) {
    case Kind::ready:
      return {State::ok, Icon::none, StartRow::tr("Ready"), {}};
    case Kind::token:
      return {{}, Icon::key, StartRow::tr("Asks for a token"), {}};
    case Kind::new_server:
      return {{}, Icon::fingerprint, StartRow::tr("New server"), {}};
    case Kind::other_certificate:
      return {State::warn, Icon::none, StartRow::tr("Certificate has changed"), {}};
    case Kind::too_old:
      return {State::warn, Icon::none, StartRow::tr("Server %1 is too old").arg(answer->version), same_version};
    case Kind::too_new:
      return {State::warn, Icon::none, StartRow::tr("Server %1 is too new").arg(answer->version), same_version};
    case Kind::refused:
      return {State::warn, Icon::none, StartRow::tr("Refused"), answer->words};
    case Kind::no_answer:
      break;
  }
  return {State::off, Icon::none, StartRow::tr("No answer"), {}};
}

StartRow::StartRow(QWidget* parent)
    : QWidget(parent),
      name_(new TextLabel({}, 14, Tone::text, true)),
      details_(new TextLabel({}, 12, Tone::text2)),
      state_(new TextLabel({}, 12, Tone::text2)),
      button_(new QPushButton) {
  setMinimumHeight(type::scaled(row_px));
  auto* texts = new QVBoxLayout;
  texts->setSpacing(2);
  texts->addStretch(1);
  texts->addWidget(name_);
  texts->addWidget(details_);
  texts->addStretch(1);
  for (auto* label : {name_, details_}) {
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    label->setMinimumWidth(type::scaled(button_px));
  }
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(sketch_px + 2 * row_margin_px, 0, row_margin_px, 0);
  row->setSpacing(16);
  row->addLayout(texts, 1);
  row->addWidget(state_);
  row->addWidget(button_);
  button_->setMinimumWidth(type::scaled(button_px));
  connect(button_, &QPushButton::clicked, this, &StartRow::press);
}

void StartRow::show_wall(const StartWall& wall, bool first) {
  wall_ = wall;
  shown_ = words_of(wall.answer);
  name_->setText(wall.name);
  name_->setToolTip(wall.name);
  details_->setText(details_of(wall));
  details_->setToolTip(details_of(wall));
  state_->setText(shown_.words);
  state_->setToolTip(wall.answer ? wall.answer->words : QString());
  using Kind = WallAnswer::Kind;
  const bool asks = wall.answer && (wall.answer->kind == Kind::token || wall.answer->kind == Kind::new_server);
  button_->setText(!shown_.details.isEmpty() ? tr("Details\u2026") : asks ? tr("Connect\u2026") : tr("Connect"));
  button_->setAccessibleName(QString("%1: %2").arg(wall.name, button_->text()));
  if (button_->property("primary").toBool() != first) {
    button_->setProperty("primary", first);
    button_->style()->polish(button_);
  }
  update();
}

void StartRow::press() {
  if (shown_.details.isEmpty()) return emit connect_wanted(wall_.address);
  auto* dialog = new Question(Icon::none, shown_.words, window());
  dialog->setObjectName("wall-details");
  dialog->add_text(QString("%1: %2").arg(wall_.address, shown_.details));
  dialog->add_buttons({}, tr("Close"));
  dialog->show();
}

void StartRow::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(0, height() - 1, width(), 1, colors::line);
  draw_grid(painter, QRectF(row_margin_px, row_margin_px, sketch_px, height() - 2 * row_margin_px));
  const QRectF sign(state_->x() - row_sign_px - 6, (height() - row_sign_px) / 2.0, row_sign_px, row_sign_px);
  if (shown_.shape)
    paint_state(painter, *shown_.shape, sign);
  else if (shown_.icon != Icon::none)
    icon(shown_.icon, colors::text3).paint(&painter, sign.toAlignedRect());
}

// Unknown grids have no drawing: a wrong one would mislead.
void StartRow::draw_grid(QPainter& painter, const QRectF& place) const {
  if (wall_.columns <= 0 || wall_.rows <= 0) return;
  constexpr double tile_wide = 14, tile_high = 9;
  const double step =
      std::min({place.width() / (wall_.columns * tile_wide), place.height() / (wall_.rows * tile_high), 1.0});
  const double wide = tile_wide * step, high = tile_high * step;
  const QPointF corner(place.center().x() - wall_.columns * wide / 2, place.center().y() - wall_.rows * high / 2);
  painter.setPen(wide > 4 ? QPen(colors::edge, 1) : QPen(Qt::NoPen));
  painter.setBrush(wide > 4 ? colors::hover : colors::edge);
  for (int row = 0; row < wall_.rows; ++row)
    for (int column = 0; column < wall_.columns; ++column)
      painter.drawRect(QRectF(std::floor(corner.x() + column * wide) + 0.5, std::floor(corner.y() + row * high) + 0.5,
                              std::max(1.0, wide - 3), std::max(1.0, high - 2)));
}

}  // namespace lw
