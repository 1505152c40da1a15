#include "common/access/token_commands.h"

#include "common/access/audit_log.h"
#include "common/access/certificate.h"
#include "common/access/tokens.h"

#include <fmt/format.h>

namespace lw {
namespace {

void write_audit(const std::filesystem::path& state, std::string_view method, const Json& params) {
  AuditLog(state / "audit.ndjson").write({"command line", name_of(AccessRole::administer), "", method, params, "done"});
}

}  // namespace

Result<std::string> run(const TokenCommands& commands, const std::filesystem::path& state,
                        const std::filesystem::path& certificate) {
  const auto file = state / "tokens.json";
  std::string out;
  if (!commands.remove.empty()) {
    if (const auto removed = remove_token(file, commands.remove); !removed) return removed.error();
    write_audit(state, "remove-token", {{"name", commands.remove}});
  }
  if (!commands.add.empty()) {
    const auto role = access_role(commands.role);
    if (!role) return Error{"--add-token needs a --role", "view, operate, administer, node or server"};
    const auto token = add_token(file, commands.add, *role);
    if (!token) return token.error();
    write_audit(state, "add-token", {{"name", commands.add}, {"role", commands.role}});
    out += *token + "\n";
  }
  if (commands.list) {
    const auto tokens = load_tokens(file);
    if (!tokens) return tokens.error();
    for (const auto& token : *tokens)
      out += fmt::format("{:<24} {:<11} {}\n", token.name, name_of(token.role), token.made);
  }
  if (commands.fingerprint) {
    std::filesystem::path of = certificate;
    if (of.empty()) {
      const auto own = own_certificate(state);
      if (!own) return own.error();
      of = own->certificate;
    }
    const auto fingerprint = fingerprint_of(of);
    if (!fingerprint) return fingerprint.error();
    out += *fingerprint + "\n";
  }
  return {boost::system::in_place_value, std::move(out)};
}

}  // namespace lw
