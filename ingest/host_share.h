// What an import may use of its host: threads, and memory for frames that are in work.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace lw {

struct HostShare {
  unsigned threads = 1;
  std::uint64_t frame_bytes = 0;  // for decoded frames, and as much for those that were fitted and split

  // How many items of `bytes` each: from 1 to `most`.
  [[nodiscard]] unsigned room_for(std::uint64_t bytes, unsigned most) const;
};

// `threads`: as many; none: two more than the CPUs that this process may use, so that each CPU has work while a thread
// waits. `root` contains proc/ and sys/.
HostShare share_of_host(std::optional<unsigned> threads, const std::filesystem::path& root = "/");

}  // namespace lw
