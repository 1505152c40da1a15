#include "wall-control/link/control_link.h"

#include "common/access/access_role.h"
#include "common/messages/message.h"
#include "common/messages/rpc.h"
#include "wall-control/link/call_all.h"
#include "wall-control/link/control_url.h"
#include "wall-control/messages/told.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <optional>

namespace lw {
namespace {

constexpr int retry_first_ms = 250;
constexpr int retry_max_ms = 2000;
constexpr int answer_timeout_ms = 5000;
constexpr int second_ms = 1000;
constexpr const char* telemetry_method = "telemetry";
constexpr std::size_t frequent_flows_max = 1024;
constexpr int flows_every_of_many = 5;  // tenths of a second

// The role of the connection's token, as the server reports it in `you`. Empty: an unknown role, which allows nothing.
// A server that reports none has no roles: everything is allowed.
std::optional<AccessRole> role_in(const InfoReply& info) {
  return info.you ? access_role(info.you->role) : AccessRole::administer;
}

AccessRole role_for(const QString& method) { return role_needed(method.toStdString()).value_or(AccessRole::view); }

// The reason why nothing can be changed from this window; empty for calls that only read.
QString guard_reason(ControlLink::Guard guard, const QString& method) {
  if (guard == ControlLink::Guard::none || role_for(method) == AccessRole::view) return {};
  return guard == ControlLink::Guard::locked ? ControlLink::tr("the controls are locked; unlock them first")
                                             : ControlLink::tr("this wall is open for viewing only");
}

}  // namespace

ControlLink::ControlLink(QObject* parent) : TelemetrySource(parent), retry_ms_(retry_first_ms) {
  retry_.setSingleShot(true);
  answer_timeout_.setSingleShot(true);
  connect(&retry_, &QTimer::timeout, this, &ControlLink::try_again);
  connect(&answer_timeout_, &QTimer::timeout, this, [this] {
    socket_.abort();
    on_closed(tr("it does not answer; is it a wall-server?"));
  });
  connect(&socket_, &WallSocket::opened, this, &ControlLink::on_connected);
  connect(&socket_, &WallSocket::closed, this, &ControlLink::on_closed);
  connect(&socket_, &WallSocket::refused, this, &ControlLink::on_refused);
  connect(&socket_, &WallSocket::heard, this, &ControlLink::on_message);
  connect(&socket_, &WallSocket::heard_bytes, this, [this](const QByteArray& bytes) {
    if (state_ == State::ready && has_tables_) tables_.read(bytes, tells_tables_);
  });
  connect(&tables_, &StatsReader::arrived, this, &ControlLink::on_tables);
  connect(&tables_, &StatsReader::misread, this, [this](const QString& problem) { report_once("stats", problem); });
  connect(&tables_, &StatsReader::full_wanted, this, [this] {
    if (state_ == State::ready) ask_for_telemetry();
  });
}

ControlLink::~ControlLink() {
  socket_.disconnect(this);
  pending_.clear();
}

void ControlLink::connect_to(const QString& address, const QString& token) {
  disconnect_from();
  address_ = address.trimmed();
  token_ = token;
  wanted_ = true;
  retry_ms_ = retry_first_ms;
  open();
}

void ControlLink::disconnect_from() {
  wanted_ = false;
  retry_.stop();
  answer_timeout_.stop();
  socket_.abort();
  fail_pending(tr("disconnected"));
  refusal_ = {};
  cause_.clear();
  set_state(State::idle, tr("Not connected"));
}

void ControlLink::open() {
  const auto url = control_url(address_);
  if (!url.isValid()) {
    wanted_ = false;
    set_state(State::refused, tr("'%1' is not an address; write HOST:PORT").arg(address_));
    return;
  }
  if (state_ != State::unreachable) set_state(State::connecting, tr("Connecting to %1\u2026").arg(address_));
  refusal_ = {};
  answer_timeout_.start(answer_timeout_ms);
  socket_.open(url, token_);
}

void ControlLink::try_again() {
  if (refusal_.kind != Refusal::Kind::too_many || --refusal_.wait_s <= 0) return open();
  on_refused(Refusal(refusal_));
}

// Trying again would not help, except after some time.
void ControlLink::on_refused(const Refusal& refusal) {
  using Kind = Refusal::Kind;
  answer_timeout_.stop();
  refusal_ = refusal;
  wanted_ = refusal.kind == Kind::too_many;
  cause_ = refusal.words;
  if (wanted_) retry_.start(second_ms);
  set_state(State::refused, refusal_text());
}

QString ControlLink::refusal_text() const {
  using Kind = Refusal::Kind;
  switch (refusal_.kind) {
    case Kind::first_use:
      return tr("New server: check its fingerprint");
    case Kind::other_certificate:
      return tr("The certificate of %1 has changed").arg(address_);
    case Kind::bad_certificate:
      return tr("The certificate of %1 is not accepted").arg(address_);
    case Kind::token:
      return token_.isEmpty() ? tr("%1 asks for a token").arg(address_)
                              : tr("%1 does not know this token").arg(address_);
    case Kind::too_many:
      return tr("Too many wrong tokens. Trying again in %1 s.").arg(refusal_.wait_s);
    case Kind::none:
    case Kind::other:
      break;
  }
  return tr("Refused: %1: %2").arg(address_, refusal_.words);
}

void ControlLink::try_now() {
  if (!wanted_ || state_ != State::unreachable) return;
  retry_.stop();
  open();
}

void ControlLink::believe() {
  if (refusal_.kind != Refusal::Kind::first_use) return;
  const auto added = trust().known.add(host_and_port(control_url(address_)), refusal_.fingerprint);
  if (!added) return on_refused({Refusal::Kind::other, QString::fromStdString(added.error().text())});
  connect_to(QString(address_), QString(token_));
}

void ControlLink::on_connected() {
  call("info", {}, [this](const QJsonValue& result, const QString& error) {
    if (!error.isEmpty()) return;
    on_info(result.toObject());
  });
}

void ControlLink::on_info(const QJsonObject& json) {
  answer_timeout_.stop();
  const auto refuse_server = [this](const QString& words) {
    wanted_ = false;  // trying again would not help
    socket_.abort();
    set_state(State::refused, words);
  };
  const auto read = protocol_from(json);
  const int protocol = read ? read->protocol : 0;
  if (protocol != protocol_version)
    return refuse_server(tr("Refused: %1 speaks protocol %2, this program %3. Install the same version on both.")
                             .arg(address_)
                             .arg(protocol)
                             .arg(protocol_version));
  auto info = info_from(json);
  if (!info)
    return refuse_server(tr("Refused: %1 describes its wall in a way that this program cannot read (%2). Install the "
                            "same version on both.")
                             .arg(address_, QString::fromStdString(info.error().what)));
  info_ = *std::move(info);
  info_as_sent_ = json;
  has_tables_ = std::ranges::find(info_.methods, telemetry_method) != info_.methods.end();
  tables_.begin();
  retry_ms_ = retry_first_ms;
  set_state(State::ready,
            tr("Connected to %1 (%2, version %3)")
                .arg(address_, QString::fromStdString(info_.host), QString::fromStdString(info_.version)));
  emit told("info", info_as_sent_);
  emit ready(info_);
  call("subscribe", has_tables_ ? QJsonObject{{"stats", false}} : QJsonObject(),
       [this](const QJsonValue& result, const QString& error) {
         if (!error.isEmpty()) return;
         // A part of the answer is treated like the message that it was, or would be: it is recorded as sent.
         for (const auto& past : result["events"].toArray()) tell("event", past.toObject());
         tell("state", result["state"].toObject());
       });
  if (has_tables_) ask_for_telemetry();
}

// All figures ten times a second; of very many flows only what they lost is that frequent.
void ControlLink::ask_for_telemetry() {
  const bool many = info_.wall.flows.size() > frequent_flows_max;
  call(telemetry_method, {{"flows_every", many ? flows_every_of_many : 1}});
}

void ControlLink::want_pictures(bool wanted) {
  if (state_ != State::ready) return;
  QJsonObject request{{"pictures", wanted}};
  if (has_tables_) request["stats"] = false;
  call("subscribe", request);
}

void ControlLink::on_closed(const QString& reason) {
  answer_timeout_.stop();
  fail_pending(tr("the connection to %1 closed").arg(address_));
  if (!wanted_) return;
  cause_ = reason;
  set_state(State::unreachable,
            tr("No answer from %1. Trying again in %2 s.").arg(address_).arg((retry_ms_ + second_ms - 1) / second_ms));
  retry_.start(retry_ms_);
  retry_ms_ = std::min(retry_ms_ * 2, retry_max_ms);
}

void ControlLink::set_state(State state, const QString& text) {
  if (state == state_ && text == text_) return;
  state_ = state;
  text_ = text;
  emit state_changed(state, text);
}

std::vector<ControlLink::Call> ControlLink::calls_of(const std::function<void()>& action) {
  std::vector<Call> calls;
  recording_ = &calls;
  action();
  recording_ = nullptr;
  return calls;
}

void ControlLink::call(const QString& method, const QJsonObject& params, Reply done) {
  if (recording_ != nullptr) return recording_->push_back({method, params});
  if (!socket_.is_open()) return refuse(method, tr("not connected to a server"), done);
  if (const auto reason = guard_reason(guard_, method); !reason.isEmpty()) return refuse(method, reason, done);
  const auto id = next_id_++;
  pending_[id] = {method, std::move(done)};
  const QJsonObject message{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}};
  socket_.send(QString::fromUtf8(QJsonDocument(message).toJson(QJsonDocument::Compact)));
}

