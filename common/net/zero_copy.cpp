#include "common/net/zero_copy.h"

#include <linux/errqueue.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstring>

namespace lw {

bool ZeroCopy::allow() {
  const int on = 1;
  return port_.set(SOL_SOCKET, SO_ZEROCOPY, &on, sizeof(on));
}

bool ZeroCopy::may_send() { return sent_ - done_ < outstanding_max || sent_ - done() < outstanding_max; }

std::uint64_t ZeroCopy::done() {
  while (done_ < sent_ && take_notice()) {
  }
  return done_;
}

// A notice covers a range of sends, which the kernel numbers from 0 with 32 bits.
bool ZeroCopy::take_notice() {
  alignas(cmsghdr) std::array<std::byte, 256> control;
  mmsghdr received{};
  msghdr& message = received.msg_hdr;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  if (port_.receive({&received, 1}, MSG_ERRQUEUE | MSG_DONTWAIT) < 1) return false;
  for (cmsghdr* entry = CMSG_FIRSTHDR(&message); entry != nullptr; entry = CMSG_NXTHDR(&message, entry)) {
    const bool v4 = entry->cmsg_level == IPPROTO_IP && entry->cmsg_type == IP_RECVERR;
    const bool v6 = entry->cmsg_level == IPPROTO_IPV6 && entry->cmsg_type == IPV6_RECVERR;
    if (!v4 && !v6) continue;
    sock_extended_err notice{};
    std::memcpy(&notice, CMSG_DATA(entry), sizeof(notice));
    if (notice.ee_origin != SO_EE_ORIGIN_ZEROCOPY) continue;
    if ((notice.ee_code & SO_EE_CODE_ZEROCOPY_COPIED) != 0) copied_ += notice.ee_data - notice.ee_info + 1;
    mark(notice.ee_info, notice.ee_data);
  }
  return true;
}

void ZeroCopy::mark(std::uint32_t first, std::uint32_t last) {
  if (last - first >= outstanding_max) return;  // not ours: fewer are ever in flight
  for (std::uint32_t number = first; number != last + 1; ++number) ahead_.set(number % outstanding_max);
  for (; done_ < sent_ && ahead_.test(done_ % outstanding_max); ++done_) ahead_.reset(done_ % outstanding_max);
}

}  // namespace lw
