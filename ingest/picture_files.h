// The files of an image sequence, in the order in which they are shown.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/base/result.h"

namespace lw {

bool is_picture(const std::filesystem::path& file);
// "frame9" before "frame10".
bool natural_less(const std::string& a, const std::string& b);

// Finding no file is an error in each case.
Result<std::vector<std::filesystem::path>> pictures_in(const std::filesystem::path& folder);
// "shot-%05d.png": the file with this number, which need not exist.
Result<std::string> numbered_picture(const std::string& pattern, unsigned number);
inline constexpr unsigned first_number_max = 10'000;
// The files from the first number up to 10,000 that exists, without a gap.
Result<std::vector<std::filesystem::path>> numbered_pictures(const std::string& pattern);
// "shots/a*.png", as a shell would expand it, but in natural order.
Result<std::vector<std::filesystem::path>> matching_pictures(const std::string& pattern);

// Checks that each is a regular file in the folder in which it was found. A link to another folder is an error that
// names it, so that a foreign folder cannot expose other files that its reader may read.
Result<std::vector<std::filesystem::path>> without_links(std::vector<std::filesystem::path> files);

}  // namespace lw
