// Contexts of TLS 1.2 and later for both ends. Inside common/web only.
#pragma once

#include "common/access/certificate.h"
#include "common/base/result.h"

#include <filesystem>
#include <memory>

namespace boost::asio::ssl {
class context;
}

namespace lw {

using TlsContext = std::shared_ptr<boost::asio::ssl::context>;

Result<TlsContext> server_tls(const CertificateFiles& files);
// With a CA the library refuses all others; without one everybody is taken, for check_server() to decide.
Result<TlsContext> client_tls(const std::filesystem::path& ca);

}  // namespace lw
