#include "wall-control/connections/access_bar.h"

#include "common/access/tokens.h"
#include "wall-control/ui/palette.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>

namespace lw {
namespace {

using Kind = Refusal::Kind;

constexpr int token_length = 67;

}  // namespace

AccessBar::AccessBar(ControlLink& link, std::function<bool(const QString&)> is_kept, QWidget* parent)
    : QWidget(parent),
      link_(link),
      is_kept_(std::move(is_kept)),
      words_(new QLabel),
      token_(new QLineEdit),
      keep_(new QCheckBox(tr("Keep it"))),
      give_(new QPushButton(tr("Connect"))),
      believe_(new QPushButton(tr("Trust"))),
      close_(new QPushButton) {
  words_->setTextFormat(Qt::RichText);
  words_->setObjectName("access-words");
  words_->setWordWrap(true);
  words_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  token_->setObjectName("token");
  token_->setEchoMode(QLineEdit::Password);
  token_->setMaxLength(2 * token_length);
  token_->setPlaceholderText(tr("Token: lw-\u2026"));
  token_->setAccessibleName(tr("Token for this server"));
  token_->setToolTip(tr("What wall-server --add-token printed"));
  keep_->setObjectName("keep-token");
  keep_->setChecked(true);
  keep_->setToolTip(tr("With this wall, in this program's settings, for you alone to read"));
  give_->setObjectName("give-token");
  believe_->setObjectName("trust");
  believe_->setToolTip(tr("This is the server's certificate: remember it and connect"));
  close_->setObjectName("close-access");
  auto* row = new QHBoxLayout;
  row->addStretch(1);
  for (QWidget* part : QList<QWidget*>{token_, keep_, give_, believe_, close_}) row->addWidget(part);
  token_->setMinimumWidth(260);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 6, 10, 6);
  layout->addWidget(words_);
  layout->addLayout(row);
  setObjectName("access");
  hide();
  connect(give_, &QPushButton::clicked, this, &AccessBar::give_token);
  connect(token_, &QLineEdit::returnPressed, this, &AccessBar::give_token);
  connect(token_, &QLineEdit::textChanged, this,
          [this] { give_->setEnabled(is_token(token_->text().trimmed().toStdString())); });
  connect(believe_, &QPushButton::clicked, this, [this] { link_.believe(); });
  connect(close_, &QPushButton::clicked, this, [this] { hide(); });
  connect(&link_, &ControlLink::state_changed, this, &AccessBar::follow);
}

void AccessBar::follow() {
  const auto& refusal = link_.refusal();
  const auto kind = link_.state() == ControlLink::State::refused ? refusal.kind : Kind::none;
  const bool asks = kind == Kind::first_use || kind == Kind::token;
  const bool tells = kind == Kind::other_certificate || kind == Kind::bad_certificate;
  setVisible(asks || tells);
  if (!isVisible()) return token_->clear();
  for (QWidget* part : QList<QWidget*>{token_, give_}) part->setVisible(kind == Kind::token);
  keep_->setVisible(kind == Kind::token && is_kept_(link_.address()));
  believe_->setVisible(kind == Kind::first_use);
  close_->setText(kind == Kind::first_use ? tr("Don't") : tr("Close"));
  close_->setToolTip(kind == Kind::first_use ? tr("Do not connect to this server") : QString());
  token_->clear();
  give_->setEnabled(false);
  if (kind == Kind::first_use)
    words_->setText(
        tr("<b>Is this the server?</b> %1 is met for the first time, and shows this certificate:<br><tt>%2</tt><br>"
           "Compare it with what <tt>wall-server --fingerprint</tt> prints there. What is trusted is remembered, "
           "and another certificate is refused from then on.")
            .arg(link_.address().toHtmlEscaped(), refusal.fingerprint));
  else if (kind == Kind::other_certificate)
    words_->setText(
        tr("<b>Not connected: the certificate of %1 is another one than before.</b> Somebody may be in between, or "
           "the server has a new one.<br>known: <tt>%2</tt><br>now: &nbsp; <tt>%3</tt><br>If that is meant, remove "
           "its line from %4 and connect again.")
            .arg(link_.address().toHtmlEscaped(), refusal.known.toHtmlEscaped(), refusal.fingerprint,
                 link_.trust().known.file().toHtmlEscaped()));
  else
    words_->setText(QString("<b>%1</b>").arg(link_.state_text().toHtmlEscaped()));
  if (kind == Kind::token) token_->setFocus();
}

void AccessBar::give_token() {
  const auto token = token_->text().trimmed();
  if (!is_token(token.toStdString())) return;
  token_->clear();
  emit token_given(link_.address(), token, keep_->isVisible() && keep_->isChecked());
}

void AccessBar::paintEvent(QPaintEvent*) {
  constexpr int mark_width = 4;
  QPainter painter(this);
  painter.fillRect(rect(), colors::raised);
  painter.fillRect(0, 0, mark_width, height(), colors::warn);
}

}  // namespace lw
