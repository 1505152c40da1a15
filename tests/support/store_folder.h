// A folder for a test's files, removed with the test.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

struct StoreFolder {
  StoreFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "lw-store-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path = name;
  }
  ~StoreFolder() {
    std::error_code error;
    std::filesystem::remove_all(path, error);
  }
  StoreFolder(const StoreFolder&) = delete;
  StoreFolder& operator=(const StoreFolder&) = delete;

  std::filesystem::path path;
};
