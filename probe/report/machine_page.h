// The facts about the hosts of the runs, as HTML.
#pragma once

#include "probe/results/results.h"

#include <string>

namespace lw {

std::string machines_html(const Results& results);

}  // namespace lw
