#include "probe/loads/udt_load.h"

#include "common/concurrency/pinned_thread.h"
#include "probe/loads/udt_socket.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <thread>
#include <vector>

namespace lw {
namespace {

constexpr std::size_t copied_bytes = std::size_t{1} << 18U;  // by a call of the library, at most

UdtSettings udt_settings(const LoadSpec& load) { return {load.datagram_bytes, load.window_bytes / load.flows}; }

// Has no CPU time: the library's threads send and receive.
struct UdtFlow {
  UdtSocket socket;  // of a receiver: the listening one
  std::atomic<std::uint64_t> bytes{0};
  std::atomic<bool> broken{false};
  std::optional<std::size_t> buffer_bytes;  // of a receiver
  std::jthread thread;                      // goes first
};

FlowFigures totals_of(const UdtFlow& flow) { return {{"bytes", static_cast<double>(flow.bytes.load())}}; }

void stop_flows(std::deque<UdtFlow>& flows) {
  for (auto& flow : flows) flow.thread.request_stop();
  for (auto& flow : flows) flow.thread = {};
}

class UdtSender final : public LoadEnd {
public:
  UdtSender(LoadSpec load, EndAddresses addresses)
      : load_(std::move(load)), addresses_(std::move(addresses)), memory_(copied_bytes) {}
  ~UdtSender() override { stop_flows(flows_); }
  UdtSender(const UdtSender&) = delete;
  UdtSender& operator=(const UdtSender&) = delete;

  Result<void> start() override {
    for (unsigned i = 0; i < load_.flows; ++i) {
      const auto ends = addresses_.of_flow(i, load_.port_of(i));
      if (!ends) return ends.error();
      auto socket = UdtSocket::connect(ends->local, ends->peer, udt_settings(load_));
      if (!socket) return socket.error();
      flows_.emplace_back().socket = std::move(*socket);
    }
    for (unsigned i = 0; i < load_.flows; ++i)
      flows_[i].thread = start_thread("udt-send-" + std::to_string(i), -1,
                                      [this, &flow = flows_[i]](const std::stop_token& stop) { run(flow, stop); });
    return {};
  }
  std::vector<FlowReading> read() override {
    std::vector<FlowReading> readings(load_.flows);
    for (std::size_t i = 0; i < flows_.size(); ++i) {
      readings[i].totals = totals_of(flows_[i]);
      if (const auto state = flows_[i].socket.state()) {
        readings[i].totals["retransmits"] = state->retransmits;
        readings[i].gauges = {{"rtt_us", state->rtt_us}, {"cwnd_bytes", state->cwnd_bytes}};
      }
    }
    return readings;
  }
  std::optional<Error> failure() override {
    for (std::size_t i = 0; i < flows_.size(); ++i)
      if (flows_[i].broken)
        return Error{"UDT connection " + std::to_string(i) + " to " + addresses_.to + " broke", "check the other host"};
    return {};
  }
  std::vector<FlowFigures> finish() override {
    stop_flows(flows_);
    std::vector<FlowFigures> figures(load_.flows);
    for (std::size_t i = 0; i < flows_.size(); ++i)
      if (const auto bytes = flows_[i].socket.send_buffer_bytes())
        figures[i]["send_buffer_bytes"] = static_cast<double>(*bytes);
    return figures;
  }

private:
  void run(UdtFlow& flow, const std::stop_token& stop) const {
    const UdtSocket::GoOn go_on = [&] { return !stop.stop_requested(); };
    while (const auto sent = flow.socket.send(memory_, go_on)) flow.bytes.fetch_add(sent, std::memory_order_relaxed);
    if (go_on()) flow.broken = true;
  }

  const UdtLibrary library_;
  const LoadSpec load_;
  const EndAddresses addresses_;
  const std::vector<std::byte> memory_;  // sent repeatedly
  std::deque<UdtFlow> flows_;
};

class UdtReceiver final : public LoadEnd {
public:
  static Result<std::unique_ptr<LoadEnd>> make(const LoadSpec& load, const EndAddresses& addresses) {
    auto end = std::unique_ptr<UdtReceiver>(new UdtReceiver);
    auto named = addresses.from;
    if (named.empty() && !addresses.from_peer.empty()) named = {addresses.from_peer};
    std::vector<Address> from;
    for (const auto& name : named) {
      const auto host = Address::parse(name, 0);
      if (!host) return host.error();
      from.push_back(*host);
    }
    for (unsigned i = 0; i < load.flows; ++i) {
      const auto local = Address::parse(addresses.to, load.port_of(i));
      if (!local) return local.error();
      auto listener = UdtSocket::listen(*local, from, udt_settings(load));
      if (!listener) return listener.error();
      auto& flow = end->flows_.emplace_back();
      flow.socket = std::move(*listener);
      flow.thread =
          start_thread("udt-recv-" + std::to_string(i), -1, [&flow](const std::stop_token& stop) { run(flow, stop); });
    }
    return std::unique_ptr<LoadEnd>(std::move(end));
  }
  ~UdtReceiver() override { stop_flows(flows_); }
  UdtReceiver(const UdtReceiver&) = delete;
  UdtReceiver& operator=(const UdtReceiver&) = delete;

  std::vector<FlowReading> read() override {
    std::vector<FlowReading> readings;
    for (const auto& flow : flows_) readings.push_back({totals_of(flow), {}});
    return readings;
  }
  std::vector<FlowFigures> finish() override {
    stop_flows(flows_);
    std::vector<FlowFigures> figures(flows_.size());
    for (std::size_t i = 0; i < flows_.size(); ++i)
      if (flows_[i].buffer_bytes) figures[i]["receive_buffer_bytes"] = static_cast<double>(*flows_[i].buffer_bytes);
    return figures;
  }

private:
  UdtReceiver() = default;

  static void run(UdtFlow& flow, const std::stop_token& stop) {
    const UdtSocket::GoOn go_on = [&] { return !stop.stop_requested(); };
    const auto socket = flow.socket.accept(go_on);
    if (!socket) return;
    flow.buffer_bytes = socket->receive_buffer_bytes();
    std::vector<std::byte> memory(copied_bytes);
    while (const auto got = socket->receive(memory, go_on)) flow.bytes.fetch_add(got, std::memory_order_relaxed);
  }

  const UdtLibrary library_;
  std::deque<UdtFlow> flows_;
};

}  // namespace

Result<std::unique_ptr<LoadEnd>> make_udt_sender(const LoadSpec& load, const EndAddresses& addresses) {
  return std::unique_ptr<LoadEnd>(std::make_unique<UdtSender>(load, addresses));
}
Result<std::unique_ptr<LoadEnd>> make_udt_receiver(const LoadSpec& load, const EndAddresses& addresses) {
  return UdtReceiver::make(load, addresses);
}

}  // namespace lw
