// Who changed what, when, and with what success: lines of JSON in a file that is kept to a size, with one older one
// beside it. A disk that is full is said once, and stops nothing. One thread.
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
  std::uint64_t calls = 1;  // more: the entry stands for all of them, and says what the newest was
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
  bool failed_ = false;  // the last one
};

}  // namespace lw
