// Another program that runs for this one, and whose output is read without waiting: the caller steps it. Its output
// goes into pipes; it gets no other file of this process, and the lowest CPU priority. Any one thread.
#pragma once

#include "common/base/descriptor.h"
#include "common/base/result.h"

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

class ChildProgram {
public:
  // A line without its end; longer lines are cut at the limit of start().
  static constexpr std::size_t line_bytes_usual = 4096;
  using TakeLine = std::function<void(std::string_view)>;

  // `arguments`: those after the program's name.
  static Result<ChildProgram> start(const std::string& program, const std::vector<std::string>& arguments,
                                    std::size_t line_bytes_max = line_bytes_usual);
  ChildProgram(ChildProgram&& other) noexcept;
  ChildProgram& operator=(ChildProgram&&) = delete;
  // Asks it to end, and after a while ends it.
  ~ChildProgram();

  // Reads a bounded amount of what it has written. Returns its exit status (as of waitpid) once it has ended and all is
  // read.
  std::optional<int> step(const TakeLine& output, const TakeLine& error);
  void ask_to_end() const;  // SIGTERM
  void end_now() const;     // SIGKILL

private:
  struct Stream {
    Descriptor pipe;
    std::string line;  // the beginning of the next one
    bool ended = false;

    void read(const TakeLine& take, std::size_t line_bytes_max);
  };
  ChildProgram(pid_t child, Descriptor output, Descriptor error, std::size_t line_bytes_max);
  bool look();

  pid_t child_ = -1;  // -1: it has ended, and its number may be another program's
  int status_ = 0;
  Stream output_;
  Stream error_;
  std::size_t line_bytes_max_;
};

// Where a program of this name is: beside the running one, else in the PATH. Empty: nowhere.
std::string find_program(const std::string& name);

}  // namespace lw
