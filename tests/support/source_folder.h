// The project's folder, for tests of the files that users read and write.
#pragma once

#include <filesystem>

namespace lw::test {

std::filesystem::path source_folder();

}  // namespace lw::test
