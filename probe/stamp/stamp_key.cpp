#include "probe/stamp/stamp_key.h"

#include "common/access/private_file.h"
#include "common/base/whole_number.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace lw {

Result<StampKey> StampKey::load(const std::string& file) {
  auto text = read_private_file(file);
  if (!text) return text.error();
  const Error wrong{file + " has no STAMP key", "write one line of at least 32 hex digits: openssl rand -hex 32"};
  if (!*text) return wrong;
  while (!(*text)->empty() && ((*text)->back() == '\n' || (*text)->back() == '\r')) (*text)->pop_back();
  const std::string& digits = **text;
  std::vector<std::byte> bytes(digits.size() / 2);
  if (digits.size() % 2 != 0 || bytes.size() < bytes_min) return wrong;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    unsigned value = 0;
    const auto* begin = digits.data() + 2 * i;
    if (const auto [end, error] = std::from_chars(begin, begin + 2, value, 16);
        error != std::errc{} || end != begin + 2)
      return wrong;
    bytes[i] = static_cast<std::byte>(value);
  }
  return StampKey(std::move(bytes));
}

StampDigest StampKey::digest(std::span<const std::byte> first, std::span<const std::byte> second) const {
  std::vector<unsigned char> text(first.size() + second.size());
  const auto* begin = reinterpret_cast<const unsigned char*>(first.data());
  std::copy_n(begin, first.size(), text.begin());
  if (!second.empty())
    std::copy_n(reinterpret_cast<const unsigned char*>(second.data()), second.size(),
                text.begin() + static_cast<std::ptrdiff_t>(first.size()));
  std::array<unsigned char, EVP_MAX_MD_SIZE> whole{};
  HMAC(EVP_sha256(), bytes_.data(), static_cast<int>(bytes_.size()), text.data(), text.size(), whole.data(), nullptr);
  StampDigest digest{};
  std::copy_n(reinterpret_cast<const std::byte*>(whole.data()), digest.size(), digest.begin());
  return digest;
}

bool StampKey::made(std::span<const std::byte> digest, std::span<const std::byte> first,
                    std::span<const std::byte> second) const {
  const auto own = this->digest(first, second);
  return digest.size() == own.size() && CRYPTO_memcmp(digest.data(), own.data(), own.size()) == 0;
}

}  // namespace lw
