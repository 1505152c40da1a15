// Calls that changed nothing: refused, failed, a node's hello. In a file of their own, so that no number of them pushes
// an entry of a change out of the audit log. A caller's first call of a method is written at once; what follows within
// the interval is counted and written as one line when it is over. In bounded memory, whoever comes. One thread.
#pragma once

#include "common/access/audit_log.h"
#include "common/base/units.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace lw {

class AttemptLog {
public:
  static constexpr std::chrono::seconds interval{60};
  static constexpr std::size_t callers_max = 256;  // those beyond are counted as one
  static constexpr std::uintmax_t bytes_max = std::uintmax_t{4} << 20U;

  explicit AttemptLog(std::filesystem::path file, std::uintmax_t file_bytes_max = bytes_max)
      : log_(std::move(file), file_bytes_max) {}
  ~AttemptLog();
  AttemptLog(const AttemptLog&) = delete;
  AttemptLog& operator=(const AttemptLog&) = delete;

  // `host`: the caller's address without the port. Counted are calls of a method by a token's name from a network.
  void add(const AuditEntry& entry, std::string_view host, LocalTime now);
  // Writes the counts of intervals that are over. Call regularly; `add` also calls it.
  void tell(LocalTime now);
  [[nodiscard]] std::size_t callers() const { return callers_.size(); }

private:
  struct Caller {
    LocalTime began{};                                 // of the interval
    std::uint64_t held = 0;                            // since the line that began it
    std::string name, role, address, method, outcome;  // of the newest that was held back
  };
  Caller* caller_of(const AuditEntry& entry, std::string_view host, LocalTime now);
  void tell_caller(Caller& caller);

  AuditLog log_;
  std::map<std::string, Caller, std::less<>> callers_;
  LocalTime told_{};  // when they were last looked through
};

}  // namespace lw
