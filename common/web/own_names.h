// What this server may be called in the Host of a request. A web page whose name an attacker lets resolve to this host
// (DNS rebinding) reads as if it were ours; but its browser still says the page's name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lw {

class OwnNames {
public:
  // Beside these, which are host names ("*.example.org" stands for one label) and numeric addresses, a server is called
  // by its host's name, by localhost and addresses of loopback, and by the address that the connection came to.
  explicit OwnNames(const std::vector<std::string>& names);

  // `host`: of the request, with or without a port. `local`: the numeric address that the connection came to.
  [[nodiscard]] bool has(std::string_view host, const std::string& local) const;

private:
  [[nodiscard]] bool has_name(std::string_view name) const;
  std::vector<std::string> names_;  // in lower case
};

}  // namespace lw
