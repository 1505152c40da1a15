#include "tests/support/source_folder.h"

std::filesystem::path lw::test::source_folder() { return LW_SOURCE_DIR; }
