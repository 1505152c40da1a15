#include "common/host/cpu_state.h"

#include "common/base/whole_number.h"
#include "common/host/nic_queues.h"
#include "common/host/sysfs.h"

namespace lw {

CpuState read_cpu_state(const std::filesystem::path& root) {
  CpuState state;
  const auto cpus = root / "sys/devices/system/cpu";
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(cpus, problem)) {
    const auto name = entry.path().filename().string();
    const auto cpu = name.starts_with("cpu") ? whole_number<unsigned>(std::string_view(name).substr(3)) : std::nullopt;
    if (!cpu) continue;
    if (auto governor = read_line(entry.path() / "cpufreq/scaling_governor")) state.governors[*cpu] = *governor;
  }
  state.isolated = parse_cpu_list(read_line(cpus / "isolated").value_or(""));
  for (const auto& entry : std::filesystem::directory_iterator(root / "proc", problem))
    if (whole_number<unsigned>(entry.path().filename().string()) && read_line(entry.path() / "comm") == "irqbalance")
      state.irqbalance = true;
  return state;
}

}  // namespace lw
