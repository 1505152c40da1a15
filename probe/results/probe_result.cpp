#include "probe/results/probe_result.h"

#include "probe/results/json_reader.h"

#include <fmt/format.h>

namespace lw {
namespace {

void read_interval(JsonReader& reader, ResultInterval& interval) {
  reader.number("begin_s", interval.begin_s, Needed::yes);
  reader.number("end_s", interval.end_s, Needed::yes);
  if (interval.end_s < interval.begin_s) reader.fail("ends before it begins");
  reader.other_numbers({"begin_s", "end_s"}, interval.figures);
}

void read_stage(JsonReader& reader, ResultStage& stage) {
  reader.count("burst", stage.burst);
  reader.text("stage", stage.stage, Needed::yes);
  reader.number("begin_s", stage.begin_s, Needed::yes);
  reader.number("end_s", stage.end_s, Needed::yes);
  if (stage.end_s < stage.begin_s) reader.fail("ends before it begins");
}

void read_flow(JsonReader& reader, ResultFlow& flow) {
  reader.count("flow", flow.flow, Needed::yes);
  reader.text("load", flow.load);
  reader.text("direction", flow.direction);
  reader.figures("figures", flow.figures);
  reader.each("intervals", [&](JsonReader& entry) { read_interval(entry, flow.intervals.emplace_back()); });
  reader.each("timeline", [&](JsonReader& entry) { read_stage(entry, flow.timeline.emplace_back()); });
}

void read_mark(JsonReader& reader, ResultMark& mark) {
  reader.text("host", mark.host);
  reader.text("what", mark.what, Needed::yes);
  reader.text("note", mark.note);
  reader.number("at_s", mark.at_s);
}

void read_cpu(JsonReader& reader, CpuShares& cpu) {
  reader.count("cpu", cpu.cpu, Needed::yes);
  struct Share {
    const char* key;
    double& out;
  };
  for (const auto& share :
       {Share{"user", cpu.user}, Share{"system", cpu.system}, Share{"irq", cpu.irq}, Share{"softirq", cpu.softirq},
        Share{"iowait", cpu.iowait}, Share{"steal", cpu.steal}, Share{"idle", cpu.idle}}) {
    reader.number(share.key, share.out);
    if (share.out < 0 || share.out > 1.001) reader.fail(share.key, "must be a share from 0 to 1");
  }
}

void read_host(JsonReader& reader, ResultHost& host) {
  reader.text("name", host.name);
  const auto* facts = reader.find("facts");
  if (facts != nullptr && !facts->is_object()) reader.fail("facts", "must be an object");
  host.facts = std::make_shared<nlohmann::json>(facts != nullptr ? *facts : nlohmann::json::object());
  reader.each("cpus", [&](JsonReader& entry) { read_cpu(entry, host.cpus.emplace_back()); });
}

void read_result(JsonReader& reader, ProbeResult& result) {
  reader.schema(result_schema);
  reader.text("experiment", result.experiment);
  reader.count("run", result.run);
  reader.count("repetition", result.repetition);
  reader.point("point", result.point);
  reader.text("began", result.began);
  reader.number("duration_s", result.duration_s);
  reader.number("warm_up_s", result.warm_up_s);
  reader.boolean("complete", result.complete, Needed::yes);
  reader.text("error", result.error);
  reader.each("marks", [&](JsonReader& entry) { read_mark(entry, result.marks.emplace_back()); });
  reader.number("calls_missing", result.calls_missing);
  reader.text("command", result.command);
  reader.text("program", result.program);
  if (const auto* load = reader.find("load"); load != nullptr) result.load = *load;
  reader.figures("figures", result.figures);
  reader.each("flows", [&](JsonReader& entry) { read_flow(entry, result.flows.emplace_back()); });
  reader.members("hosts", [&](const std::string& role, JsonReader& entry) {
    auto& host = result.hosts.emplace_back();
    host.role = role;
    read_host(entry, host);
  });
}

std::string text_at(const nlohmann::json& facts, const char* pointer) {
  const auto place = nlohmann::json::json_pointer(pointer);
  if (!facts.contains(place) || !facts.at(place).is_string()) return {};
  return facts.at(place).get<std::string>();
}

}  // namespace

Result<ProbeResult> parse_result(std::string_view json, const std::string& file) {
  ProbeResult result;
  result.file = file;
  if (const auto read = read_json(json, file, [&](JsonReader& reader) { read_result(reader, result); }); !read)
    return read.error();
  return result;
}

MachineIdentity identity_of(const ResultHost& host) {
  return {host.role, host.name, text_at(*host.facts, "/limits/kernel"), text_at(*host.facts, "/topology/cpu_model")};
}

}  // namespace lw
