#include "wall-control/link/control_link.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>

#include <algorithm>

namespace lw {
namespace {

constexpr int protocol_version = 1;
constexpr int retry_first_ms = 250;
constexpr int retry_max_ms = 2000;
constexpr int answer_timeout_ms = 5000;

// What is not known to only read is taken to change something.
bool only_reads(const QString& method, const QJsonObject& params) {
  static const QSet<QString> readers{"info",  "list",      "image",       "plan",     "state",
                                     "stats", "subscribe", "unsubscribe", "machines", "placement"};
  return readers.contains(method) || (method == "playlist" && params.isEmpty());
}

}  // namespace

ControlLink::ControlLink(QObject* parent) : QObject(parent), retry_ms_(retry_first_ms) {
  retry_.setSingleShot(true);
  answer_timeout_.setSingleShot(true);
  connect(&retry_, &QTimer::timeout, this, &ControlLink::open);
  connect(&answer_timeout_, &QTimer::timeout, this, [this] {
    socket_.abort();
    on_closed(tr("it does not answer; is it a wall-server?"));
  });
  connect(&socket_, &QWebSocket::connected, this, &ControlLink::on_connected);
  connect(&socket_, &QWebSocket::disconnected, this,
          [this] { on_closed(socket_.closeReason().isEmpty() ? socket_.errorString() : socket_.closeReason()); });
  connect(&socket_, &QWebSocket::textMessageReceived, this, &ControlLink::on_message);
}

ControlLink::~ControlLink() {
  socket_.disconnect(this);
  pending_.clear();
}

void ControlLink::connect_to(const QString& address) {
  disconnect_from();
  address_ = address.trimmed();
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
  set_state(State::idle, tr("Not connected"));
}

void ControlLink::open() {
  const QUrl url("ws://" + address_);
  if (!url.isValid() || url.host().isEmpty() || url.port() < 0) {
    wanted_ = false;
    set_state(State::refused, tr("'%1' is no address; write HOST:PORT").arg(address_));
    return;
  }
  if (state_ != State::unreachable) set_state(State::connecting, tr("Connecting to %1 ...").arg(address_));
  answer_timeout_.start(answer_timeout_ms);
  socket_.open(url);
}

void ControlLink::on_connected() {
  call("info", {}, [this](const QJsonValue& result, const QString& error) {
    if (!error.isEmpty()) return;
    on_info(result.toObject());
  });
}

void ControlLink::on_info(const QJsonObject& info) {
  answer_timeout_.stop();
  if (info["protocol"].toInt() != protocol_version || !info["wall"].isObject()) {
    wanted_ = false;  // trying again would not help
    socket_.abort();
    set_state(State::refused, tr("Refused: %1 speaks protocol %2, this program %3. Install the same version on both.")
                                  .arg(address_)
                                  .arg(info["protocol"].toInt())
                                  .arg(protocol_version));
    return;
  }
  info_ = info;
  retry_ms_ = retry_first_ms;
  set_state(State::ready,
            tr("Connected to %1 (%2, version %3)").arg(address_, info["host"].toString(), info["version"].toString()));
  emit ready(info_);
  call("subscribe", {}, [this](const QJsonValue& result, const QString& error) {
    if (!error.isEmpty()) return;
    for (const auto& past : result["events"].toArray()) emit event(past.toObject());
    emit play_state(result["state"].toObject());
  });
}

void ControlLink::on_closed(const QString& reason) {
  answer_timeout_.stop();
  fail_pending(tr("the connection to %1 closed").arg(address_));
  if (!wanted_) return;
  set_state(State::unreachable, tr("Unreachable: %1 (%2). Trying again ...").arg(address_, reason));
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
  if (socket_.state() != QAbstractSocket::ConnectedState) return refuse(method, tr("not connected to a server"), done);
  if (guard_ != Guard::none && !only_reads(method, params))
    return refuse(method,
                  guard_ == Guard::locked ? tr("the controls are locked; unlock them first")
                                          : tr("this wall is open for viewing only"),
                  done);
  const auto id = next_id_++;
  pending_[id] = {method, std::move(done)};
  const QJsonObject message{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}};
  socket_.sendTextMessage(QString::fromUtf8(QJsonDocument(message).toJson(QJsonDocument::Compact)));
}

void ControlLink::refuse(const QString& method, const QString& error, const Reply& done) {
  if (done) done({}, error);
  emit call_failed(method, error);
}

void ControlLink::set_guard(Guard guard) {
  if (std::exchange(guard_, guard) != guard) emit guard_changed();
}

void ControlLink::fail_pending(const QString& error) {
  // Replies may call again: what is pending now is taken out first.
  const auto pending = std::exchange(pending_, {});
  for (const auto& [id, call] : pending)
    if (call.done) call.done({}, error);
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
  if (message.contains("method")) {
    const auto method = message["method"].toString();
    const auto params = message["params"].toObject();
    if (method == "stats")
      emit stats(params);
    else if (method == "state")
      emit play_state(params);
    else if (method == "event")
      emit event(params);
    else if (method == "picture")
      emit picture(params);
    return;
  }
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
