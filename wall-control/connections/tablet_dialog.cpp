#include "wall-control/connections/tablet_dialog.h"

#include "wall-control/connections/access_questions.h"
#include "wall-control/connections/qr_code.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/state_note.h"
#include "wall-control/ui/text_label.h"
#include "wall-control/ui/type.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QPointer>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace lw {
namespace {

constexpr double code_px = 30;
constexpr int time_step_ms = 250;  // how late the end of a ticket is noticed at most

QString minutes_text(qint64 ms) {
  const auto seconds = (ms + 999) / 1000;
  return QString("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QChar('0'));
}

void make_selectable(QLabel& label) {
  label.setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
}

}  // namespace

TabletDialog::TabletDialog(ControlLink& link, QWidget* window)
    : Question(Icon::none, tr("Open this wall on a tablet"), window),
      link_(link),
      picture_(new QrCode),
      code_(new TextLabel({}, code_px, Tone::text, true)),
      left_(new TextLabel({}, type::body_px, Tone::text2)),
      address_(new TextLabel({}, type::body_px)),
      renew_(new QPushButton(tr("New code"))),
      copy_(new QPushButton(icon(Icon::copy, colors::accent), tr("Copy address"))),
      view_only_(new QCheckBox(tr("View only"))),
      certificate_(new QWidget),
      note_(new StateNote(State::off, {})) {
  setObjectName("tablet");
  add_text(
      tr("Scan the QR code with the camera of a tablet or phone on this network, or open the address in its browser "
         "and enter the code."));
  add(make_code());
  add(make_address());
  auto* below = new QVBoxLayout(certificate_);
  below->setContentsMargins(0, 4, 0, 0);
  certificate_->hide();
  add(certificate_);
  note_->setObjectName("tablet-note");
  add(note_);
  add_buttons({}, tr("Close"));
  // As large as its content needs, whatever the text's size: the code must not be cut.
  layout()->setSizeConstraint(QLayout::SetFixedSize);
  no()->setObjectName("close-tablet");
  second_.setInterval(time_step_ms);
  connect(&second_, &QTimer::timeout, this, &TabletDialog::show_time);
  connect(&link_, &ControlLink::state_changed, this, [this] { ask(); });
  connect(&link_, &ControlLink::guard_changed, this, [this] { ask(); });
  ask();
}

// The QR code, and beside it the code to type.
QWidget* TabletDialog::make_code() {
  picture_->setObjectName("qr-code");
  picture_->setAccessibleName(tr("QR code of the address with the code"));
  code_->setObjectName("tablet-code");
  code_->setAccessibleName(tr("Code"));
  make_selectable(*code_);
  left_->setObjectName("time-left");
  left_->setAccessibleName(tr("Time left"));
  renew_->setObjectName("new-code");
  renew_->setShortcut(QKeySequence::Refresh);
  renew_->setToolTip(tr("Make another code (%1). The code before stays valid until its time is over.")
                         .arg(renew_->shortcut().toString(QKeySequence::NativeText)));
  view_only_->setObjectName("tablet-view-only");
  view_only_->setToolTip(tr("The tablet shows the wall and changes nothing"));
  for (auto* button : {renew_, copy_}) button->setAutoDefault(false);
  connect(renew_, &QPushButton::clicked, this, &TabletDialog::ask);
  connect(view_only_, &QCheckBox::toggled, this, &TabletDialog::ask);
  auto* part = new QWidget;
  auto* row = new QHBoxLayout(part);
  row->setContentsMargins(0, 4, 0, 4);
  row->setSpacing(20);
  row->addWidget(picture_);
  auto* column = new QVBoxLayout;
  column->setSpacing(6);
  column->addStretch(1);
  column->addWidget(new TextLabel(tr("Code"), 12, Tone::text3));
  column->addWidget(code_);
  column->addWidget(left_);
  column->addSpacing(8);
  column->addWidget(renew_, 0, Qt::AlignLeft);
  column->addWidget(view_only_, 0, Qt::AlignLeft);
  column->addStretch(1);
  row->addLayout(column, 1);
  return part;
}

QWidget* TabletDialog::make_address() {
  address_->setObjectName("tablet-address");
  address_->setAccessibleName(tr("Address of the page"));
  make_selectable(*address_);
  copy_->setObjectName("copy-address");
  copy_->setProperty("link", true);
  // Without the ticket: clipboards are read by other programs.
  connect(copy_, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(address_->text()); });
  auto* part = new QWidget;
  auto* row = new QHBoxLayout(part);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(address_, 1);
  row->addWidget(copy_);
  return part;
}

