#include "common/store/stripe_folder.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace lw {
namespace {

namespace fs = std::filesystem;
constexpr const char* look_at_disk = "check that its disk is mounted and readable, or ingest again";

// The path of an open folder, without links.
Result<fs::path> path_of(int folder) {
  std::error_code error;
  auto path = fs::read_symlink(fmt::format("/proc/self/fd/{}", folder), error);
  if (error) return Error{"cannot find the path of a folder: " + error.message(), "mount /proc"};
  return Result<fs::path>(boost::system::in_place_value, std::move(path));
}

// `path` relative to `root`, if it is beneath it; both without links or "..".
std::optional<fs::path> relative_in(const fs::path& root, const fs::path& path) {
  const auto [in_root, in_path] = std::ranges::mismatch(root, path);
  if (in_root != root.end() && !in_root->empty()) return std::nullopt;
  fs::path rest;
  for (auto part = in_path; part != path.end(); ++part)
    if (!part->empty()) rest /= *part;
  return rest.empty() ? fs::path(".") : rest;
}

std::optional<Result<Descriptor>> open_in_roots(const fs::path& path, const StripeRoots& roots) {
  for (const auto* list : {&roots.content, &roots.stripes})
    for (const auto& root : *list) {
      const auto folder = open_folder(root, look_at_disk);
      if (!folder) continue;
      const auto real = path_of(folder->get());
      if (!real) continue;
      // A manifest may name the root as the operator does, through a link, or by its real path.
      for (const auto& named : {*real, fs::absolute(root).lexically_normal()})
        if (const auto rest = relative_in(named, path))
          return Beneath{folder->get(), *real, look_at_disk}.open_folder(*rest);
    }
  return std::nullopt;
}

// Opens a folder that is neither beneath the store nor beneath a root.
Result<Descriptor> open_elsewhere(const fs::path& path, const Manifest& manifest, const StripeRoots& roots) {
  if (manifest.id.empty() && !roots.stripes.empty())
    return Error{path.string() + " is outside of the content directories and of --stripes, and the store has no id",
                 "add its directory to --stripes, or ingest the visualization again"};
  // With an id the folder proves itself. Without one, a link is not trusted to lead to the store's stripes.
  const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (manifest.id.empty() ? O_NOFOLLOW : 0);
  const int fd = ::open(path.c_str(), flags);
  if (fd < 0) {
    std::error_code none;
    return Error{fmt::format("cannot read {}: {}", path.string(),
                             fs::is_symlink(path, none) && manifest.id.empty()
                                 ? "it is a link, and links in a store are not followed"
                                 : std::generic_category().message(errno)),
                 look_at_disk};
  }
  return Descriptor(fd);
}

struct Place {
  fs::path path;
  std::optional<fs::path> inside;  // relative to the store, if it is beneath it
};

Result<Place> place_of(const Beneath& store, const fs::path& named) {
  if (!named.is_absolute() && std::ranges::find(named, fs::path("..")) == named.end())
    return Place{(store.shown / named).lexically_normal(), named};
  const auto home = path_of(store.folder);
  if (!home) return home.error();
  auto path = (*home / named).lexically_normal();
  if (path.filename().empty()) path = path.parent_path();
  auto inside = relative_in(*home, path);
  return Place{std::move(path), std::move(inside)};
}

}  // namespace

Result<StripeFolder> open_stripe_folder(const Beneath& store, const Manifest& manifest, unsigned stripe,
                                        const StripeRoots& roots) {
  const auto place = place_of(store, manifest.stripes[stripe]);
  if (!place) return place.error();
  StripeFolder result;
  result.path = place->path;
  result.inside = place->inside.has_value();
  auto in_roots = place->inside ? std::optional(store.open_folder(*place->inside)) : open_in_roots(result.path, roots);
  const bool believed = in_roots.has_value();
  auto opened = believed ? std::move(*in_roots) : open_elsewhere(result.path, manifest, roots);
  if (!opened) return opened.error();
  result.folder = std::move(*opened);
  auto mark = read_stripe_mark({result.folder.get(), result.path, look_at_disk});
  if (!mark) return mark.error();
  result.mark = std::move(*mark);
  const auto& id = manifest.id;
  const bool compared = result.mark && !(id.empty() && believed);
  if (compared && (result.mark->store != id || result.mark->stripe != stripe))
    return Error{result.path.string() + " has the stripes of another store, or another stripe of this one",
                 "correct the stripes in the manifest, or ingest the visualization again"};
  if (!believed && !id.empty() && !result.mark)
    return Error{fmt::format("{} is outside of the content directories, and has no {} that says whose stripes it has",
                             result.path.string(), stripe_mark_name),
                 "name its directory with --stripes, or ingest the visualization again"};
  return result;
}

}  // namespace lw
