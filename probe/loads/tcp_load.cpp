#include "probe/loads/tcp_load.h"

#include "common/clock/wall_clock.h"
#include "common/concurrency/pinned_thread.h"
#include "common/memory/pages.h"
#include "probe/loads/call_record.h"
#include "probe/loads/frame_statistics.h"
#include "probe/loads/tcp_socket.h"
#include "probe/loads/value_sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace lw {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20U;  // per read, and the maximum per write
// At the end of a measurement without a number of bursts, for the one that began in it. Without it long bursts would be
// missing more often than short ones.
constexpr std::chrono::milliseconds last_burst_max{2000};

TcpSettings settings_of(const LoadSpec& load) { return {load.buffer_bytes, load.congestion, load.dscp}; }
double elapsed_us(LocalClock::duration time) { return std::chrono::duration<double, std::micro>(time).count(); }

// Counted by a connection's thread, read by another.
struct Counters {
  std::atomic<std::uint64_t> bytes{0}, messages{0};
  std::atomic<double> cpu_s{0};

  [[nodiscard]] FlowFigures totals() const {
    return {{"bytes", static_cast<double>(bytes.load())},
            {"messages", static_cast<double>(messages.load())},
            {"cpu_s", cpu_s.load()}};
  }
};

// A barrier at which all flows wait for the last one; then the next round begins. Whether a round counts is decided
// once, for all flows. Closed after `rounds_max` counted rounds (0: never); it then lets all pass at once.
class Gate {
public:
  enum class Round : std::uint8_t { uncounted, counted, over, closed };  // over: all rounds to be counted are done
  struct Opening {
    Round round;
    LocalTime at;
  };

  Gate(unsigned flows, unsigned rounds_max) : flows_(flows), rounds_max_(rounds_max) {}
  // Returns the round that begins when the last flow arrives.
  Opening arrive_and_wait() {
    std::unique_lock lock(mutex_);
    const auto round = number_;
    if (++here_ == flows_) next_round();
    changed_.wait(lock, [&] { return round_ == Round::closed || number_ != round; });
    return {round_, opened_};
  }
  void count_from_now() {
    const std::lock_guard lock(mutex_);
    counting_ = true;
  }
  void count_no_more() {
    const std::lock_guard lock(mutex_);
    counting_ = false;
  }
  // Waits for the end of the last counted round, but no longer than this.
  void await_counted(std::chrono::milliseconds longest) {
    std::unique_lock lock(mutex_);
    counting_ = false;
    changed_.wait_for(lock, longest, [&] { return round_ != Round::counted; });
  }
  void close() {
    const std::lock_guard lock(mutex_);
    if (round_ != Round::over) round_ = Round::closed;
    changed_.notify_all();
  }
  [[nodiscard]] unsigned left() const {
    const std::lock_guard lock(mutex_);
    return rounds_max_ - std::min(counted_, rounds_max_);
  }
  // From the beginning of the first counted round to the end of the last; 0 until that has ended.
  [[nodiscard]] double counted_s() const {
    const std::lock_guard lock(mutex_);
    return round_ == Round::over ? std::chrono::duration<double>(opened_ - began_).count() : 0;
  }

private:
  void next_round() {
    here_ = 0;
    ++number_;
    opened_ = LocalClock::now();
    if (round_ == Round::counted) ++counted_;
    if (round_ == Round::uncounted && counting_) began_ = opened_;
    if (round_ != Round::closed) round_ = counting_ ? Round::counted : Round::uncounted;
    if (rounds_max_ > 0 && counted_ >= rounds_max_) round_ = Round::over;
    changed_.notify_all();
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  const unsigned flows_, rounds_max_;
  unsigned here_ = 0, counted_ = 0;
  std::uint64_t number_ = 0;
  bool counting_ = false;
  Round round_ = Round::uncounted;
  LocalTime began_{}, opened_{};  // of the first counted round, of the last round
};

class TcpSender final : public LoadEnd {
public:
  TcpSender(LoadSpec load, EndAddresses addresses, Pages memory)
      : load_(std::move(load)),
        addresses_(std::move(addresses)),
        memory_(std::move(memory)),
        gate_(load_.flows, load_.bursts) {}
  ~TcpSender() override { stop(); }
  TcpSender(const TcpSender&) = delete;
  TcpSender& operator=(const TcpSender&) = delete;

