#include "wall-control/plots/distribution.h"

#include "wall-control/models/line_summary.h"
#include "wall-control/plots/lane_chart.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr int left_margin = 46, right_margin = 20;

}  // namespace

Distribution::Distribution(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(tr("Distribution"));
}

void Distribution::set(Quantity quantity, std::vector<Curve> curves, std::optional<double> limit) {
  quantity_ = quantity;
  curves_ = std::move(curves);
  std::erase_if(curves_, [](const Curve& curve) { return curve.samples.empty(); });
  if (curves_.size() > curves_max) curves_.resize(curves_max);
  limit_ = limit;
  fit_axis();
  QStringList words;
  for (const auto& curve : curves_)
    words << tr("%1: p99 %2").arg(curve.name, with_unit(info(quantity_), quantile(curve.samples, 0.99)));
  setAccessibleDescription(words.isEmpty() ? tr("not measured") : words.join("; "));
  update();
}

// By powers of ten where times differ by much; otherwise from zero, unless all samples lie close together and far from
// it.
void Distribution::fit_axis() {
  low_ = 0;
  top_ = 1;
  logarithmic_ = false;
  if (curves_.empty()) {
    unit_ = axis_unit(info(quantity_), 1);
    return;
  }
  double least = curves_[0].samples.front(), greatest = curves_[0].samples.back();
  double bulk = 0;
  for (const auto& curve : curves_) {
    least = std::min<double>(least, curve.samples.front());
    greatest = std::max<double>(greatest, curve.samples.back());
    bulk = std::max(bulk, quantile(curve.samples, 0.99));
  }
  unit_ = axis_unit(info(quantity_), bulk);
  // A limit nearby is worth the room.
  if (limit_ && *limit_ > greatest && *limit_ < 5 * greatest) greatest = *limit_;
  logarithmic_ = least > 0 && greatest / least > 8;
  if (logarithmic_) {
    low_ = least * 0.9;
    top_ = greatest * 1.5;
    return;
  }
  top_ = nice_above(greatest);
  const double margin = std::max((greatest - least) * 0.1, std::abs(greatest) * 0.01);
  if (least >= 0 && (least < greatest / 2 || greatest == 0)) return;
  low_ = least - margin;
  top_ = std::max(greatest + margin, low_ + 1e-9);
}

QRect Distribution::area() const {
  const int line = QFontMetrics(TimePlot::font_of(11)).height();
  return QRect(left_margin, line + 8, std::max(1, width() - left_margin - right_margin),
               std::max(1, height() - 2 * line - 16));
}

double Distribution::x_of(double value) const {
  const double share = logarithmic_ ? std::log(std::max(value, low_ * 1e-3) / low_) / std::log(top_ / low_)
                                    : (value - low_) / (top_ - low_);
  return area().left() + std::clamp(share, 0.0, 1.0) * area().width();
}

double Distribution::value_at(double x) const {
  const double share = (x - area().left()) / area().width();
  return logarithmic_ ? low_ * std::pow(top_ / low_, share) : low_ + share * (top_ - low_);
}

double Distribution::share_at(std::size_t curve, double value) const {
  const auto& samples = curves_[curve].samples;
  const auto above = std::ranges::upper_bound(samples, static_cast<float>(value));
  return static_cast<double>(above - samples.begin()) / static_cast<double>(samples.size());
}

std::vector<double> Distribution::tick_values() const {
  std::vector<double> values;
  if (!logarithmic_) {
    const double step = nice_above((top_ - low_) / 5);
    for (double value = std::ceil(low_ / step) * step; value <= top_ * 1.0001; value += step) values.push_back(value);
    return values;
  }
  for (double power = std::pow(10, std::floor(std::log10(low_))); power <= top_; power *= 10)
    for (const double step : {1.0, 3.0})
      if (step * power >= low_ && step * power <= top_) values.push_back(step * power);
  return values;
}

QStringList Distribution::tick_labels() const {
  QStringList labels;
  for (const double value : tick_values()) labels << short_number(value / unit_.size) + ' ' + unit_.name;
  return labels;
}

void Distribution::draw_axes(QPainter& painter) const {
  const auto place = area();
  painter.setFont(TimePlot::font_of(11));
  const QFontMetrics metrics(painter.font());
  for (const double share : {0.0, 0.5, 0.9, 1.0}) {
    const double y = place.bottom() - share * place.height();
    painter.setPen(colors::grid);
    painter.drawLine(QPointF(place.left(), y), QPointF(place.right(), y));
    painter.setPen(colors::axis);
    type::paint_figure(painter, QRectF(0, y - metrics.height() / 2.0, place.left() - 6, metrics.height()),
                       Qt::AlignRight, tr("%1 %").arg(share * 100));
  }
  painter.setPen(colors::text3);
  painter.drawText(QRect(place.left(), 0, place.width(), metrics.height() + 2), Qt::AlignLeft | Qt::AlignVCenter,
                   metrics.elidedText(tr("Share of samples at or below"), Qt::ElideRight, place.width()));
  const auto values = tick_values();
  const auto labels = tick_labels();
  double free = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = x_of(values[i]);
    painter.setPen(colors::grid);
    painter.drawLine(QPointF(x, place.top()), QPointF(x, place.bottom()));
    const auto& label = labels[static_cast<qsizetype>(i)];
    const double width = type::figure_width(painter.font(), label);
    const double left = std::min(x - width / 2, this->width() - width - 2);
    if (left < free) continue;
    painter.setPen(colors::axis);
    type::paint_figure(painter, QRectF(left, place.bottom() + 5, width, metrics.height()), Qt::AlignLeft, label);
    free = left + width + 10;
  }
  if (!limit_ || *limit_ <= low_ || *limit_ > top_) return;
  painter.setPen(QPen(colors::warn, 1, Qt::DashLine));
  const double x = x_of(*limit_);
  painter.drawLine(QPointF(x, place.top()), QPointF(x, place.bottom()));
  painter.drawText(QRectF(x + 4, place.bottom() - metrics.height() - 2, 200, metrics.height()), Qt::AlignLeft,
                   tr("limit %1").arg(with_unit(info(quantity_), *limit_)));
}

