#include "tests/support/zero_copy_card.h"

#include "tests/support/stand_in_socket.h"

#include <linux/errqueue.h>
#include <netinet/in.h>

#include <cassert>
#include <cerrno>
#include <cstring>
#include <deque>
#include <utility>
#include <vector>

namespace lw::truth {

struct ZeroCopyCard::State {
  struct Notice {
    std::uint32_t first = 0, last = 0;
    bool copied = false;
  };
  Break on_break;
  std::uint32_t sends = 0;
  std::deque<Notice> notices;

  // The kernel extends the newest notice where it can.
  void complete(std::uint32_t number, bool copied) {
    if (!notices.empty() && notices.back().last + 1 == number && notices.back().copied == copied)
      notices.back().last = number;
    else
      notices.push_back({number, number, copied});
  }
};

ZeroCopyCard::ZeroCopyCard(Timeline& timeline, Break on_break)
    : timeline_(timeline), state_(std::make_shared<State>()) {
  state_->on_break = std::move(on_break);
}

std::uint64_t ZeroCopyCard::sends() const { return state_->sends; }

void ZeroCopyCard::take(const msghdr& message, Nanoseconds reads_after) {
  timeline_.at(timeline_.now().wall + reads_after,
               [card = std::weak_ptr(state_), number = state_->sends++, then = gathered(message),
                pieces = std::vector(message.msg_iov, message.msg_iov + message.msg_iovlen)]() mutable {
                 const auto state = card.lock();
                 if (!state) return;
                 msghdr unread{};
                 unread.msg_iov = pieces.data();
                 unread.msg_iovlen = pieces.size();
                 if (gathered(unread) != then) state->on_break("a packet changes before the card has read it");
                 state->complete(number, false);
               });
}

void ZeroCopyCard::copy() { state_->complete(state_->sends++, true); }

int ZeroCopyCard::give_notice(std::span<mmsghdr> messages) {
  if (state_->notices.empty()) {
    errno = EAGAIN;
    return -1;
  }
  const auto notice = state_->notices.front();
  state_->notices.pop_front();
  sock_extended_err contents{};
  contents.ee_origin = SO_EE_ORIGIN_ZEROCOPY;
  contents.ee_code = notice.copied ? SO_EE_CODE_ZEROCOPY_COPIED : 0;
  contents.ee_info = notice.first;
  contents.ee_data = notice.last;
  auto& header = messages.front().msg_hdr;
  assert(header.msg_controllen >= CMSG_SPACE(sizeof(contents)));
  auto* entry = CMSG_FIRSTHDR(&header);
  entry->cmsg_level = IPPROTO_IP;
  entry->cmsg_type = IP_RECVERR;
  entry->cmsg_len = CMSG_LEN(sizeof(contents));
  std::memcpy(CMSG_DATA(entry), &contents, sizeof(contents));
  header.msg_controllen = CMSG_SPACE(sizeof(contents));
  return 1;
}

}  // namespace lw::truth
