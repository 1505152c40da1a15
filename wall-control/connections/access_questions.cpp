#include "wall-control/connections/access_questions.h"

#include "common/access/tokens.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/text_label.h"

#include <QCheckBox>
#include <QClipboard>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPushButton>

namespace lw {
namespace {

constexpr int token_length = 67;
constexpr int group_length = 4;
constexpr int groups_in_line = 4;

struct AccessWords {
  Q_DECLARE_TR_FUNCTIONS(AccessQuestions)
};

QPushButton* copy_button(const QString& fingerprint) {
  auto* copy = new QPushButton(icon(Icon::copy, colors::accent), AccessWords::tr("Copy fingerprint"));
  copy->setObjectName("copy-fingerprint");
  copy->setAutoDefault(false);
  copy->setProperty("link", true);
  QObject::connect(copy, &QPushButton::clicked, copy,
                   [fingerprint] { QGuiApplication::clipboard()->setText(fingerprint); });
  return copy;
}

}  // namespace

QString fingerprint_lines(const QString& fingerprint) {
  const auto digits = fingerprint.section(':', -1);
  QStringList lines;
  for (qsizetype at = 0; at < digits.size(); at += qsizetype{group_length} * groups_in_line) {
    QStringList groups;
    for (int group = 0; group < groups_in_line; ++group)
      groups << digits.mid(at + qsizetype{group} * group_length, group_length);
    lines << groups.join(' ').trimmed();
  }
  return lines.join('\n');
}

// In digits of one width.
QWidget* fingerprint_box(const QString& fingerprint, const QString& name) {
  auto* label = new QLabel(fingerprint_lines(fingerprint));
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  label->setObjectName("fingerprint");
  label->setAccessibleName(name);
  label->setAccessibleDescription(fingerprint);
  const auto family = QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
  label->setStyleSheet(QString("font-family: \"%1\";").arg(family));
  return label;
}

Question* new_server_question(const QString& address, const QString& fingerprint, QWidget* window) {
  auto* dialog = new Question(Icon::fingerprint, AccessWords::tr("Is this the server you expect?"), window);
  dialog->setObjectName("new-server");
  dialog->add_text(
      AccessWords::tr("%1 is new to this computer. Compare its fingerprint with the output of this command "
                      "on that host:\nwall-server --fingerprint")
          .arg(address));
  dialog->add(fingerprint_box(fingerprint, AccessWords::tr("Fingerprint of the server")));
  dialog->add(copy_button(fingerprint), Qt::AlignLeft);
  dialog->add_buttons(AccessWords::tr("Trust and connect"), AccessWords::tr("Cancel"));
  dialog->yes()->setObjectName("trust");
  dialog->no()->setObjectName("close-access");
  return dialog;
}

Question* certificate_report(const QString& address, const Refusal& refusal, const QString& known_file,
                             QWidget* window) {
  const bool other = refusal.kind == Refusal::Kind::other_certificate;
  auto* dialog = new Question(
      Icon::fingerprint,
      other ? AccessWords::tr("The server's certificate has changed") : AccessWords::tr("The certificate is not valid"),
      window);
  dialog->setObjectName("certificate");
  if (other) {
    dialog->add_text(
        AccessWords::tr("%1 is not connected, and nothing was sent to it. Somebody may be in between, or the "
                        "server has a new certificate. Known until now:")
            .arg(address));
    dialog->add(fingerprint_box(refusal.known, AccessWords::tr("Known fingerprint")));
    dialog->add_text(AccessWords::tr("Shown now:"));
    dialog->add(fingerprint_box(refusal.fingerprint, AccessWords::tr("Fingerprint shown now")));
    dialog->add(copy_button(refusal.fingerprint), Qt::AlignLeft);
    dialog->add_text(
        AccessWords::tr("If the change is intended, remove its line from %1 and connect again.").arg(known_file));
  } else {
    dialog->add_text(AccessWords::tr("%1 is not connected: %2").arg(address, refusal.words));
  }
  dialog->add_buttons({}, AccessWords::tr("Close"));
  dialog->no()->setObjectName("close-access");
  return dialog;
}

TokenQuestion::TokenQuestion(const QString& address, const QString& why, bool can_keep, QWidget* window)
    : Question(Icon::key, tr("Which token opens this wall?"), window),
      token_(new QLineEdit),
      keep_(new QCheckBox(tr("Save it with this connection"))) {
  setObjectName("token-question");
  add_text(tr("%1: %2. This command prints a token on that host:\nwall-server --add-token NAME --role ROLE")
               .arg(address, why));
  token_->setObjectName("token");
  token_->setEchoMode(QLineEdit::Password);
  token_->setMaxLength(2 * token_length);
  token_->setPlaceholderText(QString::fromUtf8("lw-\u2026"));
  token_->setAccessibleName(tr("Token for this server"));
  keep_->setObjectName("keep-token");
  keep_->setToolTip(tr("In this program's settings, which only you can read"));
  keep_->setChecked(can_keep);
  add(token_);
  add(keep_);
  keep_->setVisible(can_keep);
  add_buttons(tr("Connect"), tr("Cancel"));
  yes()->setObjectName("give-token");
  no()->setObjectName("close-access");
  yes()->setEnabled(false);
  const auto valid = [this] { return is_token(token().toStdString()); };
  connect(token_, &QLineEdit::textChanged, this, [this, valid] { yes()->setEnabled(valid()); });
  connect(token_, &QLineEdit::returnPressed, this, [this, valid] {
    if (valid()) accept();
  });
  token_->setFocus();
}

QString TokenQuestion::token() const { return token_->text().trimmed(); }

bool TokenQuestion::keep() const { return keep_->isVisibleTo(this) && keep_->isChecked(); }

}  // namespace lw
