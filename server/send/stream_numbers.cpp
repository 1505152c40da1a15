#include "server/send/stream_numbers.h"

#include "common/base/hex_digits.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <cassert>
#include <random>
#include <span>

namespace lw {
namespace {

constexpr std::string_view digits = "0123456789abcdef";

// HMAC-SHA256 (RFC 2104) of a name, taken as numbers one after the other.
class Derived {
public:
  Derived(const WallStart& start, const std::string& name) {
    unsigned length = 0;
    [[maybe_unused]] const auto* made =
        HMAC(EVP_sha256(), start.secret.data(), static_cast<int>(start.secret.size()),
             reinterpret_cast<const unsigned char*>(name.data()), name.size(), bytes_.data(), &length);
    assert(made != nullptr && length == bytes_.size());
  }
  std::uint32_t next(unsigned bytes) {
    std::uint32_t number = 0;
    for (unsigned i = 0; i < bytes; ++i) number = number << 8U | bytes_[at_++];
    return number;
  }

private:
  std::array<unsigned char, 32> bytes_{};
  std::size_t at_ = 0;
};

}  // namespace

WallStart WallStart::random() {
  std::random_device chance;
  WallStart start;
  for (auto& byte : start.secret) byte = static_cast<std::byte>(chance());
  return start;
}

std::string WallStart::text() const {
  std::string text;
  for (const auto byte : secret) {
    text += digits[std::to_integer<std::size_t>(byte >> 4U)];
    text += digits[std::to_integer<std::size_t>(byte & std::byte{15})];
  }
  return text;
}

std::optional<WallStart> WallStart::parse(std::string_view text) {
  WallStart start;
  if (!are_digits(text, 2 * start.secret.size())) return {};
  for (std::size_t i = 0; i < start.secret.size(); ++i)
    start.secret[i] = static_cast<std::byte>(digits.find(text[2 * i]) << 4U | digits.find(text[2 * i + 1]));
  return start;
}

StreamNumbers StreamNumbers::random() { return of(WallStart::random(), 0, {}); }

StreamNumbers StreamNumbers::of(const WallStart& start, unsigned flow, std::string_view server) {
  Derived shared(start, "flow " + std::to_string(flow));
  Derived own(start, "resends of flow " + std::to_string(flow) + " by " + std::string(server));
  StreamNumbers numbers;
  numbers.ssrc = shared.next(4);
  numbers.first_sequence = shared.next(2);  // other receivers take only 16 bits (RFC 3550)
  numbers.parity_ssrc = shared.next(4);
  numbers.first_parity = static_cast<std::uint16_t>(shared.next(2));
  numbers.resend_ssrc = own.next(4);
  numbers.first_resend = static_cast<std::uint16_t>(own.next(2));
  return numbers;
}

}  // namespace lw
