// A made-up /sys and /proc in a temporary folder.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace lw::test {

class FakeTree {
public:
  FakeTree() {
    std::string name = (std::filesystem::temp_directory_path() / "lw-host-XXXXXX").string();
    root_ = mkdtemp(name.data());
  }
  ~FakeTree() { std::filesystem::remove_all(root_); }
  FakeTree(const FakeTree&) = delete;
  FakeTree& operator=(const FakeTree&) = delete;

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  void write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text << '\n';
  }
  // `link` and `target` are both relative to the root.
  void link(const std::string& link, const std::string& target) const {
    std::filesystem::create_directories((root_ / link).parent_path());
    std::filesystem::create_directories(root_ / target);
    std::filesystem::create_directory_symlink(root_ / target, root_ / link);
  }

private:
  std::filesystem::path root_;
};

}  // namespace lw::test
