#include "server/prometheus_targets.h"

#include "common/access/peer_address.h"
#include "common/net/address.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <system_error>

namespace lw {

Result<std::string> prometheus_targets(const Wall& wall) {
  auto targets = nlohmann::json::array();
  for (const auto& server : wall.servers) {
    if (is_unspecified(server.control_host))
      return Error{"server " + server.name + " listens on all addresses, so the wall file does not say where it is",
                   "set its control to the address at which Prometheus reaches it"};
    const auto address = Address::parse(server.control_host, server.control_port);
    if (!address) return address.error();
    nlohmann::json labels = {{"wall", wall.name},
                             {"server", server.name},
                             {"coordinator", &server == &wall.coordinator() ? "true" : "false"}};
    if (!is_loopback(server.control_host)) labels["__scheme__"] = "https";
    targets.push_back({{"targets", {address->text()}}, {"labels", std::move(labels)}});
  }
  return Result<std::string>(boost::system::in_place_value, targets.dump(2) + "\n");
}

Result<void> write_prometheus_targets(const Wall& wall, const std::filesystem::path& file) {
  const auto text = prometheus_targets(wall);
  if (!text) return text.error();
  const std::filesystem::path next = file.string() + ".next";
  std::ofstream out(next, std::ios::binary);
  out << *text;
  out.close();
  std::error_code error;
  if (out) std::filesystem::rename(next, file, error);
  if (!out || error)
    return Error{"cannot write " + file.string(),
                 "give --prometheus-targets a file in a directory that can be written"};
  return {};
}

}  // namespace lw
