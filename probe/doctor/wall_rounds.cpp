#include "probe/doctor/wall_rounds.h"

#include "common/base/printable.h"
#include "common/messages/rpc.h"
#include "probe/call/json_value.h"
#include "probe/call/serving_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lw {
namespace {

constexpr std::chrono::seconds patience{30};  // a host with hundreds of cores and disks needs time

Json params_of(const RoundsOptions& options, const WallParts& parts) {
  Json params{{"wall", options.wall_toml}, {"server", !parts.server.empty()}, {"nodes", parts.nodes}};
  if (!parts.server.empty()) params["server_name"] = parts.server;
  return params;
}

Result<Complaint> complaint_of(const Json& json) {
  Params params(json);
  Complaint complaint;
  const auto level = params.text("level");
  complaint.what = printable(params.text("what"));  // another host may send anything
  complaint.needed = printable(params.text("needed"));
  complaint.have = printable(params.text("have"));
  complaint.mend = printable(params.optional_text("mend").value_or(""));
  constexpr std::array levels{Level::ok, Level::warn, Level::fail};
  const auto found = std::ranges::find(levels, level, [](Level known) { return text(known); });
  if (params.problem() || found == levels.end())
    return Error{"its findings are not understood", "run the same version of wall-probe on all hosts"};
  complaint.level = *found;
  return complaint;
}

Result<void> read_report(const Json& json, HostReport& report) {
  const Error not_understood{"its answer is not understood", "run the same version of wall-probe on all hosts"};
  if (!json.is_object() || !json.contains("findings") || !json["findings"].is_array()) return not_understood;
  report.host = json.value("host", Json()).is_string() ? printable(json["host"].get<std::string>()) : "";
  for (const auto& finding : json["findings"]) {
    auto complaint = complaint_of(finding);
    if (!complaint) return complaint.error();
    report.complaints.push_back(std::move(*complaint));
  }
  return {};
}

Result<void> ask(const RoundsOptions& options, const std::atomic<bool>& stop, HostReport& report) {
  const auto bracketed =
      report.of.address.find(':') == std::string::npos ? report.of.address : "[" + report.of.address + "]";
  const auto probe = call_probe(fmt::format("{}:{}", bracketed, options.port), stop, options.credentials);
  if (!probe) return probe.error();
  const auto answer = probe->caller->call("doctor", params_of(options, report.of.parts), patience);
  if (!answer) return answer.error();
  return read_report(*answer, report);
}

}  // namespace

std::vector<HostOfWall> hosts_of(const Wall& wall) {
  std::vector<HostOfWall> hosts;
  const auto at = [&](const std::string& address) -> WallParts& {
    const auto known = std::ranges::find(hosts, address, &HostOfWall::address);
    if (known != hosts.end()) return known->parts;
    return hosts.emplace_back(HostOfWall{address, {}}).parts;
  };
  for (const auto& server : wall.servers)
    at(server.interfaces.empty() ? server.control_host : server.interfaces.front()).server = server.name;
  for (const auto& node : wall.nodes) at(node.address).nodes.push_back(node.name);
  return hosts;
}

Result<std::vector<HostReport>> make_rounds(const RoundsOptions& options, const std::atomic<bool>& stop) {
  const auto wall = parse_wall(options.wall_toml, options.wall_name);
  if (!wall) return wall.error();
  const auto own = read_nics();
  std::vector<HostReport> reports;
  for (auto& host : hosts_of(*wall)) {
    auto& report = reports.emplace_back(HostReport{std::move(host), {}, {}});
    if (nic_of_address(own, report.of.address) != nullptr) {
      auto examined = examine(*wall, report.of.parts, options.content);
      if (!examined) return examined.error();
      report.host = examined->patient.host.name;
      report.complaints = std::move(examined->complaints);
    } else if (const auto asked = ask(options, stop, report); !asked) {
      report.complaints = {{Level::fail,
                            "wall-probe serve",
                            fmt::format("answers at port {}", options.port),
                            asked.error().what,
                            asked.error().mend,
                            {}}};
    }
  }
  return reports;
}

Result<Json> answer_doctor(const Json& json) {
  Params params(json);
  const auto toml = params.text("wall");
  const bool is_server = params.boolean("server");
  WallParts parts{params.optional_text("server_name").value_or(""),
                  params.optional_texts("nodes").value_or(std::vector<std::string>())};
  if (const auto problem = params.problem()) return Error{*problem, ""};
  auto wall = parse_wall(toml, "the wall file");
  if (!wall) return wall.error();
  if (is_server && parts.server.empty()) parts.server = wall->coordinator().name;
  const auto examined = examine(std::move(*wall), parts, {});
  if (!examined) return examined.error();
  return json_value(report_json(*examined));
}

}  // namespace lw
