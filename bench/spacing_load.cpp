#include "bench/spacing_load.h"

#include "common/base/timespec.h"
#include "common/clock/wall_clock.h"
#include "common/concurrency/pinned_thread.h"
#include "common/metrics/packet_spacing.h"
#include "common/wall/geometry.h"
#include "probe/loads/frame_source.h"
#include "server/send/flow_sender.h"

#include <sys/socket.h>

#include <array>
#include <atomic>
#include <cstring>
#include <ctime>
#include <map>
#include <thread>
#include <vector>

namespace lw::bench {
namespace {

constexpr std::chrono::milliseconds offer_lead{30};
constexpr std::size_t receive_buffer_bytes = std::size_t{32} << 20U;
constexpr unsigned batch = 32;
constexpr std::size_t head_bytes = 128;  // of a packet: enough for its headers

struct Stamped {
  WallTime time{};
  std::uint32_t frame = 0;
  std::uint32_t sequence = 0;
};

// Every datagram separately, because coalesced ones share one time.
class Listener {
public:
  explicit Listener(UdpSocket socket) : socket_(std::move(socket)) {
    socket_.stamp_arrivals();
    for (unsigned i = 0; i < batch; ++i) {
      pieces_[i] = {heads_[i].data(), head_bytes};
      messages_[i].msg_hdr.msg_iov = &pieces_[i];
      messages_[i].msg_hdr.msg_iovlen = 1;
      messages_[i].msg_hdr.msg_control = controls_[i].data();
    }
  }
  void run(const std::atomic<bool>& stop, std::vector<Stamped>& into) {
    while (!stop) {
      for (auto& message : messages_) message.msg_hdr.msg_controllen = sizeof(Control);
      const int count = recvmmsg(socket_.fd(), messages_.data(), batch, MSG_WAITFORONE, nullptr);
      for (int i = 0; i < count; ++i) take(static_cast<std::size_t>(i), into);
    }
  }

private:
  using Control = std::array<std::byte, CMSG_SPACE(sizeof(timespec))>;

  void take(std::size_t i, std::vector<Stamped>& into) {
    auto* entry = CMSG_FIRSTHDR(&messages_[i].msg_hdr);
    if (entry == nullptr || entry->cmsg_type != SO_TIMESTAMPNS) return;
    timespec time{};
    std::memcpy(&time, CMSG_DATA(entry), sizeof(time));
    wire::RtpHeader rtp;
    wire::FrameExtensions extensions;
    boost::endian::big_uint16_buf_t upper;
    std::memcpy(&rtp, heads_[i].data(), sizeof(rtp));
    std::memcpy(&extensions, heads_[i].data() + sizeof(rtp), sizeof(extensions));
    std::memcpy(&upper, heads_[i].data() + sizeof(rtp) + sizeof(extensions), sizeof(upper));
    into.push_back({WallTime{from_timespec(time)}, extensions.frame.value(),
                    std::uint32_t{upper.value()} << 16U | rtp.sequence.value()});
  }

