// The part of a list that fits into one answer.
#pragma once

#include "common/messages/rpc.h"
#include "server/control/reply_limits.h"

#include <cstddef>
#include <utility>

namespace lw {

class Page {
public:
  // Appends an entry, or returns false if the page is full. The first entry always fits.
  bool take(Json entry, Json& list) {
    const auto bytes = to_text(entry).size() + 1;
    if (!list.empty() && bytes_ + bytes > page_bytes) return false;
    bytes_ += bytes;
    list.push_back(std::move(entry));
    return true;
  }

private:
  std::size_t bytes_ = 0;
};

}  // namespace lw
