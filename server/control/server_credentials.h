// What the coordinator needs to connect to the wall's other servers, if they are not on this host.
#pragma once

#include <string>

namespace lw {

struct ServerCredentials {
  std::string ca;            // file of certificates (PEM); empty: by fingerprint
  std::string token_folder;  // of files that are named like the servers; each holds the token that server made
  std::string state;         // the folder of known servers
};

}  // namespace lw
