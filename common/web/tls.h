// TLS contexts (TLS 1.2 and later) for both ends. Inside common/web only.
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
// With a CA the library rejects other servers; without one it accepts all, and check_server() decides.
Result<TlsContext> client_tls(const std::filesystem::path& ca);

}  // namespace lw
