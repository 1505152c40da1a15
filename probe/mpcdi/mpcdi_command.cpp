#include "probe/mpcdi/mpcdi_command.h"

#include "common/base/cannot_write.h"
#include "common/base/counted.h"
#include "common/base/descriptor.h"
#include "common/base/print.h"
#include "common/base/read_file.h"
#include "common/base/write_all.h"
#include "common/command_line/command_line.h"
#include "probe/mpcdi/mpcdi_import.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace lw {
namespace {

namespace fs = std::filesystem;

struct CommandOptions {
  std::string file, output, values = "region";
  unsigned wall_width = 0;  // 0: as the file says
  unsigned per_node = projectors_per_node_max;
};

// A new folder's files. They are removed again unless all were written.
class OutputFolder {
public:
  static Result<OutputFolder> create(const fs::path& path) {
    std::error_code failed;
    const bool made = fs::create_directory(path, failed);
    if (failed)
      return Error{fmt::format("cannot create {}: {}", path.string(), failed.message()),
                   "name a folder in a folder that exists"};
    if (!made && !fs::is_empty(path, failed))
      return Error{fmt::format("{} is not empty", path.string()), "remove it, or name another folder"};
    return OutputFolder(path, made);
  }
  ~OutputFolder() {
    std::error_code ignored;
    for (const auto& file : files_) fs::remove(file, ignored);
    if (made_) fs::remove(path_, ignored);
  }
  OutputFolder(OutputFolder&& other) noexcept
      : path_(std::move(other.path_)),
        made_(std::exchange(other.made_, false)),
        files_(std::exchange(other.files_, {})) {}
  OutputFolder& operator=(OutputFolder&&) = delete;

  Result<void> write(const std::string& name, const std::string& bytes) {
    const auto file = path_ / name;
    constexpr int mode = 0644;
    const Descriptor open(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (!open) return cannot_write(file);
    files_.push_back(file);
    errno = write_all(open.get(), std::as_bytes(std::span(bytes)));
    if (errno != 0) return cannot_write(file);
    return {};
  }
  void keep() {
    files_.clear();
    made_ = false;
  }

private:
  OutputFolder(fs::path path, bool made) : path_(std::move(path)), made_(made) {}
  fs::path path_;
  bool made_ = false;
  std::vector<fs::path> files_;
};

Result<int> import_file(const CommandOptions& options) {
  constexpr std::size_t bytes_max = std::size_t{1} << 30U;
  const auto bytes = read_file(options.file, bytes_max, "name an MPCDI file");
  if (!bytes) return bytes.error();
  auto folder = OutputFolder::create(options.output);
  if (!folder) return folder.error();
  MpcdiOptions import;
  if (options.wall_width > 0) import.wall_width = options.wall_width;
  import.per_node = options.per_node;
  import.values = options.values == "buffer" ? WarpValues::of_buffer : WarpValues::of_region;
  const auto made =
      import_mpcdi(*bytes, fs::path(options.file).stem().string(), import,
                   [&](const std::string& name, const std::string& content) { return folder->write(name, content); });
  if (!made) return Error(made.error()).in(options.file);
  folder->keep();
  print_out("{}: {} in {} of MPCDI {}, a wall of {} x {} pixels\n", (fs::path(options.output) / "wall.toml").string(),
            counted(made->projectors, "projector"), counted(made->buffers, "buffer"), made->version, made->width,
            made->height);
  for (const auto& note : made->notes) print_out("  {}\n", note);
  print_out("Edit the frame rate, the addresses and the monitors in wall.toml.\n");
  return 0;
}

}  // namespace

Command mpcdi_command(CLI::App& program) {
  auto options = std::make_shared<CommandOptions>();
  auto* app = program.add_subcommand("mpcdi", "Turn calibrated projectors (MPCDI, profile 2d) into a wall file");
  begin_group(*app, "Wall");
  app->add_option("FILE", options->file, "The calibration: an MPCDI 1.0 or 2.0 file")->required();
  app->add_option("--output", options->output, "New folder for wall.toml, warps and maps")
      ->required()
      ->option_text("FOLDER");
  app->add_option("--wall-width", options->wall_width,
                  "Width of the wall in pixels (default: as the buffers say, or the densest projector needs)")
      ->check(whole_between(2, 65'534));
  app->add_option("--per-node", options->per_node, "Most projectors of a node (default: 16)")
      ->check(whole_between(1, projectors_per_node_max));
  app->add_option("--warp-values", options->values,
                  "What warps count: fractions of their region, as the standard says, or of the buffer")
      ->check(one_of({"region", "buffer"}));
  begin_group(*app, general_options);
  set_examples(*app, {{"the projectors of a calibration, two on each node",
                       "wall-probe mpcdi dome.mpcdi --output dome --per-node 2"}});
  return {app, [options](const std::atomic<bool>&) { return import_file(*options); }};
}

}  // namespace lw
