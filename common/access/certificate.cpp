#include "common/access/certificate.h"

#include "common/access/digest.h"
#include "common/access/openssl_handles.h"
#include "common/access/private_file.h"
#include "common/base/file_lock.h"
#include "common/base/fingerprint.h"
#include "common/base/host_name.h"
#include "common/host/nic.h"

#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <cstdint>
#include <set>

namespace lw {
namespace {

constexpr long day_s = 86'400;
constexpr int years_valid = 10;

// "DNS:gpu1,DNS:localhost,IP:10.0.0.1,...": programs that check names (curl, Prometheus) find the name they used.
std::string names_of_this_host() {
  std::set<std::string> addresses{"127.0.0.1", "::1"};
  for (const auto& [interface, address] : interface_addresses()) addresses.insert(address);
  std::string names = "DNS:localhost";
  // Skips names that would be parsed as more than a name.
  if (const auto name = host_name(); !name.empty() && name.find_first_of(",:/") == std::string::npos)
    names += ",DNS:" + name;
  for (const auto& address : addresses) names += ",IP:" + address;
  return names;
}

bool add_extension(X509& certificate, int kind, const std::string& value) {
  const std::unique_ptr<X509_EXTENSION, OpensslFree<X509_EXTENSION_free>> extension(
      X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str()));
  return extension && X509_add_ext(&certificate, extension.get(), -1) == 1;
}

bool set_serial(X509& certificate) {
  std::uint64_t serial = 0;
  return RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof(serial)) == 1 &&
         ASN1_INTEGER_set_uint64(X509_get_serialNumber(&certificate), serial >> 1U) == 1;
}

X509Handle self_signed(EVP_PKEY& key) {
  X509Handle certificate(X509_new());
  if (!certificate) return {};
  auto* name = X509_get_subject_name(certificate.get());
  const auto* const common_name = reinterpret_cast<const unsigned char*>("lambdawall control plane");
  const bool made = X509_set_version(certificate.get(), X509_VERSION_3) == 1 && set_serial(*certificate) &&
                    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -day_s) != nullptr &&
                    X509_time_adj_ex(X509_getm_notAfter(certificate.get()), 365 * years_valid, 0, nullptr) != nullptr &&
                    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, common_name, -1, -1, 0) == 1 &&
                    X509_set_issuer_name(certificate.get(), name) == 1 &&
                    X509_set_pubkey(certificate.get(), &key) == 1 &&
                    add_extension(*certificate, NID_basic_constraints, "critical,CA:FALSE") &&
                    add_extension(*certificate, NID_key_usage, "critical,digitalSignature") &&
                    add_extension(*certificate, NID_ext_key_usage, "serverAuth") &&
                    add_extension(*certificate, NID_subject_alt_name, names_of_this_host()) &&
                    X509_sign(certificate.get(), &key, EVP_sha256()) > 0;
  if (!made) return {};
  return certificate;
}

std::string text_of(BIO& bio) {
  char* data = nullptr;
  const auto bytes = BIO_get_mem_data(&bio, &data);
  return {data, static_cast<std::size_t>(bytes)};
}

Result<void> make(const CertificateFiles& files) {
  const KeyHandle key(EVP_EC_gen("P-256"));
  const auto certificate = key ? self_signed(*key) : X509Handle();
  const BioHandle key_text(BIO_new(BIO_s_mem()));
  const BioHandle text(BIO_new(BIO_s_mem()));
  if (!certificate || !key_text || !text ||
      PEM_write_bio_PKCS8PrivateKey(key_text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1 ||
      PEM_write_bio_X509(text.get(), certificate.get()) != 1)
    return Error{"cannot create a certificate: " + openssl_error(), "provide one with --certificate and --key"};
  if (auto written = write_private_file(files.key, text_of(*key_text)); !written) return written;
  return write_private_file(files.certificate, text_of(*text));
}

}  // namespace

Result<CertificateFiles> own_certificate(const std::filesystem::path& state) {
  CertificateFiles files{state / "control.crt", state / "control.key"};
  std::error_code ignored;
  if (exists(files.certificate, ignored) && exists(files.key, ignored)) return files;
  // Two programs that start together must not each create one half of the pair.
  const auto lock = FileLock::take(files.certificate);
  if (!lock) return lock.error();
  const bool certificate = exists(files.certificate, ignored);
  if (certificate != exists(files.key, ignored))
    return Error{(certificate ? files.key : files.certificate).string() + " is missing beside " +
                     (certificate ? files.certificate : files.key).string(),
                 "restore it, or remove the other for a new pair with another fingerprint"};
  if (!certificate)
    if (const auto made = make(files); !made) return made.error();
  return files;
}

std::string fingerprint_of(const X509& certificate) {
  unsigned char* der = nullptr;
  const int bytes = i2d_X509(&certificate, &der);
  const std::unique_ptr<unsigned char, decltype([](unsigned char* p) { OPENSSL_free(p); })> holder(der);
  if (bytes <= 0) return {};
  return std::string(fingerprint_prefix) +
         sha256_hex({reinterpret_cast<const char*>(der), static_cast<std::size_t>(bytes)});
}

Result<std::string> fingerprint_of(const std::filesystem::path& certificate) {
  const auto text = read_private_file(certificate);
  if (!text) return text.error();
  if (!*text) return Error{"there is no " + certificate.string(), "correct --certificate"};
  const BioHandle bio(BIO_new_mem_buf((*text)->data(), static_cast<int>((*text)->size())));
  const X509Handle read(bio ? PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr) : nullptr);
  if (!read)
    return Error{certificate.string() + " is not a certificate in PEM form: " + openssl_error(),
                 "correct --certificate"};
  return {boost::system::in_place_value, fingerprint_of(*read)};
}

}  // namespace lw
