#include "server/print_plan.h"

namespace lw {

Result<void> print_plan(const Wall&, const Library&, const std::string&, bool) { return Error{"the plan is not part of this build", ""}; }
Result<std::string> plan_as_json(const Wall&, const LibraryEntry&) { return Error{"the plan is not part of this build", ""}; }

}  // namespace lw