bool ControlLink::may(const QString& method) const { return state_ == State::ready && why_not(method).isEmpty(); }

QString ControlLink::why_not(const QString& method) const {
  if (state_ != State::ready) return {};
  if (auto reason = guard_reason(guard_, method); !reason.isEmpty()) return reason;
  const auto needed = role_for(method);
  const auto role = role_in(info_);
  if (role && lw::may(*role, needed)) return {};
  const auto you = info_.you.value_or(VisitorInfo{});
  return tr("this needs the role %1; %2 has the role %3")
      .arg(QString::fromStdString(std::string(name_of(needed))), QString::fromStdString(you.name),
           QString::fromStdString(you.role));
}

void ControlLink::refuse(const QString& method, const QString& error, const Reply& done) {
  if (done) done({}, error);
  emit call_failed(method, error);
}

void ControlLink::report_misread(const QString& method, const Error& error) {
  emit call_failed(method, QString::fromStdString(error.what));
}

void ControlLink::ask_for_library() {
  call_all<LibraryReply>(*this, "list", library_from, [this](const LibraryReply& all) { emit library(all); });
}

void ControlLink::set_guard(Guard guard) {
  if (std::exchange(guard_, guard) != guard) emit guard_changed();
}

void ControlLink::fail_pending(const QString& error) {
  // Replies may call again, so pending calls are taken out first.
  const auto pending = std::exchange(pending_, {});
  for (const auto& [id, call] : pending)
    if (call.done) call.done({}, error);
}

