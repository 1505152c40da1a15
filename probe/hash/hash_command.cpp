#include "probe/hash/hash_command.h"

#include "common/base/counted.h"
#include "common/base/print.h"
#include "common/base/text_table.h"
#include "common/command_line/command_line.h"
#include "probe/hash/bond_hash.h"
#include "probe/hash/rss.h"
#include "probe/hash/spread.h"
#include "probe/hash/toeplitz.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <numeric>

namespace lw {
namespace {

using nlohmann::json;

struct HashOptions {
  std::string by;
  std::string interface;
  std::string wall_file, node, from, to;
  unsigned members = 0;
  std::string source_mac, target_mac;
  bool fragmented = false, tag_in_frame = false;
  std::string key, fields;
  std::vector<unsigned> table;
  bool find = false;
  bool json = false;
};

constexpr std::size_t flows_max = 1024;

Result<std::vector<FlowTuple>> flows_of(const HashOptions& options, const std::optional<Wall>& wall) {
  auto flows = wall ? flows_of_wall(*wall, options.node, options.from) : flows_of_lists(options.from, options.to);
  if (flows && flows->size() > flows_max)
    return Error{fmt::format("{} flows are more than {}", flows->size(), flows_max), "name fewer ports"};
  return flows;
}

Result<HashRule> bond_rule(const HashOptions& options, const std::string& name, std::vector<std::string> members) {
  const auto policy = parse_bond_policy(name);
  if (!policy)
    return Error{"the bond's policy " + name + " cannot be predicted",
                 "set xmit_hash_policy to layer2, layer2+3 or layer3+4"};
  BondFrame frame{{}, {}, options.fragmented, options.tag_in_frame};
  const bool looks_at_macs = *policy != BondPolicy::layer34 || options.tag_in_frame;
  const auto read_mac = [](const std::string& text, MacAddress& mac) {
    const auto parsed = parse_mac(text);
    if (parsed) mac = *parsed;
    return parsed.has_value();
  };
  if (looks_at_macs && !(read_mac(options.source_mac, frame.source) && read_mac(options.target_mac, frame.target)))
    return Error{name + " hashes MAC addresses",
                 "give --source-mac (`ip link show`) and --target-mac (`ip neigh show`; of the router if the node is "
                 "behind one), like 52:54:00:12:34:56"};
  HashRule rule{name, [policy, frame](const FlowTuple& flow) { return bond_hash(*policy, frame, flow); }, {}, 0};
  rule.uses_ports = *policy == BondPolicy::layer34 && !frame.fragmented && !frame.tag_in_frame;
  rule.members = members.empty() ? options.members : static_cast<unsigned>(members.size());
  rule.table.resize(rule.members);
  std::iota(rule.table.begin(), rule.table.end(), 0U);
  rule.names = std::move(members);
  return rule;
}

HashRule rss_rule(RssSettings rss) {
  const auto queues = *std::ranges::max_element(rss.table) + 1;
  HashRule rule{"rss", {}, rss.table, queues};
  rule.uses_ports = rss.ports;
  rule.receives = true;
  rule.hash = [rss = std::move(rss)](const FlowTuple& flow) { return rss_hash(rss, flow); };
  return rule;
}

Result<HashRule> rss_as_told(const HashOptions& options) {
  RssSettings rss;
  rss.key.assign(microsoft_rss_key.begin(), microsoft_rss_key.end());
  if (!options.key.empty()) {
    auto key = parse_rss_key(options.key);
    if (!key) return Error{"--key must have 40 bytes or more", "write it as ethtool -x does, 6d:5a:56:..."};
    rss.key = std::move(*key);
  }
  rss.ports = options.fields != "addresses";
  rss.table = options.table.empty() ? default_table(options.members) : options.table;
  return rss_rule(std::move(rss));
}

Result<HashRule> rule_of(const HashOptions& options, bool ipv6) {
  if (!options.interface.empty()) {
    if (auto bond = read_bond(options.interface)) {
      if (bond->mode != "802.3ad" && bond->mode != "balance-xor")
        return Error{options.interface + " is a bond of mode " + bond->mode + ", which does not hash flows",
                     "modes 802.3ad and balance-xor do"};
      if (bond->members.empty())
        return Error{options.interface + " has no member links",
                     "enslave them (ip link set NAME master " + options.interface + "), or give --by and --members"};
      return bond_rule(options, bond->policy, std::move(bond->members));
    }
    auto rss = read_rss(options.interface, ipv6);
    if (!rss) return rss.error();
    return rss_rule(std::move(*rss));
  }
  if (options.by == "rss") return rss_as_told(options);
  return bond_rule(options, options.by, {});
}

std::string member_text(const HashRule& rule, unsigned member) {
  return rule.names.empty() ? std::to_string(member) : rule.names[member];
}

std::string summary(const Spread& spread, const HashRule& rule) {
  return fmt::format("{} {}: {} on {}, the busiest has {}, even would be {}\n", rule.receives ? "to" : "from",
                     spread.host, counted(spread.flows, "flow"),
                     counted(spread.flows_on.size(), rule.receives ? "queue" : "link"), spread.busiest(),
                     spread.even());
}

std::string chance_text(const RandomSpread& chance) {
  return fmt::format(
      "at random the busiest would have {:.1f} in the mean, and all would be even in {:.1f} % of cases\n",
      chance.busiest_mean, chance.even_chance * 100);
}

json chance_json(const RandomSpread& chance) {
  return {{"busiest_flows_mean", chance.busiest_mean}, {"even_chance", chance.even_chance}};
}

struct Answer {
  const HashRule& rule;
  const std::vector<FlowTuple>& flows;
  std::vector<Spread> spreads;
  const Wall* wall = nullptr;
  std::optional<PortMove> move;
  std::vector<std::uint16_t> source_ports;
};

std::string found_text(const HashOptions& options, const Answer& answer) {
  if (!options.find) return {};
  const bool even = std::ranges::all_of(answer.spreads, &Spread::is_even);
  if (even) return "the ports are as good as any\n";
  if (!answer.rule.uses_ports) return "ports do not matter to this hash: no choice of them helps\n";
  std::string out;
  if (answer.move)
    out += fmt::format("{}: base_port = {}, source_port = {} in [streaming]\n",
                       answer.move->above_even == 0 ? "even with" : "better with",
                       answer.wall->streaming.base_port + answer.move->base_by,
                       answer.wall->streaming.source_port + answer.move->source_by);
  else if (answer.wall != nullptr)
    out += "no base_port and source_port do better\n";
  if (answer.wall == nullptr)
    out += answer.source_ports.empty()
               ? "no source ports from the first on make it even\n"
               : fmt::format("even with source ports {}\n", fmt::join(answer.source_ports, ","));
  return out;
}

void print_text(const HashOptions& options, const Answer& answer) {
  TextTable flows({"flow", "from", "to", "hash", answer.rule.receives ? "queue" : "link"}, "><<>>");
  for (std::size_t i = 0; i < answer.flows.size(); ++i) {
    const auto& flow = answer.flows[i];
    flows.add({std::to_string(i), flow.from.text(), flow.to.text(), fmt::format("{:08x}", answer.rule.hash(flow)),
               member_text(answer.rule, answer.rule.member(flow))});
  }
  auto out = flows.text() + "\n";
  for (const auto& spread : answer.spreads) {
    out += summary(spread, answer.rule);
    TextTable members({answer.rule.receives ? "queue" : "link", "flows"}, ">>");
    for (unsigned i = 0; i < spread.flows_on.size(); ++i)
      members.add({member_text(answer.rule, i), std::to_string(spread.flows_on[i])});
    out += members.text();
  }
  out += found_text(options, answer);
  print_out("{}", out);
}

json answer_json(const HashOptions& options, const Answer& answer) {
  json flows = json::array(), spreads = json::array();
  for (std::size_t i = 0; i < answer.flows.size(); ++i) {
    const auto& flow = answer.flows[i];
    const auto member = answer.rule.member(flow);
    json entry{{"flow", i},
               {"from", flow.from.text()},
               {"to", flow.to.text()},
               {"hash", answer.rule.hash(flow)},
               {"member", member}};
    if (!answer.rule.names.empty()) entry["interface"] = answer.rule.names[member];
    flows.push_back(std::move(entry));
  }
  for (const auto& spread : answer.spreads)
    spreads.push_back({{"host", spread.host},
                       {"flows", spread.flows},
                       {"flows_on", spread.flows_on},
                       {"busiest_flows", spread.busiest()},
                       {"even_flows", spread.even()},
                       {"at_random", chance_json(random_spread(spread.flows, answer.rule.members))}});
  json result{{"by", answer.rule.name},
              {"members", answer.rule.members},
              {"ports_hashed", answer.rule.uses_ports},
              {"flows", std::move(flows)},
              {"spread", std::move(spreads)}};
  if (options.find && answer.move)
    result["found"] = {{"base_port", answer.wall->streaming.base_port + answer.move->base_by},
                       {"source_port", answer.wall->streaming.source_port + answer.move->source_by},
                       {"flows_above_even", answer.move->above_even}};
  if (options.find && !answer.source_ports.empty()) result["found"] = {{"source_ports", answer.source_ports}};
  return result;
}

// The kernel's seed is random, and a router has its own: only probabilities can be given.
int print_unknowable(const HashOptions& options, std::size_t flows) {
  const auto chance = random_spread(static_cast<unsigned>(flows), options.members);
  if (options.json) {
    const json result{{"by", options.by},
                      {"members", options.members},
                      {"predictable", false},
                      {"flow_count", flows},
                      {"at_random", chance_json(chance)}};
    print_out("{}\n", result.dump(2));
    return 0;
  }
  print_out(
      "Which of several routes a flow takes cannot be predicted: Linux (fib_multipath_hash_policy) and routers hash "
      "with "
      "their own seeds.\n{} on {}: {}",
      counted(flows, "flow"), counted(options.members, "route"), chance_text(chance));
  return 0;
}

Result<void> check(const HashOptions& options) {
  if (options.wall_file.empty() && (options.from.empty() || options.to.empty()))
    return Error{"no flows to hash", "give --wall FILE, or --from ADDRESS:PORTS and --to ADDRESS:PORTS"};
  if (options.by.empty() && options.interface.empty())
    return Error{"no rule to hash by", "give --by, or --interface NAME to take the rule of a bond or a card"};
  const bool has_table = options.by == "rss" && !options.table.empty();
  if (options.interface.empty() && options.members == 0 && !has_table)
    return Error{"no number of members", "give --members, the links of a bond or the queues of a card"};
  if (std::ranges::any_of(options.table, [](unsigned queue) { return queue > 65'535; }))
    return Error{"--table has a queue above 65535", "write it as ethtool -x shows it"};
  return {};
}

Result<int> hash(const HashOptions& options) {
  if (const auto checked = check(options); !checked) return checked.error();
  std::optional<Wall> wall;
  if (!options.wall_file.empty()) {
    auto loaded = load_wall(options.wall_file);
    if (!loaded) return loaded.error();
    wall = std::move(*loaded);
  }
  const auto flows = flows_of(options, wall);
  if (!flows) return flows.error();
  if (options.by == "ecmp") return print_unknowable(options, flows->size());
  const auto rule = rule_of(options, flows->front().to.is_ipv6());
  if (!rule) return rule.error();

  Answer answer{*rule, *flows, spread_of(*rule, *flows), wall ? &*wall : nullptr, {}, {}};
  if (options.find && !std::ranges::all_of(answer.spreads, &Spread::is_even)) {
    if (wall)
      answer.move = find_wall_ports(*rule, *flows);
    else
      answer.source_ports = find_source_ports(*rule, *flows);
  }
  if (options.json)
    print_out("{}\n", answer_json(options, answer).dump(2));
  else
    print_text(options, answer);
  return 0;
}

}  // namespace

Command hash_command(CLI::App& program) {
  auto options = std::make_shared<HashOptions>();
  auto* app = program.add_subcommand("hash", "Predict the link or queue of each flow where addresses are hashed");
  begin_group(*app, "Rule");
  app->add_option("--by", options->by,
                  "layer2, layer2+3, layer3+4: a Linux bond; rss: receive queues (Toeplitz); ecmp: several routes")
      ->check(one_of({"layer2", "layer2+3", "layer3+4", "rss", "ecmp"}))
      ->option_text("RULE");
  app->add_option("--interface", options->interface, "Take the rule from this bond or card of this host instead")
      ->option_text("NAME")
      ->excludes("--by");
  app->add_option("--members,--queues", options->members, "Links, routes or queues")->check(whole_between(1, 1024));
  app->add_option("--source-mac", options->source_mac, "Of the bond (layer2, layer2+3)")->option_text("MAC");
  app->add_option("--target-mac", options->target_mac, "Of the next hop (layer2, layer2+3)")->option_text("MAC");
  app->add_flag("--fragmented", options->fragmented, "Datagrams are larger than the MTU: fragments have no ports");
  app->add_flag("--tag-in-frame", options->tag_in_frame,
                "The VLAN tag is in the frame when the bond sees it (VLAN below a bridge or a virtual machine)");
  app->add_option("--key", options->key, "Of RSS, as ethtool -x prints it (default: Microsoft's)")->option_text("HEX");
  app->add_option("--table", options->table, "RSS indirection table (default: 128 entries, queues in turn)")
      ->delimiter(',')
      ->option_text("N[,N...]");
  app->add_option("--fields", options->fields, "RSS of UDP: addresses, or ports as well (default)")
      ->check(one_of({"addresses", "ports"}));
  begin_group(*app, "Flows");
  app->add_option("--wall", options->wall_file, "The flows of a wall file (TOML)")->option_text("FILE");
  app->add_option("--node", options->node, "Of these, only those to one node")->option_text("NAME");
  app->add_option("--from", options->from, "Like 10.0.0.1:40000-40014/2; with --wall the ADDRESS alone")
      ->option_text("ADDRESS:PORTS");
  app->add_option("--to", options->to, "The receiver; one port, or as many as --from")->option_text("ADDRESS:PORTS");
  begin_group(*app, general_options);
  app->add_flag("--find", options->find, "Find ports with which the flows spread evenly");
  app->add_flag("--json", options->json, "Print the prediction as JSON");
  set_examples(*app, {{"the flows of a wall on a bond of two links",
                       "wall-probe hash --by layer3+4 --members 2 --wall wall.toml"}});
  return {app, [options](const std::atomic<bool>&) { return hash(*options); }};
}

}  // namespace lw
