#include "common/access/gate.h"

#include "common/net/address.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <algorithm>

namespace lw {

Gate::FileVersion Gate::version() const {
  struct stat found {};
  if (::stat(token_file_.c_str(), &found) != 0) return {};
  return {found.st_ino, found.st_size, std::int64_t{found.st_ctim.tv_sec} * 1'000'000'000 + found.st_ctim.tv_nsec};
}

// If the file cannot be read, no token is accepted.
void Gate::refresh() {
  const auto now = version();
  if (now == version_) return;
  version_ = now;
  auto tokens = load_tokens(token_file_);
  if (!tokens) spdlog::error("no token is accepted: {}", tokens.error().text());
  tokens_ = tokens ? std::move(*tokens) : std::vector<Token>();
}

bool Gate::knows(const Visitor& visitor) const {
  if (visitor.token_sha256.empty()) return true;
  return std::ranges::any_of(tokens_, [&](const Token& token) {
    return token.name == visitor.name && token.role == visitor.role && token.sha256 == visitor.token_sha256;
  });
}

std::variant<Visitor, HttpReply> Gate::admit(const WebRequest& request, LocalTime now) {
  if (request.trusted) return Visitor();
  if (!request.upgrade && request.path == "/healthz") return Visitor{"", AccessRole::view, "", false};
  if (const auto wait = failures_.wait(request.host, now))
    return HttpReply{
        429, "text/plain", "too many failures from this address\n", {{"Retry-After", std::to_string(wait->count())}}};
  refresh();
  const auto* token = request.token.empty() ? nullptr : find_token(tokens_, request.token);
  if (token == nullptr) return refuse(request, now);
  if (!request.upgrade && !may(token->role, AccessRole::view))
    return HttpReply{403, "text/plain", "the role view is needed\n"};
  return Visitor{token->name, token->role, token->sha256};
}

HttpReply Gate::refuse(const WebRequest& request, LocalTime now) {
  failures_.failed(request.host, now);
  const auto* const why = request.token.empty() ? "no token" : "a wrong token";
  const bool waits = failures_.wait(request.host, now).has_value();
  if (const auto held = refusals_.take(now))
    spdlog::warn("rejected {}: {}{}{}", request.host, why, waits ? "; further attempts are ignored for a minute" : "",
                 *held > 0 ? fmt::format("; {} more were rejected since the last message", *held) : "");
  const Json params{{"path", request.path}};
  const auto outcome = fmt::format("refused: {}{}", why, waits ? ", waits" : "");
  attempts_->add({"", "", request.host, request.upgrade ? "connect" : "get", params, outcome}, request.host, now);
  return {401, "text/plain", "a token is needed: Authorization: Bearer lw-...\n", {{"WWW-Authenticate", "Bearer"}}};
}

void Gate::write_change(const Visitor& visitor, std::string_view address, std::string_view method, const Json& params,
                        std::string_view outcome) {
  audit_.write({visitor.name, name_of(visitor.role), address, method, params, outcome});
}

void Gate::write_attempt(const Visitor& visitor, std::string_view address, std::string_view method, const Json& params,
                         std::string_view outcome, LocalTime now) {
  const auto parts = split_host_port(std::string(address));
  attempts_->add({visitor.name, name_of(visitor.role), address, method, params, outcome},
                 parts ? parts->host : std::string(address), now);
}

}  // namespace lw