  Result<void> start() override {
    for (unsigned i = 0; i < load_.flows; ++i) {
      const auto ends = addresses_.of_flow(i, load_.port_of(i));
      if (!ends) return ends.error();
      auto socket = TcpSocket::connect(ends->local, ends->peer, settings_of(load_));
      if (!socket) return socket.error();
      if (load_.gbit_per_s > 0)
        if (const auto limited = socket->limit_rate(load_.gbit_per_s * 1e9 / load_.flows); !limited)
          return limited.error();
      auto& flow = flows_.emplace_back();
      flow.socket = std::move(*socket);
      if (load_.trace) flow.calls.emplace(static_cast<std::uint16_t>(load_.first_flow + i));
    }
    for (unsigned i = 0; i < load_.flows; ++i)
      flows_[i].thread = start_thread("tcp-send-" + std::to_string(i), cpu_of(load_.sender_cpus, i),
                                      [this, &flow = flows_[i]](const std::stop_token& stop) { run(flow, stop); });
    return {};
  }
  void begin_to_measure() override {
    measuring_ = true;
    gate_.count_from_now();
  }
  void end_to_measure() override {
    measuring_ = false;
    if (load_.bursts == 0) gate_.count_no_more();
  }
  unsigned bursts_left() const override { return gate_.left(); }
  std::uint64_t take_calls(std::vector<CallRecord>& into) override {
    std::uint64_t dropped = 0;
    for (auto& flow : flows_)
      if (flow.calls) dropped += flow.calls->take(into);
    return dropped;
  }
  std::vector<FlowReading> read() override {
    std::vector<FlowReading> readings(load_.flows);
    for (std::size_t i = 0; i < flows_.size(); ++i) {
      readings[i].totals = flows_[i].counters.totals();
      if (const auto state = flows_[i].socket.state()) {
        readings[i].totals["retransmits"] = static_cast<double>(state->retransmits);
        readings[i].gauges = {{"rtt_us", state->rtt_us}, {"cwnd_bytes", state->cwnd_bytes}};
      }
    }
    return readings;
  }
  std::optional<Error> failure() override {
    for (std::size_t i = 0; i < flows_.size(); ++i)
      if (flows_[i].broken)
        return Error{fmt::format("TCP connection {} to {} broke", i, addresses_.to), "look at the other side"};
    return {};
  }
  std::vector<FlowFigures> finish() override {
    stop();
    std::vector<FlowFigures> figures(load_.flows);
    for (std::size_t i = 0; i < flows_.size(); ++i) {
      figures[i]["send_buffer_bytes"] = static_cast<double>(flows_[i].socket.send_buffer_bytes());
      if (load_.pattern != LoadPattern::stream)
        figures[i]["messages"] = static_cast<double>(flows_[i].messages_us.count());
      add_distribution(figures[i], "message_us", flows_[i].messages_us);
      add_distribution(figures[i], "blocked_us", flows_[i].blocked_us);
      add_counted_rates(figures[i]);
      add_distribution(figures[i], "compute_us", flows_[i].compute_us);
    }
    return figures;
  }

private:
  struct Flow {
    TcpSocket socket;
    Counters counters;
    ValueSample messages_us;             // from a message's first byte to its answer
    ValueSample blocked_us;              // at the gate, after a burst
    ValueSample compute_us;              // for computing, including waits for a core
    double computed_s = 0;               // CPU time for computing, not for bytes
    std::atomic<std::uint64_t> work{1};  // the value computed; the compiler must not see that it is unused
    std::vector<std::byte> answer;
    std::optional<CallRecorder> calls;  // of a traced load
    std::uint32_t burst = 0;            // the measured one; 0: none yet
    std::atomic<bool> broken{false};
    std::jthread thread;  // destroyed first
  };

  // Records a call of a traced load, from its construction to its destruction.
  class Call {
  public:
    Call(Flow& flow, CallKind kind) : flow_(flow), kind_(kind) {
      if (is_recorded()) begin_ = WallClock::now();
    }
    ~Call() {
      if (is_recorded()) flow_.calls->add({begin_, std::max(begin_, WallClock::now()), bytes, flow_.burst, 0, kind_});
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    std::size_t bytes = 0;

  private:
    [[nodiscard]] bool is_recorded() const { return flow_.calls && flow_.burst > 0; }
    Flow& flow_;
    const CallKind kind_;
    WallTime begin_{};
  };

