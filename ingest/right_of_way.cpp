#include "ingest/right_of_way.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <map>
#include <thread>

#include "ingest/disk.h"

namespace lw {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds look_interval{250};
constexpr std::chrono::milliseconds sleep_max{100};  // so that signals and changes are noticed

struct Unit {
  std::string_view text;
  double bytes;
};
constexpr std::array<Unit, 4> units{{{"kB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}, {"B/s", 1}}};

// Applies to all existing threads, and to the threads that they start. Not SCHED_IDLE: beside spinning threads of the
// wall, the import would never end.
void yield_cpu_and_disk() {
  constexpr int nicer = 10;
  constexpr int nicest = 19;
  constexpr int io_best_effort_last = (2 << 13) | 7;  // the idle class may have to wait for ten seconds
  constexpr int who_process = 1;
  std::error_code error;
  for (fs::directory_iterator task("/proc/self/task", error), end; !error && task != end; task.increment(error)) {
    const auto id = static_cast<pid_t>(std::strtol(task->path().filename().c_str(), nullptr, 10));
    const sched_param parameters{};
    sched_setscheduler(id, SCHED_BATCH, &parameters);
    const int now = getpriority(PRIO_PROCESS, static_cast<id_t>(id));
    setpriority(PRIO_PROCESS, static_cast<id_t>(id), std::min(now + nicer, nicest));
    syscall(SYS_ioprio_set, who_process, id, io_best_effort_last);
  }
}

std::string rate_text(double bytes_per_second) {
  return disk::size_text(static_cast<std::uint64_t>(bytes_per_second)) + "/s";
}

}  // namespace

bool is_write_rate(const std::string& text) { return text == "max" || text.ends_with("B/s"); }

Result<WriteRate> parse_write_rate(const std::string& text) {
  if (text == "max") return WriteRate{{}, true};
  const auto unit = std::ranges::find_if(units, [&](const Unit& known) { return text.ends_with(known.text); });
  double number = 0;
  if (unit != units.end()) {
    const auto* number_end = text.data() + text.size() - unit->text.size();
    const auto [end, error] = std::from_chars(text.data(), number_end, number);
    if (error != std::errc{} || end != number_end) number = 0;
  }
  const double bytes = unit == units.end() ? 0 : number * unit->bytes;
  if (!(bytes >= 1e3 && bytes <= 1e15))
    return Error{"'" + text + "' is not a write rate", "write one like 200MB/s or 1.5GB/s, or max"};
  return WriteRate{bytes, false};
}

RightOfWay::Ports RightOfWay::real(std::function<void(const std::string&)> tell) {
  return {[] { return LocalTime(LocalClock::now()); }, [](Nanoseconds time) { std::this_thread::sleep_for(time); },
          playing_from, yield_cpu_and_disk, std::move(tell)};
}

RightOfWay::RightOfWay(std::vector<fs::path> directories, WriteRate rate, const std::atomic<bool>& stop, Ports ports)
    : directories_(std::move(directories)), rate_(rate), stop_(stop), ports_(std::move(ports)) {
  limit_.set(rate_.bytes_per_second, ports_.now());
}

// Rates of servers on one disk are added up. All disks get the same share, so the busiest disk counts.
std::optional<Playing> RightOfWay::see() const {
  Playing all{0, 0, true};
  std::map<dev_t, std::uint64_t> disks;
  for (const auto& directory : directories_) {
    const auto playing = ports_.look(directory);
    if (!playing) continue;
    struct stat status {};
    stat(directory.c_str(), &status);
    auto& bytes = disks[status.st_dev];
    bytes += std::min(playing->bytes_per_second, UINT64_MAX - bytes);
    all.bytes_per_second = std::max(all.bytes_per_second, bytes);
    all.servers = std::max(all.servers, playing->servers);
    all.complete = all.complete && playing->complete;
  }
  return all.servers > 0 ? std::optional(all) : std::nullopt;
}

void RightOfWay::look(LocalTime now) {
  if (rate_.unlimited || now < look_due_) return;
  look_due_ = now + look_interval;
  const bool was = gives_way();
  playing_ = see();
  if (playing_ && !yielded_) ports_.yield_cpu();
  yielded_ = yielded_ || playing_;
  if (!rate_.bytes_per_second)
    limit_.set(playing_ ? std::optional(gentle_rate(speed_.bytes_per_second(), *playing_)) : std::nullopt, now);
  if (was != gives_way()) tell_change(was);
}

void RightOfWay::tell_change(bool was) const {
  if (was)
    return ports_.tell("no server plays from there any more; writing " +
                       (limit() ? "at most " + rate_text(*limit()) : "as fast as possible"));
  const auto reads =
      playing_->complete ? " and reads " + rate_text(static_cast<double>(playing_->bytes_per_second)) : "";
  const auto later = rate_.bytes_per_second ? "" : ", and more once the speed of the disk is known";
  ports_.tell(fmt::format("a server plays from there{}; writing at most {}{}; --rate changes this", reads,
                          rate_text(*limit()), later));
}

void RightOfWay::before(std::uint64_t bytes) {
  auto now = ports_.now();
  look(now);
  for (auto left = limit_.wait(now); left > Nanoseconds{0} && !stop_; left = limit_.wait(now)) {
    ports_.sleep(std::min<Nanoseconds>(left, sleep_max));
    now = ports_.now();
    look(now);
  }
  limit_.passed(bytes, now);
}

void RightOfWay::after(std::uint64_t bytes, Nanoseconds took) { speed_.wrote(bytes, took, ports_.now()); }

}  // namespace lw
