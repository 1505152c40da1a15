// What may be imported at an operator's request: files and folders below directories that the server's administrator
// named, and the server's own visualizations, which are recut. Pure except that it asks the file system.
#pragma once

#include "common/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lw {

// The input as wall-ingest shall get it: with links resolved, so that it stays below one of the directories. The last
// part of its name may be a pattern for images. Everything else that wall-ingest accepts (addresses, FFmpeg's test
// sources, which can open any file) is refused. `stores`: directories that contain visualizations.
Result<std::string> import_source(const std::string& input, const std::vector<std::filesystem::path>& directories,
                                  const std::vector<std::filesystem::path>& stores = {});

}  // namespace lw
