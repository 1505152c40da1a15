// Tells operators what an import needs to know, so that they need not type it: the wall file, the directories in which
// stores and stripes can be, and the media that can be imported. Pure except that it asks the file system.
#pragma once

#include "common/base/result.h"
#include "common/messages/import_places.h"
#include "server/control/import_job.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lw {

ImportPlaces import_places(const ImportPlace& place);

// The directories for --out: the usual ones if none are chosen. An error for those that import_places() does not list,
// and if the first cannot have stores.
Result<std::vector<std::filesystem::path>> import_directories(const ImportPlace& place,
                                                              const std::vector<std::string>& chosen);

}  // namespace lw
