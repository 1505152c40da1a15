#include "common/access/tickets.h"

#include "common/access/digest.h"

#include <charconv>
#include <cstdint>

namespace lw {
namespace {

// Crockford's base 32: no letter that looks like a digit.
constexpr std::string_view letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr unsigned bits_of_letter = 5;
constexpr std::size_t ticket_bytes = 5;
constexpr std::size_t typed_max = 32;

char letter_meant(char typed) {
  const char upper = typed >= 'a' && typed <= 'z' ? static_cast<char>(typed - 'a' + 'A') : typed;
  if (upper == 'O') return '0';
  return upper == 'I' || upper == 'L' ? '1' : upper;
}

}  // namespace

Result<std::string> random_ticket() {
  const auto random = random_hex(ticket_bytes);
  if (!random) return random.error();
  std::uint64_t bits = 0;
  std::from_chars(random->data(), random->data() + random->size(), bits, 16);
  std::string ticket;
  for (std::size_t i = 0; i < ticket_letters; ++i) {
    ticket += letters[bits & (letters.size() - 1)];
    bits >>= bits_of_letter;
  }
  return {boost::system::in_place_value, std::move(ticket)};
}

std::string ticket_text(std::string_view ticket) {
  return std::string(ticket.substr(0, ticket_letters / 2)).append("-").append(ticket.substr(ticket_letters / 2));
}

std::optional<std::string> read_ticket(std::string_view typed) {
  if (typed.size() > typed_max) return std::nullopt;
  std::string ticket;
  for (const char c : typed) {
    if (c == ' ' || c == '-') continue;
    const char letter = letter_meant(c);
    if (letters.find(letter) == std::string_view::npos) return std::nullopt;
    ticket += letter;
  }
  return ticket.size() == ticket_letters ? std::optional(std::move(ticket)) : std::nullopt;
}

}  // namespace lw
