// What a server told, or a recorded session says it told, as the messages of common/messages.
#pragma once

#include "common/base/result.h"
#include "common/messages/stats.h"

#include <QJsonObject>

namespace lw {

Result<Stats> stats_from(const QJsonObject& json);

}  // namespace lw
