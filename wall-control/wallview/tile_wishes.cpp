#include "wall-control/wallview/tile_wishes.h"

#include <QJsonArray>

namespace lw {
namespace {

QJsonObject with_place(QJsonObject params, const Place& place) {
  if (place) params["tile"] = QJsonArray{place->first, place->second};
  return params;
}

}  // namespace

void ask_to_identify(ControlLink& link, const Place& place, bool on) {
  link.call("identify", with_place({{"on", on}}, place));
}

void ask_to_mark(ControlLink& link, const Place& place, bool on) { link.call("mark", with_place({{"on", on}}, place)); }

void ask_for_pattern(ControlLink& link, const Place& place, const QString& pattern) {
  link.call("pattern", with_place({{"pattern", pattern}}, place));
}

}  // namespace lw