  static void add_distribution(FlowFigures& figures, const std::string& name, const ValueSample& values) {
    if (values.empty()) return;
    figures[name + "_min"] = values.min();
    figures[name + "_mean"] = values.mean();
    figures[name + "_p50"] = quantile_of(values.kept(), 0.5);
    figures[name + "_p99"] = quantile_of(values.kept(), 0.99);
    figures[name + "_max"] = values.max();
  }
  // The measurement ends some moments after the last burst, which a rate over its time would include.
  void add_counted_rates(FlowFigures& figures) const {
    const double seconds = gate_.counted_s();
    if (seconds <= 0) return;
    figures["messages_per_s"] = load_.bursts / seconds;
    for (const auto* name : {"gbit_per_s", "sent_gbit_per_s"})
      figures[name] = static_cast<double>(load_.message_bytes) * load_.bursts * 8e-9 / seconds;
  }
  void stop() {
    gate_.await_counted(last_burst_max);
    for (auto& flow : flows_) flow.thread.request_stop();
    gate_.close();
    for (auto& flow : flows_) flow.thread = {};
  }
  void run(Flow& flow, const std::stop_token& stop) {
    const TcpSocket::GoOn go_on = [&] { return !stop.stop_requested(); };
    const bool whole = load_.pattern == LoadPattern::stream     ? stream(flow, go_on)
                       : load_.pattern == LoadPattern::requests ? requests(flow, go_on)
                                                                : bursts(flow, go_on);
    if (!whole && go_on()) flow.broken = true;
  }
  std::size_t send_block(Flow& flow, std::size_t bytes, const TcpSocket::GoOn& go_on) {
    Call call(flow, CallKind::write);
    const auto sent = flow.socket.send({memory_.data(), bytes}, go_on);
    call.bytes = sent;
    return sent;
  }
  bool send_message(Flow& flow, const TcpSocket::GoOn& go_on) {
    for (std::size_t left = load_.message_bytes; left > 0;) {
      const auto sent = send_block(flow, std::min(left, block_bytes), go_on);
      if (sent == 0) return false;
      left -= sent;
      flow.counters.bytes.fetch_add(sent, std::memory_order_relaxed);
    }
    flow.counters.messages.fetch_add(1, std::memory_order_relaxed);
    flow.counters.cpu_s = thread_cpu_seconds() - flow.computed_s;
    return true;
  }
  // A fixed amount of work, like that of a program between two exchanges: it takes longer beside other work.
  // Its duration; empty if there is none, or if the end of the load cut it short.
  std::optional<double> compute(Flow& flow, const TcpSocket::GoOn& go_on) const {
    if (load_.compute_ms <= 0) return {};
    const Call call(flow, CallKind::compute);
    constexpr unsigned steps = 20'000;  // some tens of microseconds between two readings of the clock
    const auto began = LocalClock::now();
    const double from = thread_cpu_seconds();
    bool finished = false;
    while (!(finished = thread_cpu_seconds() - from >= load_.compute_ms * 1e-3) && go_on()) {
      auto value = flow.work.load(std::memory_order_relaxed);
      for (unsigned i = 0; i < steps; ++i) value = value * 6364136223846793005U + 1442695040888963407U;
      flow.work.store(value, std::memory_order_relaxed);
    }
    flow.computed_s += thread_cpu_seconds() - from;
    return finished ? std::optional(elapsed_us(LocalClock::now() - began)) : std::nullopt;
  }
  bool stream(Flow& flow, const TcpSocket::GoOn& go_on) {
    while (go_on())
      if (!send_message(flow, go_on)) return false;
    return true;
  }
  // The time since the message began; empty if there is no answer.
  std::optional<double> await_answer(Flow& flow, LocalTime began, const TcpSocket::GoOn& go_on) const {
    flow.answer.resize(load_.answer_bytes);
    const Call call(flow, CallKind::answer);
    if (!flow.socket.receive_all(flow.answer, go_on)) return {};
    return elapsed_us(LocalClock::now() - began);
  }
  bool requests(Flow& flow, const TcpSocket::GoOn& go_on) {
    std::deque<LocalTime> unanswered;
    while (go_on()) {
      unanswered.push_back(LocalClock::now());
      if (!send_message(flow, go_on)) return false;
      if (unanswered.size() < load_.concurrency) continue;
      const auto took_us = await_answer(flow, unanswered.front(), go_on);
      if (!took_us) return false;
      if (measuring_) flow.messages_us.add(*took_us);  // answered during the measurement
      unanswered.pop_front();
    }
    return true;
  }
  Gate::Opening wait_for_others(Flow& flow) {
    const Call call(flow, CallKind::barrier);
    return gate_.arrive_and_wait();
  }
  // All durations of a burst count, or none of them.
  bool bursts(Flow& flow, const TcpSocket::GoOn& go_on) {
    using Round = Gate::Round;
    for (auto gate = gate_.arrive_and_wait(); gate.round == Round::uncounted || gate.round == Round::counted;) {
      const bool counts = gate.round == Round::counted;
      if (counts) ++flow.burst;
      const auto began = LocalClock::now();
      if (!send_message(flow, go_on)) return false;
      const auto took_us = await_answer(flow, began, go_on);
      if (!took_us) return false;
      const auto computed_us = compute(flow, go_on);
      const auto done = LocalClock::now();
      gate = wait_for_others(flow);
      if (!counts || gate.round == Round::closed) continue;
      flow.messages_us.add(*took_us);
      flow.blocked_us.add(elapsed_us(gate.at - done));
      if (computed_us) flow.compute_us.add(*computed_us);
    }
    return true;
  }

