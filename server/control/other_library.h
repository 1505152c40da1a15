// What the library of another server has, as that server has said: read again, page by page, whenever its reports name
// another revision. Control thread only.
#pragma once

#include "common/base/moment.h"
#include "common/messages/requests.h"
#include "common/messages/rpc.h"
#include "common/messages/server_library.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

class OtherLibrary {
public:
  static constexpr std::size_t entries_max = 10'000;

  // The revision in its newest report.
  void hear(std::uint64_t revision) { told_ = revision; }
  // What to ask for now, if anything.
  std::optional<PageRequest> take_question(LocalTime now);
  // Whether the list is complete, and other than before.
  bool take_answer(const RpcResponse& answer, LocalTime now);

  [[nodiscard]] bool known() const { return revision_ > 0; }
  // False: it has more than entries_max, and those that come last by name are not known.
  [[nodiscard]] bool complete() const { return complete_; }
  // Sorted by name.
  [[nodiscard]] const std::vector<ServerVisualization>& entries() const { return entries_; }
  [[nodiscard]] const ServerVisualization* find(std::string_view name) const;

private:
  [[nodiscard]] bool continues(const ServerLibraryReply& reply) const;

  std::uint64_t told_ = 0;
  std::uint64_t revision_ = 0;  // of the list
  bool complete_ = true;
  std::vector<ServerVisualization> entries_;
  std::uint64_t coming_revision_ = 0;
  std::vector<ServerVisualization> coming_;  // the pages so far
  bool asks_ = false;
  LocalTime next_ask_{};
};

}  // namespace lw