void Distribution::draw_curve(QPainter& painter, std::size_t curve) const {
  const auto place = area();
  const auto& samples = curves_[curve].samples;
  const auto steps = std::min<std::size_t>(samples.size(), static_cast<std::size_t>(std::max(2, 2 * place.height())));
  QPainterPath path(QPointF(x_of(static_cast<double>(samples.front())), place.bottom()));
  for (std::size_t i = 0; i < steps; ++i) {
    const double share = static_cast<double>(i + 1) / static_cast<double>(steps);
    const double x = x_of(quantile(samples, share));
    path.lineTo(x, path.currentPosition().y());
    path.lineTo(x, place.bottom() - share * place.height());
  }
  path.lineTo(place.right(), path.currentPosition().y());
  auto pen = LaneChart::pen_of_rank(curve);
  pen.setWidthF(1.5);
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(path);
}

void Distribution::draw_p99(QPainter& painter) const {
  const auto place = area();
  painter.setFont(TimePlot::font_of(11, true));
  const QFontMetrics metrics(painter.font());
  double free = place.left();
  std::vector<std::size_t> order(curves_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) { return quantile(curves_[i].samples, 0.99); });
  for (const auto i : order) {
    const double p99 = quantile(curves_[i].samples, 0.99);
    const QPointF at(x_of(p99), place.bottom() - 0.99 * place.height());
    painter.setPen(QPen(LaneChart::pen_of_rank(i).color(), 1.5));
    painter.setBrush(colors::panel);
    painter.drawEllipse(at, 3.5, 3.5);
    const auto label = tr("p99 %1").arg(short_number(p99 / unit_.size) + ' ' + unit_.name);
    const double width = metrics.horizontalAdvance(label);
    const double left = std::min(at.x() + 6, place.right() - width);
    if (left < free) continue;
    painter.setPen(colors::text);
    painter.drawText(QPointF(left, at.y() + metrics.ascent() + 6), label);
    free = left + width + 8;
  }
}

void Distribution::draw(QPainter& painter) const {
  painter.fillRect(rect(), colors::panel);
  painter.setRenderHint(QPainter::Antialiasing, false);
  if (curves_.empty()) {
    painter.setFont(TimePlot::font_of(12));
    painter.setPen(colors::text3);
    painter.drawText(area(), Qt::AlignCenter, tr("Nothing measured in this time"));
    return;
  }
  draw_axes(painter);
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t i = curves_.size(); i-- > 0;) draw_curve(painter, i);
  draw_p99(painter);
}

int Distribution::legend_height(std::size_t curves) {
  return static_cast<int>(curves) * (QFontMetrics(TimePlot::font_of(12)).height() + 2);
}

void Distribution::draw_legend(QPainter& painter) const {
  painter.setFont(TimePlot::font_of(12));
  const int line = QFontMetrics(painter.font()).height() + 2;
  QRect place(left_margin, height(), width() - left_margin, line);
  for (std::size_t i = 0; i < curves_.size(); ++i, place.translate(0, line)) {
    auto pen = LaneChart::pen_of_rank(i);
    pen.setWidthF(1.5);
    painter.setPen(pen);
    painter.drawLine(place.left(), place.center().y(), place.left() + 20, place.center().y());
    painter.setPen(colors::text);
    painter.drawText(place.adjusted(28, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, curves_[i].name);
  }
}

HoverText Distribution::hover_at(QPointF place) const {
  if (!area().contains(place.toPoint()) || curves_.empty()) return {};
  const double value = value_at(place.x());
  HoverText text;
  text.title = tr("At or below %1 %2").arg(QString::number(value / unit_.size, 'g', 3), unit_.name);
  for (std::size_t i = 0; i < curves_.size(); ++i)
    text.rows.emplace_back(curves_[i].name, tr("%1 % of %2 samples")
                                                .arg(100 * share_at(i, value), 0, 'f', 2)
                                                .arg(short_number(static_cast<double>(curves_[i].samples.size()))));
  return text;
}

void Distribution::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  draw(painter);
}

bool Distribution::event(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) update();
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto text = text_at(help->pos());
  const auto definition = definition_of(info(quantity_));
  QToolTip::showText(help->globalPos(), text.isEmpty() ? definition : text + "\n\n" + definition, this);
  return true;
}

}  // namespace lw
