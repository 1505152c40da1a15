#include "probe/doctor/sysctl_mend.h"

#include "common/base/cannot_write.h"
#include "common/base/descriptor.h"
#include "common/base/read_file.h"
#include "common/base/write_all.h"
#include "common/host/sysfs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <optional>
#include <span>
#include <sstream>
#include <system_error>
#include <utility>

namespace lw {
namespace {

std::filesystem::path file_of(const Sysctl& sysctl, const std::filesystem::path& root) {
  auto name = sysctl.name;
  std::ranges::replace(name, '.', '/');
  return root / "proc/sys" / name;
}

constexpr std::size_t kept_bytes_max = std::size_t{1} << 20U;
constexpr std::string_view end_of_file = "END_OF_90_LAMBDAWALL_CONF";

// Of /etc/sysctl.d; nothing if there is no file.
Result<std::optional<std::string>> read_kept(const std::filesystem::path& file) {
  using Kept = Result<std::optional<std::string>>;
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return Kept(boost::system::in_place_value, std::nullopt);
  auto text = read_file(file, kept_bytes_max, "correct or remove it");
  if (!text) return text.error();
  if (text->find(end_of_file) != std::string::npos)
    return Error{file.string() + " contains " + std::string(end_of_file), "remove that line"};
  return Kept(boost::system::in_place_value, std::move(*text));
}

Result<std::string> undo_script(const std::vector<Sysctl>& sysctls, const std::optional<std::string>& kept,
                                const std::filesystem::path& root) {
  std::string script = "#!/bin/sh\n# Restores the settings that wall-probe doctor --apply changed.\n";
  for (const auto& sysctl : sysctls) {
    const auto before = read_line(file_of(sysctl, root));
    if (!before) return Error{"the kernel has no setting " + sysctl.name, "run without --apply, and fix it manually"};
    script += fmt::format("sysctl -w {}='{}'\n", sysctl.name, *before);
  }
  if (!kept)
    script += fmt::format("rm -f /{}\n", sysctl_file);
  else
    script += fmt::format("cat >/{} <<'{}'\n{}{}{}\n", sysctl_file, end_of_file, *kept,
                          kept->empty() || kept->back() == '\n' ? "" : "\n", end_of_file);
  return {boost::system::in_place_value, std::move(script)};
}

Result<void> write_undo(const std::filesystem::path& undo, const std::string& script) {
  const Error exists{undo.string() + " already exists",
                     fmt::format("run `sh {}` and remove it, or name another file with --undo", undo.string())};
  // Never over what another one made, nor through a link.
  const int fd = ::open(undo.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0 && errno == EEXIST) return exists;
  const int error = fd < 0 ? errno : write_all(fd, std::as_bytes(std::span(script)));
  if (fd >= 0) ::close(fd);
  if (error != 0) return Error{undo.string() + " cannot be written", "name another file with --undo"};
  return {};
}

// A boot that comes at any moment finds the old or the new one.
Result<void> replace_file(const std::filesystem::path& file, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  const auto next = file.string() + ".next";
  const Descriptor open(::open(next.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!open || write_all(open.get(), std::as_bytes(std::span(text))) != 0 || ::fsync(open.get()) != 0)
    return cannot_write(next, "the settings are valid until the next boot; make room and run it again");
  std::filesystem::rename(next, file, error);
  if (error) return Error{"cannot write " + file.string() + ": " + error.message(), "check its permissions"};
  return {};
}

}  // namespace

std::vector<Sysctl> sysctls_of(const std::vector<Complaint>& complaints) {
  std::vector<Sysctl> sysctls;
  for (const auto& complaint : complaints) {
    if (!complaint.sysctl) continue;
    const auto known = std::ranges::find(sysctls, complaint.sysctl->name, &Sysctl::name);
    if (known == sysctls.end())
      sysctls.push_back(*complaint.sysctl);
    else
      *known = *complaint.sysctl;
  }
  return sysctls;
}

std::string sysctl_file_with(const std::vector<Sysctl>& sysctls, const std::string& before) {
  std::string text;
  std::istringstream lines(before.empty() ? "# Written by wall-probe doctor --apply.\n" : before);
  for (std::string line; std::getline(lines, line);) {
    auto name = line.substr(0, line.find('='));
    std::erase_if(name, [](char c) { return c == ' ' || c == '\t'; });
    if (std::ranges::find(sysctls, name, &Sysctl::name) == sysctls.end()) text += line + "\n";
  }
  for (const auto& sysctl : sysctls) text += fmt::format("{} = {}\n", sysctl.name, sysctl.value);
  return text;
}

std::vector<std::string> changes_of(const std::vector<Sysctl>& sysctls) {
  std::vector<std::string> changes;
  for (const auto& sysctl : sysctls) changes.push_back(fmt::format("sysctl -w {}={}", sysctl.name, sysctl.value));
  if (!sysctls.empty()) changes.push_back(fmt::format("write them into /{}", sysctl_file));
  return changes;
}

Result<void> apply(const std::vector<Sysctl>& sysctls, const std::filesystem::path& undo,
                   const std::function<void(const std::string&)>& tell, const std::filesystem::path& root) {
  if (sysctls.empty()) return {};
  const auto file = root / sysctl_file;
  const auto kept = read_kept(file);
  if (!kept) return kept.error();
  const auto script = undo_script(sysctls, *kept, root);
  if (!script) return script.error();
  if (const auto written = write_undo(undo, *script); !written) return written;
  const auto changes = changes_of(sysctls);
  for (std::size_t i = 0; i < sysctls.size(); ++i) {
    tell(changes[i]);
    std::ofstream setting(file_of(sysctls[i], root));
    setting << sysctls[i].value << std::endl;
    if (!setting)
      return Error{sysctls[i].name + " cannot be set", fmt::format("restore the others with `sh {}`", undo.string())};
  }
  tell(changes.back());
  return replace_file(file, sysctl_file_with(sysctls, kept->value_or("")));
}

}  // namespace lw
