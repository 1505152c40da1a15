// Logs calls that changed nothing: rejected calls, failed calls, a node's hello. They have their own file, so that no
// number of them pushes the entry of a change out of the audit log. A caller's first call of a method is written at
// once; further ones within the interval are counted, and written as one line when it ends. Bounded memory. One thread.
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
  static constexpr std::size_t callers_max = 256;  // any more are counted together
  static constexpr std::uintmax_t bytes_max = std::uintmax_t{4} << 20U;

  explicit AttemptLog(std::filesystem::path file, std::uintmax_t file_bytes_max = bytes_max)
      : log_(std::move(file), file_bytes_max) {}
  ~AttemptLog();
  AttemptLog(const AttemptLog&) = delete;
  AttemptLog& operator=(const AttemptLog&) = delete;

  // `host`: the caller's address without the port. Counts calls by method, token name and network.
  void add(const AuditEntry& entry, std::string_view host, LocalTime now);
  // Writes the counts of intervals that have ended. Call regularly; `add` also calls it.
  void tell(LocalTime now);
  [[nodiscard]] std::size_t callers() const { return callers_.size(); }

private:
  struct Caller {
    LocalTime began{};                                 // of the interval
    std::uint64_t held = 0;                            // since the line that began it
    std::string name, role, address, method, outcome;  // of the newest call that was not written
  };
  Caller* caller_of(const AuditEntry& entry, std::string_view host, LocalTime now);
  void tell_caller(Caller& caller);

  AuditLog log_;
  std::map<std::string, Caller, std::less<>> callers_;
  LocalTime told_{};  // the last check of all callers
};

}  // namespace lw
