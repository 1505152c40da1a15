#include "server/control/tablet_page.h"

#include "common/access/session_cookie.h"
#include "common/base/json_depth.h"
#include "common/messages/message.h"
#include "common/messages/rpc.h"
#include "common/messages/tablet.h"
#include "server/control/library_image.h"
#include "server/control/percent_coding.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "tablet_files.h"

namespace lw {
namespace {

constexpr std::string_view page_path = "/tablet";
constexpr std::string_view folder_path = "/tablet/";
constexpr std::string_view login_path = "/tablet/login";
constexpr std::string_view logout_path = "/tablet/logout";
constexpr std::string_view session_path = "/tablet/session";
constexpr std::string_view poster_path = "/tablet/poster/";
constexpr std::string_view plain = "text/plain; charset=utf-8";

// The file at a path; null: none.
const tablet::File* file_at(std::string_view path) {
  if (path == page_path) path = "/tablet/index.html";
  if (!path.starts_with(folder_path)) return nullptr;
  const auto found = std::ranges::find(tablet::files, path.substr(folder_path.size()), &tablet::File::name);
  return found == std::end(tablet::files) ? nullptr : found;
}

std::string_view type_of(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  return "image/svg+xml";
}

// Browsers run and show nothing but what comes from here, embed it nowhere else, tell nobody about it, and keep no
// copy.
HttpReply answer(unsigned status, std::string_view type, std::string body) {
  return {status,
          std::string(type),
          std::move(body),
          {{"Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
            "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"},
           {"X-Frame-Options", "DENY"},
           {"Cross-Origin-Opener-Policy", "same-origin"},
           {"Cross-Origin-Resource-Policy", "same-origin"},
           {"Referrer-Policy", "no-referrer"},
           {"Cache-Control", "no-store"}}};
}

HttpReply needs_session() { return answer(401, plain, "log in with a ticket\n"); }

}  // namespace

void TabletPage::set_place(std::string address, std::string fingerprint) {
  address_ = std::move(address);
  fingerprint_ = std::move(fingerprint);
}

bool TabletPage::has(std::string_view path) { return path == page_path || path.starts_with(folder_path); }

// A page is trusted only with a session, wherever its browser runs: on this host too, people open pages.
std::variant<Visitor, HttpReply> TabletPage::admit(const WebRequest& request, LocalTime now) {
  const bool is_open = !request.upgrade && (file_at(request.path) != nullptr || request.path == login_path);
  if (is_open) return Visitor{"", AccessRole::view, "", false};
  if (!request.from_page && !has(request.path)) {
    if (gate_ != nullptr) return gate_->admit(request, now);
    return Visitor();
  }
  if (auto visitor = sessions_.find(session_in(request.cookies), now)) return std::move(*visitor);
  return needs_session();
}

HttpReply TabletPage::get(std::string_view path) const {
  if (const auto* file = file_at(path)) return answer(200, type_of(file->name), std::string(file->text));
  if (path == session_path) return answer(204, plain, "");
  if (path.starts_with(poster_path)) return poster(path.substr(poster_path.size()));
  return answer(404, plain, "the page has no such part\n");
}

HttpReply TabletPage::poster(std::string_view name) const {
  const auto folder = percent_decoded(name);
  if (!folder) return answer(400, plain, "a name in the path is not encoded correctly\n");
  auto image = read_image(library_, *folder, ImageKind::poster);
  if (!image) return answer(404, plain, "there is no such poster\n");
  return answer(200, image->type == ImageType::png ? "image/png" : "image/jpeg", std::move(image->bytes));
}

HttpReply TabletPage::post(const WebRequest& request, std::string_view body, LocalTime now) {
  if (request.path == login_path) return log_in(request, body, now);
  if (request.path != logout_path) return answer(404, plain, "the page has no such part\n");
  sessions_.end(session_in(request.cookies));
  auto reply = answer(204, plain, "");
  reply.headers.emplace_back("Set-Cookie", ended_session_cookie());
  return reply;
}

HttpReply TabletPage::log_in(const WebRequest& request, std::string_view body, LocalTime now) {
  if (const auto wait = failures_.wait(request.host, now)) {
    auto reply = answer(429, plain, "too many wrong tickets from this address; wait a minute\n");
    reply.headers.emplace_back("Retry-After", std::to_string(wait->count()));
    return reply;
  }
  const Json json = is_json_deeper_than(rpc_depth_max, body) ? Json() : Json::parse(body, nullptr, false);
  const auto login = read_message<TabletLogin>(json);
  if (!login) return answer(400, plain, "the body must be {\"ticket\": \"...\"}: " + login.error().what + "\n");
  const auto opened = sessions_.exchange(login->ticket, now);
  if (!opened) return refuse_ticket(request, opened.error(), now);
  sessions_.end(session_in(request.cookies));  // the new cookie replaces the one of an earlier session
  spdlog::info("{} logged in from {} ({})", opened->visitor.name, request.host, name_of(opened->visitor.role));
  if (gate_ != nullptr) gate_->write_change(opened->visitor, request.host, "tablet.login", Json::object(), "done");
  auto reply = answer(204, plain, "");
  reply.headers.emplace_back("Set-Cookie", session_cookie(opened->secret));
  return reply;
}

HttpReply TabletPage::refuse_ticket(const WebRequest& request, const Error& error, LocalTime now) {
  failures_.failed(request.host, now);
  const bool waits = failures_.wait(request.host, now).has_value();
  if (gate_ != nullptr)
    gate_->write_attempt({"", AccessRole::view}, request.host, "tablet.login", Json::object(),
                         waits ? "refused: a wrong ticket, waits" : "refused: a wrong ticket", now);
  return answer(403, plain, error.text() + "\n");
}

}  // namespace lw
