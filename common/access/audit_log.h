// Logs who changed what, when, and with what result: lines of JSON in a file of limited size, with one older file
// beside it. A full disk is reported once and does not stop the program. One thread.
#pragma once

#include "common/messages/rpc.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace lw {

struct AuditEntry {
  std::string_view name;  // of the token
  std::string_view role;
  std::string_view address;
  std::string_view method;
  const Json& params;
  std::string_view outcome;
  std::uint64_t calls = 1;  // more than 1: the entry stands for several calls, with the values of the newest
};

class AuditLog {
public:
  explicit AuditLog(std::filesystem::path file, std::uintmax_t bytes_max = std::uintmax_t{16} << 20U)
      : file_(std::move(file)), bytes_max_(bytes_max) {}
  void write(const AuditEntry& entry);

private:
  bool append(const std::string& line);

  const std::filesystem::path file_;
  const std::uintmax_t bytes_max_;
  bool failed_ = false;  // the last write
};

}  // namespace lw
