#include "common/host/child_program.h"

#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

namespace lw {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds ends_within{2000};  // when it is asked to
constexpr std::size_t reads_max = 16;                   // in a step

struct Pipe {
  Descriptor read;
  Descriptor write;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return Error{std::string("cannot make a pipe: ") + std::strerror(errno), "allow more open files (LimitNOFILE)"};
  Pipe made{Descriptor(ends[0]), Descriptor(ends[1])};
  ::fcntl(made.read.get(), F_SETFL, O_NONBLOCK);
  return made;
}

class Attributes {
public:
  Attributes() {
    posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigset_t usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD}) sigaddset(&usual, number);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &usual);
    // Flows and playback come first.
    const sched_param idle{};
    posix_spawnattr_setschedpolicy(&attributes_, SCHED_IDLE);
    posix_spawnattr_setschedparam(&attributes_, &idle);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSCHEDULER);
  }
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

private:
  posix_spawnattr_t attributes_{};
};

class FileActions {
public:
  FileActions(int output, int error) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, error, STDERR_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
  }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
  posix_spawn_file_actions_t actions_{};
};

}  // namespace

Result<ChildProgram> ChildProgram::start(const std::string& program, const std::vector<std::string>& arguments,
                                         std::size_t line_bytes_max) {
  auto output = make_pipe();
  if (!output) return output.error();
  auto error = make_pipe();
  if (!error) return error.error();
  auto texts = arguments;
  texts.insert(texts.begin(), program);
  std::vector<char*> pointers;
  for (auto& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  const FileActions files(output->write.get(), error->write.get());
  const Attributes attributes;
  pid_t child = -1;
  const int failed = ::posix_spawn(&child, program.c_str(), files.get(), attributes.get(), pointers.data(), environ);
  if (failed != 0)
    return Error{"cannot start " + program + ": " + std::strerror(failed), "check that it is installed and executable"};
  return ChildProgram(child, std::move(output->read), std::move(error->read), line_bytes_max);
}

ChildProgram::ChildProgram(pid_t child, Descriptor output, Descriptor error, std::size_t line_bytes_max)
    : child_(child), output_{std::move(output), {}}, error_{std::move(error), {}}, line_bytes_max_(line_bytes_max) {}

ChildProgram::ChildProgram(ChildProgram&& other) noexcept
    : child_(std::exchange(other.child_, -1)),
      status_(other.status_),
      output_(std::move(other.output_)),
      error_(std::move(other.error_)),
      line_bytes_max_(other.line_bytes_max_) {}

ChildProgram::~ChildProgram() {
  ask_to_end();
  constexpr std::chrono::milliseconds pause{10};
  for (auto waited = std::chrono::milliseconds{0}; !look() && waited < ends_within; waited += pause)
    std::this_thread::sleep_for(pause);
  end_now();
  if (child_ > 0) ::waitpid(child_, nullptr, 0);
}

void ChildProgram::ask_to_end() const {
  if (child_ > 0) ::kill(child_, SIGTERM);
}

void ChildProgram::end_now() const {
  if (child_ > 0) ::kill(child_, SIGKILL);
}

// Whether it has ended.
bool ChildProgram::look() {
  if (child_ <= 0) return true;
  int status = 0;
  const auto ended = ::waitpid(child_, &status, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return false;
  status_ = ended > 0 ? status : 0xff00;  // 255, if another reaped it
  child_ = -1;
  return true;
}

// A program that it started may hold the pipes open: its end counts.
std::optional<int> ChildProgram::step(const TakeLine& output, const TakeLine& error) {
  const bool ended = look();
  output_.read(output, line_bytes_max_);
  error_.read(error, line_bytes_max_);
  return ended ? std::optional(status_) : std::nullopt;
}

void ChildProgram::Stream::read(const TakeLine& take, std::size_t line_bytes_max) {
  std::array<char, 4096> bytes{};
  for (std::size_t i = 0; i < reads_max && !ended; ++i) {
    const auto count = ::read(pipe.get(), bytes.data(), bytes.size());
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    ended = count <= 0;
    if (ended && !line.empty()) line += '\n';
    line.append(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    std::size_t from = 0;
    for (auto end = line.find('\n'); end != std::string::npos; end = line.find('\n', from)) {
      take(std::string_view(line).substr(from, std::min(end - from, line_bytes_max)));
      from = end + 1;
    }
    line.erase(0, from);
    if (line.size() > line_bytes_max) line.resize(line_bytes_max);
  }
}

std::string find_program(const std::string& name) {
  std::error_code error;
  const auto is_program = [&](const fs::path& file) {
    return fs::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0;
  };
  if (const auto self = fs::read_symlink("/proc/self/exe", error); !error && is_program(self.parent_path() / name))
    return self.parent_path() / name;
  const char* path = std::getenv("PATH");
  std::string_view folders = path == nullptr ? std::string_view("/usr/local/bin:/usr/bin:/bin") : path;
  while (!folders.empty()) {
    const auto end = std::min(folders.find(':'), folders.size());
    const fs::path folder = folders.substr(0, end);
    if (folder.is_absolute() && is_program(folder / name)) return folder / name;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return {};
}

}  // namespace lw
