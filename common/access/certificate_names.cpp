#include "common/access/certificate_names.h"

#include "common/access/openssl_handles.h"
#include "common/access/private_file.h"

#include <arpa/inet.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <array>

namespace lw {
namespace {

X509Handle certificate_in(const std::string& text) {
  const BioHandle bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  return X509Handle(bio ? PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr) : nullptr);
}

// A host name or an address; empty for other entries.
std::string name_of_entry(const GENERAL_NAME& name) {
  const auto* const text = name.type == GEN_DNS ? name.d.dNSName : name.type == GEN_IPADD ? name.d.iPAddress : nullptr;
  if (text == nullptr) return {};
  const auto* const data = ASN1_STRING_get0_data(text);
  const auto bytes = static_cast<std::size_t>(ASN1_STRING_length(text));
  if (name.type == GEN_DNS) return {reinterpret_cast<const char*>(data), bytes};
  std::array<char, INET6_ADDRSTRLEN> address{};
  if (bytes != 4 && bytes != 16) return {};
  return inet_ntop(bytes == 4 ? AF_INET : AF_INET6, data, address.data(), address.size()) != nullptr ? address.data()
                                                                                                     : "";
}

}  // namespace

std::vector<std::string> names_in(const std::filesystem::path& certificate) {
  std::vector<std::string> names;
  const auto text = read_private_file(certificate);
  const auto read = text && *text ? certificate_in(**text) : X509Handle();
  if (!read) return names;
  const std::unique_ptr<GENERAL_NAMES, OpensslFree<GENERAL_NAMES_free>> all(
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(read.get(), NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; all && i < sk_GENERAL_NAME_num(all.get()); ++i)
    if (auto name = name_of_entry(*sk_GENERAL_NAME_value(all.get(), i)); !name.empty())
      names.push_back(std::move(name));
  return names;
}

}  // namespace lw
