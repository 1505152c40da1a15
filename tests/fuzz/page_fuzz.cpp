// What browsers send, and what people type: cookies, origins, tickets and paths give a value of the right form or none.
#include "common/access/session_cookie.h"
#include "common/access/tickets.h"
#include "common/base/hex_digits.h"
#include "common/web/page_origin.h"
#include "server/control/percent_coding.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace lw;

void must(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto secret = session_in(text);
  must(secret.empty() || are_digits(secret, session_secret_digits));
  if (const auto ticket = read_ticket(text)) must(read_ticket(ticket_text(*ticket)) == *ticket);
  if (const auto decoded = percent_decoded(text)) must(decoded->size() <= text.size());
  const auto middle = text.find('\n');
  const auto origin = text.substr(0, middle);
  const auto host = middle == std::string_view::npos ? std::string_view() : text.substr(middle + 1);
  must(!(is_own_origin(origin, host, true) && is_own_origin(origin, host, false)));
  return 0;
}
