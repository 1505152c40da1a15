// The certificate by which a server off loopback is known: made by itself, or given.
#pragma once

#include "common/base/result.h"

#include <filesystem>
#include <string>

namespace lw {

// PEM files.
struct CertificateFiles {
  std::filesystem::path certificate;
  std::filesystem::path key;
};

// control.crt and control.key of the state folder; made at the first call: EC P-256, for ten years and all addresses
// that this host has then.
Result<CertificateFiles> own_certificate(const std::filesystem::path& state);
Result<std::string> fingerprint_of(const std::filesystem::path& certificate);

}  // namespace lw
