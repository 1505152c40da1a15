#include "common/host/qdisc.h"

#include <linux/netlink.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

namespace lw {
namespace {

struct Qdisc {
  unsigned interface = 0;
  std::uint32_t handle = 0;
  std::uint32_t parent = 0;
  std::string kind;
};

class Netlink {
public:
  Netlink() : fd_(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE)) {}
  ~Netlink() {
    if (fd_ >= 0) close(fd_);
  }
  Netlink(const Netlink&) = delete;
  Netlink& operator=(const Netlink&) = delete;

  [[nodiscard]] bool ask() const {
    struct {
      nlmsghdr header;
      tcmsg body;
    } request{};
    request.header.nlmsg_len = sizeof(request);
    request.header.nlmsg_type = RTM_GETQDISC;
    request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    request.body.tcm_family = AF_UNSPEC;
    return fd_ >= 0 && send(fd_, &request, sizeof(request), 0) == sizeof(request);
  }
  // Size of the next part of the answer; 0 at its end.
  [[nodiscard]] std::size_t receive(std::span<std::byte> buffer) const {
    const auto bytes = recv(fd_, buffer.data(), buffer.size(), 0);
    return bytes < 0 ? 0 : static_cast<std::size_t>(bytes);
  }

private:
  int fd_;
};

// The kernel aligns what its macros step over.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wcast-align"

std::optional<Qdisc> read_qdisc(const nlmsghdr& message) {
  if (message.nlmsg_type != RTM_NEWQDISC || message.nlmsg_len < NLMSG_LENGTH(sizeof(tcmsg))) return {};
  const auto* body = static_cast<const tcmsg*>(NLMSG_DATA(&message));
  Qdisc qdisc{static_cast<unsigned>(body->tcm_ifindex), body->tcm_handle, body->tcm_parent, {}};
  auto room = static_cast<int>(message.nlmsg_len - NLMSG_LENGTH(sizeof(tcmsg)));
  const auto* attribute =
      reinterpret_cast<const rtattr*>(reinterpret_cast<const std::byte*>(body) + NLMSG_ALIGN(sizeof(tcmsg)));
  for (; RTA_OK(attribute, room); attribute = RTA_NEXT(attribute, room))
    if (attribute->rta_type == TCA_KIND) qdisc.kind = static_cast<const char*>(RTA_DATA(attribute));
  return qdisc;
}

std::vector<Qdisc> all_qdiscs() {
  std::vector<Qdisc> qdiscs;
  const Netlink netlink;
  if (!netlink.ask()) return qdiscs;
  alignas(nlmsghdr) std::array<std::byte, 32'768> buffer{};
  while (const auto bytes = netlink.receive(buffer)) {
    auto room = static_cast<unsigned>(bytes);
    const auto* message = reinterpret_cast<const nlmsghdr*>(buffer.data());
    for (; NLMSG_OK(message, room); message = NLMSG_NEXT(message, room)) {
      if (message->nlmsg_type == NLMSG_DONE || message->nlmsg_type == NLMSG_ERROR) return qdiscs;
      if (auto qdisc = read_qdisc(*message)) qdiscs.push_back(std::move(*qdisc));
    }
  }
  return qdiscs;
}

#pragma GCC diagnostic pop

}  // namespace

InterfaceQdiscs interface_qdiscs() {
  InterfaceQdiscs kinds;
  const auto qdiscs = all_qdiscs();
  for (const auto& root : qdiscs) {
    if (root.parent != TC_H_ROOT) continue;
    std::array<char, IF_NAMESIZE> name{};
    if (if_indextoname(root.interface, name.data()) == nullptr) continue;
    auto& kind = kinds[name.data()];
    kind = root.kind;
    if (const auto etf = std::ranges::find_if(
            qdiscs, [&](const Qdisc& below) { return below.interface == root.interface && below.kind == "etf"; });
        etf != qdiscs.end())
      kind = etf->kind;  // in a class, since it drops what carries no time
    if (kind != "mq") continue;
    for (const auto& child : qdiscs)
      if (child.interface == root.interface && TC_H_MAJ(child.parent) == TC_H_MAJ(root.handle) &&
          child.parent != TC_H_ROOT) {
        kind = child.kind;
        break;
      }
  }
  return kinds;
}

}  // namespace lw
