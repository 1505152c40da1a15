#include "server/control/server_links.h"

#include "common/access/credentials.h"

#include <spdlog/spdlog.h>

#include <utility>

namespace lw {

ServerLinks::ServerLinks(boost::asio::io_context& io, const Wall& wall, const WallServer& self,
                         Coordination& coordination, const ServerCredentials& options) {
  for (const auto& server : wall.servers) {
    if (server.name == self.name) continue;
    const auto token = options.token_folder.empty() ? "" : options.token_folder + "/" + server.name;
    auto credentials = credentials_for(server.control_host, {options.ca, token, options.state}, server.fingerprint);
    if (!credentials) {
      spdlog::error("server {} is not connected: {}", server.name, credentials.error().text());
      continue;
    }
    auto& link = *links_.emplace_back(std::make_unique<Link>());
    const auto& name = server.name;
    link.client = WebClient::connect(
        io, server.control_host, server.control_port,
        {[&coordination, &link, name] {
           link.reason.clear();
           coordination.connected(name, [&link](std::string text) { link.client->send(std::move(text)); });
         },
         [&coordination, name](std::string_view text) { coordination.hear(name, text, Moment::now()); },
         [&coordination, &link, name](const std::string& reason) {
           coordination.lost(name, Moment::now());
           if (std::exchange(link.reason, reason) != reason)
             spdlog::warn("server {} is not connected ({}); trying again", name, reason);
         }},
        std::move(*credentials));
  }
}

}  // namespace lw
