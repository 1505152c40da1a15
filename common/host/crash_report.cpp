#include "common/host/crash_report.h"

#include "common/base/sanitized.h"

#include <execinfo.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace lw {
namespace {

constexpr int callers_max = 64;
constexpr std::size_t stack_bytes = 64 * 1024;

const char* program_name = "lambdawall";
alignas(16) std::array<char, stack_bytes> spare_stack;  // for a stack overflow; of the first thread only

void put_text(std::string_view text) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
}

void put_number(std::uint64_t value, int base) {
  std::array<char, 24> room;
  const auto end = std::to_chars(room.data(), room.data() + room.size(), value, base).ptr;
  put_text({room.data(), static_cast<std::size_t>(end - room.data())});
}

std::string_view name_of(int number) {
  switch (number) {
    case SIGSEGV:
      return "SIGSEGV";
    case SIGBUS:
      return "SIGBUS";
    case SIGILL:
      return "SIGILL";
    case SIGFPE:
      return "SIGFPE";
    default:
      return "SIGABRT";
  }
}

// Uses only functions allowed in a signal handler; backtrace() has already loaded what it needs.
void report(int number, siginfo_t* info, void* /*context*/) {
  std::array<char, 16> thread{};
  prctl(PR_GET_NAME, thread.data());
  put_text(program_name);
  put_text(" " LW_VERSION ": crashed by ");
  put_text(name_of(number));
  if (number != SIGABRT) {
    put_text(" at address 0x");
    put_number(reinterpret_cast<std::uintptr_t>(info->si_addr), 16);
  }
  put_text(" in thread ");
  put_text(thread.data());
  put_text("; its callers, the innermost first (addr2line -Cfpe PROGRAM +OFFSET names lines):\n");
  std::array<void*, callers_max> callers;
  backtrace_symbols_fd(callers.data(), backtrace(callers.data(), callers_max), STDERR_FILENO);
  std::raise(number);  // with SA_RESETHAND: now as without a handler
}

}  // namespace

void report_crashes(const char* program) {
  program_name = program;
  if (sanitized) return;  // the sanitizers report better
  std::array<void*, 1> first;
  backtrace(first.data(), 1);  // loads the unwinder
  const stack_t stack{spare_stack.data(), 0, spare_stack.size()};
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = report;
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER);
  for (const int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) sigaction(number, &action, nullptr);
}

}  // namespace lw
