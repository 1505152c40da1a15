// The names of this server that are accepted in the Host of a request. A web page whose name an attacker resolves to
// this host (DNS rebinding) could otherwise use this server; but its browser still sends the page's name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lw {

class OwnNames {
public:
  // `names`: host names ("*.example.org" stands for one label) and numeric addresses, in addition to the host's name,
  // localhost, loopback addresses, and the address to which the connection was made.
  explicit OwnNames(const std::vector<std::string>& names);

  // `host`: from the request, with or without a port. `local`: the numeric address to which the connection was made.
  [[nodiscard]] bool has(std::string_view host, const std::string& local) const;

private:
  [[nodiscard]] bool has_name(std::string_view name) const;
  std::vector<std::string> names_;  // in lower case
};

}  // namespace lw
