// Lets a tablet or phone open the wall's page in its browser: shows the page's address and a ticket, as a code to type
// and as a QR code, and how long the ticket is valid. Where that cannot work, it says why, and what to do.
#pragma once

#include "common/messages/tablet.h"
#include "wall-control/link/control_link.h"
#include "wall-control/ui/question.h"
#include "wall-control/ui/state_shape.h"

#include <QDeadlineTimer>
#include <QTimer>

class QCheckBox;

namespace lw {

class QrCode;
class StateNote;
class TextLabel;

class TabletDialog : public Question {
  Q_OBJECT

public:
  // Asks for a ticket. `link` must outlive this object.
  TabletDialog(ControlLink& link, QWidget* window);

private:
  QWidget* make_code();
  QWidget* make_address();
  void ask();
  void take(const TabletTicketReply& reply);
  void clear();
  void show_time();
  void say(State state, const QString& words);
  void show_certificate(const QString& fingerprint);
  // Why the server would not issue a ticket, and what to do; empty if it may.
  [[nodiscard]] QString refusal() const;

  ControlLink& link_;
  QrCode* picture_;
  TextLabel *code_, *left_, *address_;
  QPushButton *renew_, *copy_;
  QCheckBox* view_only_;
  QWidget* certificate_;  // for comparison with the browser's warning
  QString fingerprint_;   // that it shows
  StateNote* note_;
  QDeadlineTimer deadline_;
  QTimer second_;
  int asked_ = 0;  // only the newest request's answer counts
};

}  // namespace lw
