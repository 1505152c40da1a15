#include "probe/measure/interrupt_core.h"

#include "common/base/read_file.h"
#include "common/host/nic_queues.h"
#include "common/host/pcie.h"
#include "common/host/sysfs.h"
#include "common/net/address.h"
#include "probe/measure/result_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <regex>

namespace lw {
namespace {

using nlohmann::json;
using std::filesystem::path;

constexpr std::size_t note_bytes_max = std::size_t{1} << 20U;
constexpr unsigned cpus_of_word = 32;

// Interfaces of two network namespaces can have the same name.
path note_of(const path& root) {
  struct stat space {};
  const auto number = stat("/proc/self/ns/net", &space) == 0 ? space.st_ino : 0;
  return root / "run" / fmt::format("wall-probe-interrupts-{}.json", number);
}

Result<void> write_setting(const path& file, const std::string& value) {
  const int fd = open(file.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  const bool written = fd >= 0 && write(fd, value.data(), value.size()) == static_cast<ssize_t>(value.size());
  const int problem = errno;
  if (fd >= 0) close(fd);
  if (written) return {};
  return Error{fmt::format("cannot set {}: {}", file.string(), std::strerror(problem)),
               "moving interrupts needs root on the host itself, and a CPU that is online; or leave "
               "receiver_interrupt_cpu out"};
}

// "00000004,00000000" is CPU 34.
std::string cpu_mask(unsigned cpu) {
  auto mask = fmt::format("{:08x}", 1U << cpu % cpus_of_word);
  for (unsigned i = 0; i < cpu / cpus_of_word; ++i) mask += ",00000000";
  return mask;
}

std::vector<path> entries_of(const path& folder) {
  std::vector<path> entries;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) entries.push_back(entry.path());
  std::ranges::sort(entries);
  return entries;
}

// Each file to change, with its value during the measurement.
std::vector<std::pair<path, std::string>> wanted_settings(const std::string& interface, unsigned cpu,
                                                          const path& root) {
  std::vector<std::pair<path, std::string>> settings;
  const auto folder = root / "sys/class/net" / interface;
  const auto function = pci_function_of(folder / "device");
  if (!function.empty())
    for (const auto& interrupt : entries_of(function / "msi_irqs"))
      if (const auto file = root / "proc/irq" / interrupt.filename() / "smp_affinity_list";
          std::filesystem::exists(file))
        settings.emplace_back(file, fmt::format("{}", cpu));
  const bool has_interrupts = !settings.empty();
  for (const auto& queue : entries_of(folder / "queues"))
    if (queue.filename().string().starts_with("rx-"))
      settings.emplace_back(queue / "rps_cpus", has_interrupts ? "0" : cpu_mask(cpu));
  return settings;
}

// The kernel formats values in its own way.
bool says(const path& file, const std::string& value) {
  const auto now = read_line(file);
  if (!now) return false;
  return file.filename() == "rps_cpus" ? parse_cpu_mask(*now) == parse_cpu_mask(value)
                                       : parse_cpu_list(*now) == parse_cpu_list(value);
}

// The file is written by root for root; only these settings are ever restored from it.
bool is_interrupt_setting(const path& file, const path& root) {
  static const std::regex known(R"(proc/irq/\d+/smp_affinity_list|sys/class/net/[^/]+/queues/rx-\d+/rps_cpus)");
  const auto text = file.string(), before = root.string();
  if (text.find("..") != std::string::npos || !text.starts_with(before)) return false;
  const auto rest = text.substr(before.size());
  return std::regex_match(rest.starts_with('/') ? rest.substr(1) : rest, known);
}

// The caller holds the lock.
Result<unsigned> restore_from(const path& note, const path& root) {
  std::error_code none;
  if (!std::filesystem::exists(note, none)) return 0U;
  const auto read = read_file(note, note_bytes_max, "remove it, and set the interrupts' CPUs by hand");
  if (!read) return read.error();
  const auto document = json::parse(*read, nullptr, false);
  unsigned restored = 0;
  for (const auto& setting : document.is_object() ? document.value("settings", json::array()) : json::array()) {
    const auto text = [&](const char* name) {
      const auto found = setting.is_object() ? setting.find(name) : setting.end();
      return found != setting.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    const path file = text("file");
    const auto before = text("before");
    if (!is_interrupt_setting(file, root) || !std::filesystem::exists(file, none) || says(file, before)) continue;
    if (const auto written = write_setting(file, before); !written) return written.error();
    ++restored;
  }
  std::filesystem::remove(note, none);
  return restored;
}

}  // namespace

Result<std::map<std::string, unsigned>> interrupt_cpus(const RunSpec& run, Role role, const SideAddresses& addresses,
                                                       const std::multimap<std::string, std::string>& interfaces) {
  std::map<std::string, unsigned> cpus;
  const auto receiving = role == Role::server ? Direction::forward : Direction::reverse;
  for (const auto& load : run.loads) {
    if (load.receiver_interrupt_cpu < 0 || load.direction != receiving) continue;
    const auto to = Address::parse(end_addresses(load, receiving, role, addresses).to, 0);
    if (!to) return to.error();
    const auto found = std::ranges::find_if(interfaces, [&](const auto& known) {
      const auto own = Address::parse(known.second, 0);
      return own && own->same_host(*to);
    });
    if (found == interfaces.end())
      return Error{fmt::format("no interface of this host has the address {}", to->text()),
                   "leave receiver_interrupt_cpu out"};
    const auto cpu = static_cast<unsigned>(load.receiver_interrupt_cpu);
    if (const auto [known, is_new] = cpus.emplace(found->first, cpu); !is_new && known->second != cpu)
      return Error{fmt::format("two loads request the interrupts of {} on CPU {} and on CPU {}", found->first,
                               known->second, cpu),
                   "choose one receiver_interrupt_cpu"};
  }
  return cpus;
}

Result<std::unique_ptr<InterruptCore>> InterruptCore::move(const std::map<std::string, unsigned>& cpus,
                                                           const path& root) {
  const auto note = note_of(root);
  auto lock = FileLock::take(note, std::chrono::milliseconds{0});
  if (!lock)
    return Error{"receiver_interrupt_cpu: another measurement on this host moves interrupts, or we may not write " +
                     note.parent_path().string(),
                 "wait for it, and run as root"};
  if (const auto left = restore_from(note, root); !left) return left.error();
  std::unique_ptr<InterruptCore> core(new InterruptCore(std::move(*lock), note));
  for (const auto& [interface, cpu] : cpus) {
    const auto wanted = wanted_settings(interface, cpu, root);
    if (wanted.empty())
      return Error{interface + " has neither interrupts that can be moved nor receive queues that can be steered",
                   "measure over another interface, or leave receiver_interrupt_cpu out"};
    for (const auto& [file, during] : wanted) {
      const auto before = read_line(file);
      if (!before) return Error{"cannot read " + file.string(), "leave receiver_interrupt_cpu out"};
      core->settings_.push_back({file, *before, during});
    }
  }
  if (const auto written = core->write_note(); !written) return written.error();
  for (const auto& setting : core->settings_) {
    if (const auto written = write_setting(setting.file, setting.during); !written) return written.error();
    if (!says(setting.file, setting.during))
      return Error{fmt::format("{} was set to {} and is now {}", setting.file.string(), setting.during,
                               read_line(setting.file).value_or("nothing")),
                   "choose a CPU that is online"};
  }
  return core;
}

Result<void> InterruptCore::write_note() const {
  auto settings = json::array();
  for (const auto& setting : settings_)
    settings.push_back({{"file", setting.file.string()}, {"before", setting.before}});
  return write_json_file(note_, {{"settings", std::move(settings)}});
}

InterruptCore::~InterruptCore() {
  bool all = true;
  for (const auto& setting : settings_) {
    if (!std::filesystem::exists(note_)) return;  // nothing has been changed yet
    if (says(setting.file, setting.before)) continue;
    const auto written = write_setting(setting.file, setting.before);
    if (!written) spdlog::error("interrupts are not back where they were: {}", written.error().text());
    all = all && written.has_value();
  }
  std::error_code none;
  if (all) std::filesystem::remove(note_, none);
}

std::optional<std::string> InterruptCore::overwritten() const {
  const auto other =
      std::ranges::find_if_not(settings_, [](const Setting& setting) { return says(setting.file, setting.during); });
  return other == settings_.end() ? std::nullopt : std::optional(other->file.string());
}

Result<unsigned> restore_interrupts(const path& root) {
  const auto note = note_of(root);
  std::error_code none;
  if (!std::filesystem::exists(note, none)) return 0U;
  const auto lock = FileLock::take(note, std::chrono::milliseconds{0});
  return lock ? restore_from(note, root) : 0U;
}

}  // namespace lw
