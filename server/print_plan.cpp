#include "server/print_plan.h"

#include "common/base/print.h"
#include "common/host/host_facts.h"
#include "common/plan/plan.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace lw {
namespace {

Plan plan_of(const Wall& wall, const WallServer& server, const LibraryEntry& entry) {
  const auto stripes = stripe_directories_of(entry.manifest, entry.folder);
  return make_plan(wall, server, entry.manifest, read_host_facts(stripes), stripes);
}

}  // namespace

Result<void> print_plan(const Wall& wall, const WallServer& server, const Library& library, const std::string& name,
                        bool json) {
  std::vector<std::pair<std::string, Plan>> plans;
  if (!name.empty() && library.find(name) == nullptr)
    return Error{"no visualization '" + name + "' in the content directories", "--content says where to look"};
  for (const auto& entry : library.entries())
    if (name.empty() || entry.manifest.name == name)
      plans.emplace_back(entry.manifest.name, plan_of(wall, server, entry));
  if (plans.empty()) plans.emplace_back("", make_plan(wall, server, read_host_facts({})));
  if (json) {
    auto out = nlohmann::json::array();
    for (const auto& [visualization, plan] : plans) {
      auto object = plan_json(plan);
      if (!visualization.empty()) object["visualization"] = visualization;
      out.push_back(std::move(object));
    }
    print_out("{}\n", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    for (const auto& [visualization, plan] : plans) print_out("{}\n", plan_text(plan));
  }
  return {};
}

nlohmann::json plan_as_json(const Wall& wall, const WallServer& server, const LibraryEntry& entry) {
  return plan_json(plan_of(wall, server, entry));
}

}  // namespace lw
