#include "probe/mpcdi/zip_archive.h"

#include "probe/mpcdi/id_text.h"

#include <fmt/format.h>
#include <minizip/unzip.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <set>
#include <utility>

namespace lw {
namespace {

constexpr const char* export_again = "export it again from the calibration program, or copy it again";
constexpr std::size_t entry_name_bytes_max = 255;

}  // namespace

// What minizip reads as a file.
struct ZipMemory {
  std::string_view bytes;
  std::uint64_t at = 0;
};

namespace {

ZipMemory& memory_of(void* stream) { return *static_cast<ZipMemory*>(stream); }

voidpf open_memory(voidpf opaque, const void* /*name*/, int /*mode*/) { return opaque; }

uLong read_memory(voidpf /*opaque*/, voidpf stream, void* to, uLong size) {
  auto& memory = memory_of(stream);
  const auto count = std::min<std::uint64_t>(size, memory.bytes.size() - memory.at);
  std::memcpy(to, memory.bytes.data() + memory.at, count);
  memory.at += count;
  return count;
}

uLong write_nothing(voidpf /*opaque*/, voidpf /*stream*/, const void* /*from*/, uLong /*size*/) { return 0; }

ZPOS64_T place_in_memory(voidpf /*opaque*/, voidpf stream) { return memory_of(stream).at; }

long seek_memory(voidpf /*opaque*/, voidpf stream, ZPOS64_T offset, int origin) {
  auto& memory = memory_of(stream);
  const std::uint64_t size = memory.bytes.size();
  const std::uint64_t base = origin == ZLIB_FILEFUNC_SEEK_CUR ? memory.at : origin == ZLIB_FILEFUNC_SEEK_END ? size : 0;
  if (offset > size - base) return -1;
  memory.at = base + offset;
  return 0;
}

int close_memory(voidpf /*opaque*/, voidpf /*stream*/) { return 0; }
int no_error(voidpf /*opaque*/, voidpf /*stream*/) { return 0; }

}  // namespace

class ZipArchive::State {
public:
  State(std::string_view bytes, const ZipLimits& limits) : limits_(limits), memory_{bytes}, zip_(open_zip(memory_)) {}
  ~State() {
    if (zip_ != nullptr) unzClose(zip_);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  Result<void> list() {
    unz_global_info64 info{};
    if (zip_ == nullptr || unzGetGlobalInfo64(zip_, &info) != UNZ_OK)
      return Error{"is not a ZIP archive", export_again};
    if (info.number_entry > limits_.entries)
      return Error{fmt::format("has {} entries, more than {}", info.number_entry, limits_.entries),
                   "remove what does not belong to the projectors"};
    std::set<std::string> seen;
    for (int found = unzGoToFirstFile(zip_); found != UNZ_END_OF_LIST_OF_FILE; found = unzGoToNextFile(zip_)) {
      const auto listed = found == UNZ_OK ? list_current(seen) : Result<void>(damaged());
      if (!listed) return listed.error();
    }
    return {};
  }

  Result<std::string> read(const std::string& name) {
    const auto entry = std::ranges::find(names_, name);
    if (entry == names_.end())
      return Error{fmt::format("has no entry {}", id_text(name)), "export it again with all files of its projectors"};
    const auto at = static_cast<std::size_t>(entry - names_.begin());
    const auto size = sizes_[at];
    if (size > limits_.entry_bytes)
      return Error{
          fmt::format("entry {} has {} MiB, more than {}", id_text(name), size >> 20U, limits_.entry_bytes >> 20U),
          "export it with fewer vertices or pixels"};
    if (size > limits_.total_bytes - std::min(limits_.total_bytes, read_bytes_))
      return Error{fmt::format("its entries have more than {} MiB", limits_.total_bytes >> 20U),
                   "export the projectors in several files"};
    read_bytes_ += size;
    return read_at(places_[at], name, size);
  }

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

private:
  static unzFile open_zip(ZipMemory& memory) {
    zlib_filefunc64_def functions{open_memory, read_memory,  write_nothing, place_in_memory,
                                  seek_memory, close_memory, no_error,      &memory};
    return unzOpen2_64("", &functions);
  }
  static Error damaged() { return {"is a damaged ZIP archive", export_again}; }

  Result<void> list_current(std::set<std::string>& seen) {
    unz_file_info64 info{};
    std::array<char, entry_name_bytes_max + 1> name{};
    unz64_file_pos place{};
    if (unzGetCurrentFileInfo64(zip_, &info, name.data(), name.size(), nullptr, 0, nullptr, 0) != UNZ_OK ||
        unzGetFilePos64(zip_, &place) != UNZ_OK)
      return damaged();
    if (info.size_filename == 0 || info.size_filename > entry_name_bytes_max || names_.size() == limits_.entries)
      return damaged();
    std::string text(name.data(), info.size_filename);
    if (text.back() == '/') return {};
    if (text.find('\0') != std::string::npos) return damaged();
    constexpr uLong encrypted = 1;
    if ((info.flag & encrypted) != 0)
      return Error{fmt::format("entry {} is encrypted", id_text(text)), "export it without a password"};
    if (info.compression_method != 0 && info.compression_method != Z_DEFLATED)
      return Error{fmt::format("entry {} is compressed by method {}", id_text(text), info.compression_method),
                   "pack it again with deflate, as zip does"};
    if (!seen.insert(text).second) return Error{fmt::format("has two entries {}", id_text(text)), "remove one of them"};
    names_.push_back(std::move(text));
    sizes_.push_back(info.uncompressed_size);
    places_.push_back(place);
    return {};
  }

  Result<std::string> read_at(const unz64_file_pos& place, const std::string& name, std::uint64_t size) {
    const Error wrong{fmt::format("entry {} is damaged", id_text(name)), export_again};
    if (unzGoToFilePos64(zip_, &place) != UNZ_OK || unzOpenCurrentFile(zip_) != UNZ_OK) return wrong;
    std::string bytes;
    constexpr std::size_t step_bytes = std::size_t{1}
                                       << 20U;  // memory grows with what is there, not with what is stated
    bool good = true;
    while (good && bytes.size() < size) {
      const auto before = bytes.size();
      bytes.resize(before + std::min<std::uint64_t>(step_bytes, size - before));
      const int count = unzReadCurrentFile(zip_, bytes.data() + before, static_cast<unsigned>(bytes.size() - before));
      good = count > 0;
      bytes.resize(before + static_cast<std::size_t>(std::max(count, 0)));
    }
    // It also compares the checksum, once all bytes were read.
    if (unzCloseCurrentFile(zip_) != UNZ_OK || !good) return wrong;
    return text_result(std::move(bytes));
  }

  ZipLimits limits_;
  ZipMemory memory_;
  unzFile zip_;  // null: not an archive
  std::vector<std::string> names_;
  std::vector<std::uint64_t> sizes_;  // as the archive says
  std::vector<unz64_file_pos> places_;
  std::uint64_t read_bytes_ = 0;
};

ZipArchive::ZipArchive(std::unique_ptr<State> state) : state_(std::move(state)) {}
ZipArchive::ZipArchive(ZipArchive&&) noexcept = default;
ZipArchive& ZipArchive::operator=(ZipArchive&&) noexcept = default;
ZipArchive::~ZipArchive() = default;

Result<ZipArchive> ZipArchive::open(std::string_view bytes, const ZipLimits& limits) {
  auto state = std::make_unique<State>(bytes, limits);
  if (auto listed = state->list(); !listed) return listed.error();
  return ZipArchive(std::move(state));
}

const std::vector<std::string>& ZipArchive::names() const { return state_->names(); }

bool ZipArchive::has(std::string_view name) const { return std::ranges::find(names(), name) != names().end(); }

Result<std::string> ZipArchive::read(const std::string& name) { return state_->read(name); }

}  // namespace lw
