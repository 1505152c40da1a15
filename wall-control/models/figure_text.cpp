#include "wall-control/models/figure_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace lw::figure_text {
namespace {

struct FigureTexts {
  Q_DECLARE_TR_FUNCTIONS(FigureText)
};

constexpr int significant_digits = 3;

QString grouped(QString digits) {
  for (auto at = digits.size() - 3; at > 0; at -= 3) digits.insert(at, QChar(0x2009));
  return digits;
}

}  // namespace

QString number(double value) {
  if (value == 0 || !std::isfinite(value)) return "0";
  const double size = std::abs(value);
  const int magnitude = static_cast<int>(std::floor(std::log10(size)));
  const double step = std::pow(10, magnitude - significant_digits + 1);
  const double rounded = std::round(size / step) * step;
  const auto sign = value < 0 ? QString(QChar(0x2212)) : QString();
  if (rounded >= 1000) return sign + grouped(QString::number(rounded, 'f', 0));
  auto text = QString::number(rounded, 'f', std::max(0, significant_digits - 1 - magnitude));
  if (text.contains('.')) {
    while (text.endsWith('0')) text.chop(1);
    if (text.endsWith('.')) text.chop(1);
  }
  return sign + text;
}

Text time(double us) {
  const double size = std::abs(us);
  if (size < 999.5) return {number(us), FigureTexts::tr("µs")};
  if (size < 999'500) return milliseconds(us);
  return {number(us / 1e6), FigureTexts::tr("s")};
}

Text milliseconds(double us) { return {number(us / 1000), FigureTexts::tr("ms")}; }

Text share(double share) { return {number(share * 100), FigureTexts::tr("%")}; }

Text of(Quantity quantity, double value) {
  const std::string_view unit = info(quantity).unit;
  if (unit == "us") return time(value);
  return {number(value), QString::fromUtf8(unit.data(), static_cast<qsizetype>(unit.size()))};
}

QString span(double seconds) {
  const auto whole = static_cast<qint64>(std::max(0.0, seconds));
  if (whole < 60) return FigureTexts::tr("%1 s").arg(whole);
  if (whole < 3600) return FigureTexts::tr("%1 min").arg(whole / 60);
  return FigureTexts::tr("%1 h %2 min").arg(whole / 3600).arg(whole / 60 % 60);
}

QString title(Quantity quantity) { return QCoreApplication::translate("Quantity", info(quantity).title); }

QString with_limit(Quantity quantity, double value, double limit) {
  return FigureTexts::tr("%1, limit %2").arg(of(quantity, value).joined(), of(quantity, limit).joined());
}

}  // namespace lw::figure_text
