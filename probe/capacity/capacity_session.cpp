#include "probe/capacity/capacity_session.h"

#include "common/access/digest.h"
#include "common/messages/iso_time.h"
#include "probe/call/json_value.h"
#include "probe/call/serving_probe.h"
#include "probe/capacity/capacity_end.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <thread>

namespace lw {
namespace {

constexpr std::chrono::milliseconds done_look_up{20};
constexpr std::size_t session_digits = 16;
constexpr std::chrono::seconds finish_patience{30};

// The server's end, wherever it is.
class ServerEnd {
public:
  virtual ~ServerEnd() = default;
  virtual Result<std::uint64_t> prepare(CapacitySpec& spec) = 0;  // the session
  virtual Result<Json> finish() = 0;
  [[nodiscard]] virtual Address address(std::uint16_t port) const = 0;
};

class LocalServerEnd final : public ServerEnd {
public:
  Result<std::uint64_t> prepare(CapacitySpec& spec) override {
    auto session = new_session();
    if (!session) return session;
    auto end = CapacityEnd::start(spec, {address(spec.port), {}, {}, *session});
    if (!end) return end.error();
    end_ = std::move(*end);
    return session;
  }
  Result<Json> finish() override { return json_value(end_->finish()); }
  [[nodiscard]] Address address(std::uint16_t port) const override { return Address::parse("127.0.0.1", port).value(); }

private:
  std::unique_ptr<CapacityEnd> end_;
};

class RemoteServerEnd final : public ServerEnd {
public:
  explicit RemoteServerEnd(ServingProbe probe) : probe_(std::move(probe)) {}

  Result<std::uint64_t> prepare(CapacitySpec& spec) override {
    const auto answer = call(probe_, "prepare_capacity", {{"capacity", to_json(spec)}, {"your_address", probe_.host}});
    if (!answer) return answer.error();
    Params params(*answer);
    const auto session = session_of(params.text("session"));
    const double gbit_per_s_max = params.number("gbit_per_s_max", 0, spec.gbit_per_s_max);
    if (const auto problem = params.problem(); problem || !session)
      return Error{probe_.name + " answered " + problem.value_or("without a session"),
                   "run the same version of wall-probe on both hosts"};
    spec.gbit_per_s_max = gbit_per_s_max;
    return *session;
  }
  Result<Json> finish() override { return call(probe_, "finish_capacity", Json::object(), finish_patience); }
  [[nodiscard]] Address address(std::uint16_t port) const override { return Address::parse(probe_.host, port).value(); }

private:
  const ServingProbe probe_;
};

Result<std::unique_ptr<ServerEnd>> find_server(const CapacityPath& path, const std::atomic<bool>& stop) {
  if (path.to.empty()) return std::unique_ptr<ServerEnd>(std::make_unique<LocalServerEnd>());
  auto probe = call_probe(path.to, stop, path.credentials);
  if (!probe) return probe.error();
  if (const auto greeting = greet(*probe); !greeting) return greeting.error();
  return std::unique_ptr<ServerEnd>(std::make_unique<RemoteServerEnd>(std::move(*probe)));
}

}  // namespace

std::string session_text(std::uint64_t session) { return fmt::format("{:016x}", session); }

std::optional<std::uint64_t> session_of(const std::string& text) {
  std::uint64_t session = 0;
  if (!are_digits(text, session_digits)) return {};
  std::from_chars(text.data(), text.data() + text.size(), session, 16);
  return session;
}

Result<std::uint64_t> new_session() {
  const auto digits = random_hex(session_digits / 2);
  if (!digits) return digits.error();
  return session_of(*digits).value();
}

Result<CapacityOutcome> measure_capacity(CapacitySpec& spec, const CapacityPath& path, const std::atomic<bool>& stop) {
  const auto server = find_server(path, stop);
  if (!server) return server.error();
  const auto session = (*server)->prepare(spec);
  if (!session) return session.error();
  const auto to = path.via.value_or((*server)->address(spec.port));
  CapacityOutcome outcome;
  outcome.ipv6 = to.is_ipv6();
  outcome.to = to.text();
  outcome.began = to_iso8601(WallClock::now());
  auto own = CapacityEnd::start(spec, {path.from.value_or(Address::any(to.is_ipv6(), 0)), to, {}, *session});
  if (!own) return own.error();
  while (!(*own)->done() && !stop) std::this_thread::sleep_for(done_look_up);
  const auto mine = (*own)->finish();
  const auto theirs = (*server)->finish();
  if (!theirs) return theirs.error();
  const auto sent = parse_capacity_sent(spec.reverse ? *theirs : mine);
  const auto received = parse_capacity_received(spec.reverse ? mine : *theirs);
  if (!sent) return sent.error();
  if (!received) return received.error();
  outcome.sent = *sent;
  outcome.received = *received;
  return outcome;
}

}  // namespace lw
