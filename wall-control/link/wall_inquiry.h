// Asks a server once which wall it has and whether this program may connect, without connecting a window to it. Never
// guesses tokens: without one, it only checks whether a server on another host answers.
#pragma once

#include "wall-control/link/wall_socket.h"

#include <QTcpSocket>
#include <QTimer>

namespace lw {

struct WallAnswer {
  enum class Kind : unsigned char {
    no_answer,
    ready,
    token,              // it asks for a token, or does not know the one it was given
    new_server,         // its certificate is not known yet
    other_certificate,  // not the trusted one
    too_old,            // it speaks an older protocol
    too_new,
    refused,  // for the reason in `words`
  };
  Kind kind = Kind::no_answer;
  QString words = {};
  // Of a server that is ready, or of another version.
  QString version = {};
  QString name = {};
  int columns = 0, rows = 0;
  qint64 pixels = 0;
};

class WallInquiry : public QObject {
  Q_OBJECT

public:
  explicit WallInquiry(const Trust& trust, QObject* parent = nullptr);

  // Once. HOST:PORT; the token may be empty.
  void ask(const QString& address, const QString& token);

signals:
  // Once, within a few seconds.
  void answered(const lw::WallAnswer& answer);

private:
  void answer(const WallAnswer& answer);
  void hear(const QString& text);
  void take(const Refusal& refusal);

  WallSocket socket_;
  QTcpSocket knock_;
  QTimer timeout_;
  bool done_ = false;
};

}  // namespace lw