  const LoadSpec load_;
  const EndAddresses addresses_;
  const Pages memory_;  // sent one block at a time, repeatedly
  std::atomic<bool> measuring_{false};
  Gate gate_;
  std::deque<Flow> flows_;
};

class TcpReceiver final : public LoadEnd {
public:
  static Result<std::unique_ptr<LoadEnd>> make(const LoadSpec& load, const EndAddresses& addresses) {
    auto end = std::unique_ptr<TcpReceiver>(new TcpReceiver(load));
    if (!addresses.from.empty() || !addresses.from_peer.empty()) {
      const auto from = Address::parse(addresses.from.empty() ? addresses.from_peer : addresses.from.front(), 0);
      if (!from) return from.error();
      if (addresses.from.size() < 2) end->from_ = *from;
    }
    for (unsigned i = 0; i < load.flows; ++i) {
      const auto local = Address::parse(addresses.to, load.port_of(i));
      if (!local) return local.error();
      auto listener = TcpSocket::listen(*local, settings_of(load));
      if (!listener) return listener.error();
      auto memory = Pages::allocate(block_bytes, cpu_of(load.receiver_cpus, i));
      if (!memory) return memory.error();
      auto& flow = end->flows_.emplace_back();
      flow.listener = std::move(*listener);
      flow.memory = std::move(*memory);
      flow.thread = start_thread("tcp-recv-" + std::to_string(i), cpu_of(load.receiver_cpus, i),
                                 [raw = end.get(), &flow](const std::stop_token& stop) { raw->run(flow, stop); });
    }
    return std::unique_ptr<LoadEnd>(std::move(end));
  }
  std::vector<FlowReading> read() override {
    std::vector<FlowReading> readings;
    for (const auto& flow : flows_) readings.push_back({flow.counters.totals(), {}});
    return readings;
  }
  std::vector<FlowFigures> finish() override {
    for (auto& flow : flows_) flow.thread.request_stop();
    for (auto& flow : flows_) flow.thread = {};
    std::vector<FlowFigures> figures;
    for (const auto& flow : flows_)
      figures.push_back({{"receive_buffer_bytes", static_cast<double>(flow.buffer_bytes)}});
    return figures;
  }

private:
  struct Flow {
    TcpSocket listener;
    Pages memory;
    Counters counters;
    std::size_t buffer_bytes = 0;  // granted by the kernel in the end
    std::jthread thread;           // destroyed first
  };
  explicit TcpReceiver(const LoadSpec& load) : load_(load) {}

  void run(Flow& flow, const std::stop_token& stop) const {
    const TcpSocket::GoOn go_on = [&] { return !stop.stop_requested(); };
    const auto socket = flow.listener.accept(from_, go_on);
    if (!socket) return;
    const bool answers = load_.pattern != LoadPattern::stream;
    const std::vector<std::byte> answer(load_.answer_bytes);
    std::size_t left = load_.message_bytes;
    while (const auto got =
               socket->receive({flow.memory.data(), answers ? std::min(left, block_bytes) : block_bytes}, go_on)) {
      flow.counters.bytes.fetch_add(got, std::memory_order_relaxed);
      flow.counters.cpu_s = thread_cpu_seconds();
      if (!answers || (left -= got) > 0) continue;
      left = load_.message_bytes;
      flow.counters.messages.fetch_add(1, std::memory_order_relaxed);
      if (!socket->send_all(answer, go_on)) break;
    }
    flow.buffer_bytes = socket->receive_buffer_bytes();
  }

  const LoadSpec load_;
  std::optional<Address> from_;
  std::deque<Flow> flows_;
};

}  // namespace

Result<std::unique_ptr<LoadEnd>> make_tcp_sender(const LoadSpec& load, const EndAddresses& addresses) {
  auto memory = Pages::allocate(block_bytes, cpu_of(load.sender_cpus, 0));
  if (!memory) return memory.error();
  return std::unique_ptr<LoadEnd>(std::make_unique<TcpSender>(load, addresses, std::move(*memory)));
}
Result<std::unique_ptr<LoadEnd>> make_tcp_receiver(const LoadSpec& load, const EndAddresses& addresses) {
  return TcpReceiver::make(load, addresses);
}

}  // namespace lw
