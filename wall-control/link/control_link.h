// The connection to a server's control plane: JSON-RPC 2.0 over a WebSocket (docs/protocol.md). Reconnects by itself,
// reports its state in words, and turns messages into signals on the GUI thread. No page uses the network except
// through this.
#pragma once

#include "wall-control/link/stats_reader.h"
#include "wall-control/link/wall_socket.h"
#include "wall-control/messages/telemetry_source.h"
#include "wall-control/messages/told.h"

#include <QJsonObject>
#include <QObject>
#include <QTimer>

#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace lw {

class ControlLink : public TelemetrySource {
  Q_OBJECT

public:
  enum class State { idle, connecting, ready, unreachable, refused };
  Q_ENUM(State)

  explicit ControlLink(QObject* parent = nullptr);
  ~ControlLink() override;

  // Before the first connection.
  void set_trust(const Trust& trust) { socket_.set_trust(trust); }
  [[nodiscard]] const Trust& trust() const { return socket_.trust(); }
  // "HOST:PORT"; replaces an existing connection. The token is sent to servers of other machines only.
  void connect_to(const QString& address, const QString& token = {});
  void disconnect_from();
  // Without waiting for the next attempt.
  void try_now();
  // After a refusal of the kind first_use: trusts the certificate that was shown, and connects again.
  void believe();

  // Keeps calls from changing anything: they fail here, with a reason. Calls that only read still work.
  enum class Guard : unsigned char { none, view_only, locked };
  void set_guard(Guard guard);
  [[nodiscard]] Guard guard() const { return guard_; }
  // A server is connected, and allows this call from here and with this token.
  [[nodiscard]] bool may(const QString& method) const;
  // The reason if it is not allowed, as a text; empty if it is allowed, or without a server.
  [[nodiscard]] QString why_not(const QString& method) const;

  // Calls a method. `done` gets the result, or an error text; it is never called after this object is destroyed.
  using Reply = std::function<void(const QJsonValue& result, const QString& error)>;
  void call(const QString& method, const QJsonObject& params = {}, Reply done = {});
  void call(const QString& method, const IsMessage auto& request, Reply done = {}) {
    call(method, to_qt(to_json(request)), std::move(done));
  }
  // Whether the previews of tiles follow as `picture`.
  void want_pictures(bool wanted);
  // For a recorder: statistics that come as tables are also told, as JSON.
  void tell_tables(bool wanted) { tells_tables_ = wanted; }
  // Asks for all visualizations; `library` follows.
  void ask_for_library();
  // Reports an answer that cannot be read, as a call that failed.
  void report_misread(const QString& method, const Error& error);
  // What `action` would call, without calling it.
  struct Call {
    QString method;
    QJsonObject params;
  };
  std::vector<Call> calls_of(const std::function<void()>& action);

  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] QString state_text() const { return text_; }
  // In the state unreachable or refused: more about the cause, for a tooltip; may be empty.
  [[nodiscard]] QString cause() const { return cause_; }
  [[nodiscard]] QString address() const { return address_; }
  // Of the newest server that was connected.
  [[nodiscard]] const InfoReply& info() const { return info_; }
  [[nodiscard]] const QJsonObject& info_as_sent() const { return info_as_sent_; }  // empty before the first
  // In the state refused: why, if the cause is a certificate or a token.
  [[nodiscard]] const Refusal& refusal() const { return refusal_; }

signals:
  // Every message that the server sends as JSON, and its info, unchanged; the signals of TelemetrySource follow.
  void told(const QString& method, const QJsonObject& params);
  void state_changed(lw::ControlLink::State state, const QString& text);
  void guard_changed();
  void picture(const QJsonObject& picture);  // the preview of a tile, as sent: reading it takes time
  void call_failed(const QString& method, const QString& error);

private:
  void set_state(State state, const QString& text);
  void open();
  void try_again();
  void on_connected();
  void on_refused(const Refusal& refusal);
  [[nodiscard]] QString refusal_text() const;
  void on_closed(const QString& reason);
  void on_message(const QString& text);
  void on_tables(const Stats& read, const QJsonObject& json);
  void ask_for_telemetry();
  void tell(const QString& method, const QJsonObject& params);
  template <class Message>
  void take(const QString& method, const Result<Message>& read, void (TelemetrySource::*signal)(const Message&));
  void report_once(const QString& method, const QString& problem);
  void on_info(const QJsonObject& info);
  void fail_pending(const QString& error);
  void refuse(const QString& method, const QString& error, const Reply& done);

  struct Pending {
    QString method;
    Reply done;
  };
  WallSocket socket_;
  QTimer retry_;
  QTimer answer_timeout_;
  QString address_;
  QString token_;
  Refusal refusal_;
  State state_ = State::idle;
  Guard guard_ = Guard::none;
  QString text_;
  QString cause_;
  InfoReply info_;
  QJsonObject info_as_sent_;
  StatsReader tables_;
  bool has_tables_ = false;  // the server sends statistics as tables
  bool tells_tables_ = false;
  std::map<qint64, Pending> pending_;
  qint64 next_id_ = 1;
  int retry_ms_;
  bool wanted_ = false;
  std::vector<Call>* recording_ = nullptr;
  std::map<QString, QString> misread_;  // by method: the error of the newest message
};

}  // namespace lw
