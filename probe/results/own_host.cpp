#include "probe/results/own_host.h"

#include "common/base/host_name.h"
#include "common/host/host_facts.h"

namespace lw {

nlohmann::json own_host() {
  const auto facts = read_host_facts({});
  return {{"name", host_name()}, {"facts", host_json(facts)}};
}

}  // namespace lw
