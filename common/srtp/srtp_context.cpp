#include "common/srtp/srtp_context.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <srtp2/srtp.h>

#include <cassert>
#include <string_view>

namespace lw {
namespace {

// Packets that arrive more than this many packets late count as lost. Two paths may differ by that much; libsrtp shifts
// a bit for each of them with every packet.
constexpr unsigned long replay_window = 8192;

constexpr std::string_view key_purpose = "lambdawall media 1";

using Secret = std::array<unsigned char, SRTP_AES_GCM_256_KEY_LEN_WSALT>;

bool started() {
  static const bool done = srtp_init() == srtp_err_status_ok;
  return done;
}

bool derive(const MediaKey& key, const SrtpContext::Id& id, Secret& out) {
  struct Free {
    void operator()(EVP_KDF* kdf) const { EVP_KDF_free(kdf); }
    void operator()(EVP_KDF_CTX* context) const { EVP_KDF_CTX_free(context); }
  };
  const std::unique_ptr<EVP_KDF, Free> kdf(EVP_KDF_fetch(nullptr, "HKDF", nullptr));
  if (!kdf) return false;
  const std::unique_ptr<EVP_KDF_CTX, Free> context(EVP_KDF_CTX_new(kdf.get()));
  if (!context) return false;
  const auto octets = [](const char* name, const void* data, std::size_t bytes) {
    return OSSL_PARAM_construct_octet_string(name, const_cast<void*>(data), bytes);
  };
  char digest[] = "SHA256";
  const std::array parameters{
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
      octets(OSSL_KDF_PARAM_KEY, key.bytes.data(), key.bytes.size()), octets(OSSL_KDF_PARAM_SALT, id.data(), id.size()),
      octets(OSSL_KDF_PARAM_INFO, key_purpose.data(), key_purpose.size()), OSSL_PARAM_construct_end()};
  return EVP_KDF_derive(context.get(), out.data(), out.size(), parameters.data()) == 1;
}

}  // namespace

void SrtpContext::Free::operator()(srtp_ctx_t_* context) const { srtp_dealloc(context); }

std::optional<SrtpContext> SrtpContext::create(const MediaKey& key, const Id& id, Direction direction) {
  Secret secret{};
  if (!started() || !derive(key, id, secret)) return std::nullopt;
  auto mki = id;
  srtp_master_key_t master{secret.data(), mki.data(), static_cast<unsigned>(mki.size())};
  srtp_master_key_t* masters[] = {&master};
  srtp_policy_t policy{};
  srtp_crypto_policy_set_aes_gcm_256_16_auth(&policy.rtp);
  srtp_crypto_policy_set_aes_gcm_256_16_auth(&policy.rtcp);
  policy.ssrc.type = direction == Direction::sealing ? ssrc_any_outbound : ssrc_any_inbound;
  policy.keys = masters;
  policy.num_master_keys = 1;
  policy.window_size = replay_window;
  srtp_t context = nullptr;
  const bool created = srtp_create(&context, &policy) == srtp_err_status_ok;
  OPENSSL_cleanse(secret.data(), secret.size());
  if (!created) return std::nullopt;
  return SrtpContext(context);
}

bool SrtpContext::seal(Kind kind, std::span<std::byte> room, std::size_t& bytes) {
  assert(bytes + tag_bytes + rtcp_index_bytes + id_bytes <= room.size());
  int length = static_cast<int>(bytes);
  const auto status = kind == Kind::media ? srtp_protect_mki(context_.get(), room.data(), &length, 1, 0)
                                          : srtp_protect_rtcp_mki(context_.get(), room.data(), &length, 1, 0);
  bytes = static_cast<std::size_t>(length);
  return status == srtp_err_status_ok;
}

SrtpContext::Fate SrtpContext::open(Kind kind, std::span<std::byte>& packet) {
  int length = static_cast<int>(packet.size());
  const auto status = kind == Kind::media ? srtp_unprotect_mki(context_.get(), packet.data(), &length, 1)
                                          : srtp_unprotect_rtcp_mki(context_.get(), packet.data(), &length, 1);
  switch (status) {
    case srtp_err_status_ok:
      packet = packet.first(static_cast<std::size_t>(length));
      return Fate::done;
    case srtp_err_status_replay_fail:
      return Fate::repeated;
    case srtp_err_status_replay_old:
      return Fate::too_old;
    default:
      return Fate::refused;
  }
}

}  // namespace lw
