#include "server/read/open_store.h"

#include "common/store/npy_header.h"
#include "common/store/stripe_layout.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace lw {

Result<std::shared_ptr<const OpenStore>> OpenStore::open(const std::filesystem::path& folder) {
  auto manifest = load_store(folder);
  if (!manifest) return manifest.error();
  std::shared_ptr<OpenStore> store(new OpenStore);
  store->manifest_ = std::move(*manifest);
  const Manifest& m = store->manifest_;
  store->frame_bytes_ = StripeLayout(m).frame_bytes();
  store->stripes_ = static_cast<unsigned>(m.stripes.size());
  const unsigned tiles = m.geometry.columns * m.geometry.rows;

  for (unsigned stripe = 0; stripe < store->stripes_; ++stripe) {
    for (unsigned tile = 0; tile < tiles; ++tile) {
      File& file = store->files_.emplace_back();
      file.path = stripe_file(folder, m, stripe, {tile % m.geometry.columns, tile / m.geometry.columns});
      file.fd = ::open(file.path.c_str(), O_RDONLY | O_CLOEXEC);
      if (file.fd < 0) {
        if (StripeLayout(m).records_in(stripe, tile) == 0) continue;  // fewer frames than stripes: nothing will be read
        return Error{"cannot read " + file.path.string() + ": " + std::strerror(errno), "check the file's permissions"};
      }
      alignas(store_alignment) std::array<std::byte, store_alignment> head;
      const auto got = pread(file.fd, head.data(), head.size(), 0);
      if (got < 0) return Error{"cannot read " + file.path.string() + ": " + std::strerror(errno), "check its disk"};
      const auto npy = parse_npy_header({head.data(), static_cast<std::size_t>(got)});
      if (!npy) return Error(npy.error()).in(file.path.string());
      file.header_bytes = npy->header_bytes;
      file.record_bytes = store->frame_bytes_ + npy->shape.padding;
      const bool aligned = file.header_bytes % store_alignment == 0 && file.record_bytes % store_alignment == 0;
      const int direct = aligned ? ::open(file.path.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECT) : -1;
      // Some filesystems let the open pass and refuse the read.
      if (direct >= 0 && pread(direct, head.data(), head.size(), 0) == static_cast<ssize_t>(head.size())) {
        close(file.fd);
        file.fd = direct;
        file.direct = true;
      } else {
        if (direct >= 0) close(direct);
        store->direct_ = false;
      }
    }
  }
  for (const auto& file : store->files_) store->descriptors_.push_back(file.fd);
  return std::shared_ptr<const OpenStore>(std::move(store));
}

OpenStore::~OpenStore() {
  for (const auto& file : files_)
    if (file.fd >= 0) close(file.fd);
}

// Frame f of tile t lies in stripe (f + t) mod D: see common/store/stripe_layout.h.
std::size_t OpenStore::index_of(std::uint32_t frame, unsigned tile_index) const {
  const unsigned tiles = manifest_.geometry.columns * manifest_.geometry.rows;
  return std::size_t{(frame + tile_index) % stripes_} * tiles + tile_index;
}

FrameExtent OpenStore::locate(std::uint32_t frame, unsigned tile_index) const {
  const auto index = index_of(frame, tile_index);
  const File& from = files_[index];
  const std::size_t asked =
      from.direct ? (frame_bytes_ + store_alignment - 1) / store_alignment * store_alignment : frame_bytes_;
  FrameExtent extent;
  extent.fd = from.fd;
  extent.file = static_cast<unsigned>(index);
  extent.stripe = (frame + tile_index) % stripes_;
  extent.offset = from.header_bytes + std::uint64_t{frame / stripes_} * from.record_bytes;
  extent.bytes = asked;
  extent.needed = frame_bytes_;
  return extent;
}

const std::filesystem::path& OpenStore::file_of(std::uint32_t frame, unsigned tile_index) const {
  return files_[index_of(frame, tile_index)].path;
}

}  // namespace lw
