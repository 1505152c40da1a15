// The result of a STAMP session, in the same form as other results of wall-probe (docs/schema/).
#pragma once

#include "probe/stamp/session_sender.h"

#include <nlohmann/json.hpp>

#include <string>

namespace lw {

// `began`: UTC, ISO 8601.
nlohmann::json stamp_result(const StampSenderSettings& settings, const StampOutcome& outcome, const std::string& began);
std::string stamp_text(const nlohmann::json& result);

}  // namespace lw
