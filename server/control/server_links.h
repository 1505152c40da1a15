// This server's connections to the wall's others. Runs on the control thread's io_context.
#pragma once

#include "common/web/web_client.h"
#include "server/control/coordination.h"
#include "server/control/server_credentials.h"

#include <memory>
#include <vector>

namespace lw {

class ServerLinks {
public:
  // Connects to each of the wall's servers but `self`, for ever. `coordination` must outlive this object.
  ServerLinks(boost::asio::io_context& io, const Wall& wall, const WallServer& self, Coordination& coordination,
              const ServerCredentials& credentials);

private:
  struct Link {
    std::unique_ptr<WebClient> client;
    std::string reason;  // why the connection failed; logged once
  };
  std::vector<std::unique_ptr<Link>> links_;
};

}  // namespace lw