// An unreadable message is reported once, not ten times a second.
template <class Message>
void ControlLink::take(const QString& method, const Result<Message>& read,
                       void (TelemetrySource::*signal)(const Message&)) {
  report_once(method, read ? QString() : QString::fromStdString(read.error().what));
  if (read) emit(this->*signal)(*read);
}

void ControlLink::report_once(const QString& method, const QString& problem) {
  if (std::exchange(misread_[method], problem) != problem && !problem.isEmpty()) emit call_failed(method, problem);
}

void ControlLink::on_tables(const Stats& read, const QJsonObject& json) {
  if (state_ != State::ready) return;
  report_once("stats", {});
  if (!json.isEmpty()) emit told("stats", json);
  emit stats(read);
  emit caught_up();
}

void ControlLink::tell(const QString& method, const QJsonObject& params) {
  emit told(method, params);
  if (method == "stats") {
    take(method, stats_from(params), &TelemetrySource::stats);
    emit caught_up();
  } else if (method == "state") {
    take(method, state_from(params), &TelemetrySource::play_state);
  } else if (method == "event") {
    take(method, event_from(params), &TelemetrySource::happened);
  } else if (method == "picture") {
    emit picture(params);
  }
}

void ControlLink::on_message(const QString& text) {
  const auto document = QJsonDocument::fromJson(text.toUtf8());
  const auto message = document.object();
  if (!document.isObject() || message["jsonrpc"].toString() != "2.0") {
    wanted_ = false;
    socket_.abort();
    set_state(State::refused, tr("Refused: %1 does not speak JSON-RPC 2.0; is it a wall-server?").arg(address_));
    return;
  }
  if (message.contains("method")) return tell(message["method"].toString(), message["params"].toObject());
  const auto found = pending_.find(message["id"].toInteger(-1));
  if (found == pending_.end()) return;
  const auto call = std::move(found->second);
  pending_.erase(found);
  const auto error =
      message.contains("error") ? message["error"].toObject()["message"].toString(tr("unknown error")) : QString();
  if (!error.isEmpty()) emit call_failed(call.method, error);
  if (call.done) call.done(message["result"], error);
}

}  // namespace lw