QString TabletDialog::refusal() const {
  const auto again = tr("Then choose New code.");
  if (link_.guard() == ControlLink::Guard::locked)
    return tr("The controls of this window are locked. Unlock them with the action Lock.") + ' ' + again;
  if (link_.guard() == ControlLink::Guard::view_only)
    return tr("This wall is open for viewing only. Switch off View only in the menu Wall.") + ' ' + again;
  if (!link_.why_not("tablet_ticket").isEmpty())
    return tr(
        "Your token may not let tablets in: this needs the role operate. An administrator makes such a token on "
        "the server's host:\nwall-server --add-token NAME --role operate");
  const auto& methods = link_.info().methods;
  if (!methods.empty() && std::ranges::find(methods, "tablet_ticket") == methods.end())
    return tr("Server %1 has no page for tablets. Install a newer one.")
        .arg(QString::fromStdString(link_.info().version));
  return {};
}

void TabletDialog::ask() {
  const int asked = ++asked_;
  clear();
  const bool ready = link_.state() == ControlLink::State::ready;
  const auto refused = ready ? refusal() : tr("No connection to the server. It makes a code when it is back.");
  renew_->setEnabled(ready);
  view_only_->setEnabled(ready && refused.isEmpty());
  say(State::warn, refused);
  if (!refused.isEmpty()) return;
  const TabletTicketRequest request{view_only_->isChecked() ? TabletRole::view : TabletRole::operate};
  link_.call("tablet_ticket", request,
             [dialog = QPointer(this), asked](const QJsonValue& result, const QString& error) {
               if (dialog == nullptr || dialog->asked_ != asked) return;
               if (!error.isEmpty()) return dialog->say(State::warn, tr("The server made no code: %1").arg(error));
               const auto reply = ticket_from(result.toObject());
               if (!reply)
                 return dialog->say(
                     State::warn,
                     tr("The server's answer cannot be read: %1").arg(QString::fromStdString(reply.error().what)));
               dialog->take(*reply);
             });
}

void TabletDialog::take(const TabletTicketReply& reply) {
  code_->setText(QString::fromStdString(reply.ticket));
  code_->setAccessibleDescription(code_->text());
  address_->setText(QString::fromStdString(reply.address));
  address_->setAccessibleDescription(address_->text());
  copy_->show();
  show_certificate(QString::fromStdString(reply.fingerprint.value_or("")));
  deadline_.setRemainingTime(std::int64_t{reply.valid_s} * 1000);
  second_.start();
  show_time();
  if (reply.address.starts_with("https:")) return picture_->show_text(QByteArray::fromStdString(reply.link));
  say(State::warn,
      tr("This server accepts only programs on its own host, where a browser can open the address. For tablets, set "
         "control to an address on their network in [[server]] of the wall file, and restart the server."));
}

// A ticket that nobody can use any more is not shown.
void TabletDialog::clear() {
  second_.stop();
  picture_->show_text({});
  code_->setText(QChar(0x2013));
  code_->setAccessibleDescription(tr("none"));
  left_->setText(" ");
  copy_->setVisible(!address_->text().isEmpty());
}

void TabletDialog::show_time() {
  if (!deadline_.hasExpired()) {
    left_->setText(tr("Valid for %1, once").arg(minutes_text(deadline_.remainingTime())));
    return;
  }
  clear();
  say(State::off, tr("The code has expired. Choose New code for the next one."));
}

void TabletDialog::say(State state, const QString& words) {
  note_->setVisible(!words.isEmpty());
  note_->say(state, words);
}

// Once for each certificate: the dialog must not move while somebody reads.
void TabletDialog::show_certificate(const QString& fingerprint) {
  certificate_->setVisible(!fingerprint.isEmpty());
  if (fingerprint == std::exchange(fingerprint_, fingerprint)) return;
  auto* layout = certificate_->layout();
  while (auto* item = layout->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  auto* about = new TextLabel(
      tr("If the browser warns about the certificate, continue only if its SHA-256 fingerprint is this one:"),
      type::body_px, Tone::text2);
  about->setWordWrap(true);
  layout->addWidget(about);
  layout->addWidget(fingerprint_box(fingerprint, tr("Fingerprint of the server's certificate")));
}

}  // namespace lw