  UdpSocket socket_;
  std::array<std::array<std::byte, head_bytes>, batch> heads_{};
  std::array<iovec, batch> pieces_{};
  alignas(cmsghdr) std::array<Control, batch> controls_{};
  std::array<mmsghdr, batch> messages_{};
};

Result<UdpSocket> listening_socket(const Wall& wall) {
  const auto address = Address::parse(wall.nodes.front().address, media_port(wall, 0));
  if (!address) return address.error();
  auto socket = UdpSocket::bind(*address);
  if (!socket) return socket;
  [[maybe_unused]] const auto granted = socket->grow_receive_buffer(receive_buffer_bytes);
  if (const auto timed = socket->set_receive_timeout(std::chrono::milliseconds{20}); !timed) return timed.error();
  return socket;
}

// How often per second a thread that only reads the clock misses more than `gap`: due to interrupts, and the host of a
// virtual machine. No sender on this core can do better.
double stalls_per_s(int cpu, Nanoseconds gap) {
  unsigned stalls = 0;
  constexpr std::chrono::seconds watched{1};
  start_thread("stalls", cpu, [&](const std::stop_token&) {
    auto before = LocalClock::now();
    for (const auto until = before + watched; before < until;) {
      const auto now = LocalClock::now();
      stalls += now - before > gap;
      before = now;
    }
  }).join();
  return stalls / std::chrono::duration<double>(watched).count();
}

// For each frame, and for the complete run.
Report judge(const std::vector<Stamped>& stamped, const SpacingModel& model) {
  std::vector<PacketArrival> all;
  std::map<SenderType, unsigned> frames;
  std::size_t whole = 0;
  for (std::size_t first = 0; first < stamped.size();) {
    std::size_t last = first;
    while (last < stamped.size() && stamped[last].frame == stamped[first].frame) ++last;
    std::vector<PacketArrival> frame;
    for (std::size_t i = first; i < last; ++i)
      frame.push_back({stamped[i].time, stamped[i].frame, stamped[i].sequence - stamped[first].sequence});
    if (frame.size() == model.packets_per_frame) {
      ++whole;
      ++frames[sender_type(packet_spacing(model, frame), model)];
      all.insert(all.end(), frame.begin(), frame.end());
    }
    first = last;
  }
  const auto spacing = packet_spacing(model, all);
  const auto share = [&](unsigned count) {
    return whole == 0 ? 0 : static_cast<double>(count) / static_cast<double>(whole);
  };
  const auto narrow = limits_of(SenderType::narrow, model), wide = limits_of(SenderType::wide, model);
  return Report{{{"packets_per_frame", model.packets_per_frame},
                 {"frames", whole},
                 {"cinst_max", spacing.cinst_max},
                 {"vrx_max_gapped", spacing.vrx_max_gapped},
                 {"vrx_max_linear", spacing.vrx_max_linear},
                 {"narrow_cinst", narrow.cinst},
                 {"narrow_vrx", narrow.vrx},
                 {"wide_cinst", wide.cinst},
                 {"wide_vrx", wide.vrx},
                 {"class", whole == 0 ? "none" : name_of(sender_type(spacing, model))},
                 {"frames_narrow", share(frames[SenderType::narrow] + frames[SenderType::narrow_linear])},
                 {"frames_wide", share(frames[SenderType::wide])}}};
}

}  // namespace

Result<Report> run(const SpacingLoad& load) {
  auto wall = wall_of(load.flow);
  if (!wall) return wall.error();
  wall->streaming.pace_spin = load.spin;
  const auto interval = wall->frame_rate.duration_of(1);
  const auto layout =
      PacketTemplates::lay_out(PixelFormat::rgb8, load.flow.width, load.flow.rows, {load.flow.datagram_bytes}, 0);
  if (!layout) return layout.error();

  auto socket = listening_socket(*wall);
  if (!socket) return socket.error();
  auto source = FrameSource::memory(row_bytes(PixelFormat::rgb8, load.flow.width) * load.flow.rows);
  if (!source) return source.error();
  auto sender = FlowSender::start(*wall, all_bands(*wall).front(), load.flow.sender_cpus.front());
  if (!sender) return sender.error();

  const auto frames = static_cast<std::uint32_t>(load.flow.duration / interval);
  std::vector<Stamped> stamped;
  stamped.reserve(std::size_t{frames + 1} * layout->packets().size());
  std::atomic<bool> stop{false};
  auto listening = start_thread("listen", load.flow.receiver_cpus.front(),
                                [&](const std::stop_token&) { Listener(std::move(*socket)).run(stop, stamped); });
  const auto start = WallClock::now() + 2 * offer_lead;
  for (std::uint32_t frame = 0; frame < frames; ++frame) {
    const auto media_time = start + wall->frame_rate.duration_of(frame);
    sleep_until(media_time - offer_lead);
    const auto buffer = (*source)->next();
    if (!buffer) return buffer.error();
    if (!(*sender)->offer(
            {*buffer, {media_time, frame, 1, static_cast<std::uint16_t>(frame)}, PixelFormat::rgb8, interval}))
      (*buffer)->release();
  }
  std::this_thread::sleep_for(3 * offer_lead + interval);
  stop = true;
  listening.join();

  SpacingModel model{layout->packets().size(), std::chrono::duration<double>(interval).count()};
  model.include_datagram(load.flow.datagram_bytes, false);
  auto report = judge(stamped, model);
  report.figures["cpu_s_per_gb"] = (*sender)->stats().cpu_s / (static_cast<double>((*sender)->stats().bytes) * 1e-9);
  report.figures["frames_sent"] = frames;
  // The maximum delay of a narrow flow.
  const auto bearable = interval * load.flow.pace_fraction * (limits_of(SenderType::narrow, model).vrx - 1) /
                        static_cast<double>(model.packets_per_frame);
  report.figures["core_stalls_per_s"] =
      stalls_per_s(load.flow.sender_cpus.front(), std::chrono::duration_cast<Nanoseconds>(bearable));
  return report;
}

}  // namespace lw::bench
