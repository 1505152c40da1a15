#include "wall-control/connections/connection_bar.h"

#include "wall-control/connections/keep_dialog.h"
#include "wall-control/ui/heading.h"
#include "wall-control/ui/palette.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QToolButton>

namespace lw {
namespace {

QToolButton* tool(const QString& text, const QString& tip) {
  auto* made = new QToolButton;
  made->setText(text);
  made->setToolTip(tip);
  made->setAccessibleName(tip);
  made->setMinimumHeight(28);
  made->setFocusPolicy(Qt::TabFocus);
  return made;
}

}  // namespace

ConnectionBar::ConnectionBar(ControlLink& link, const QList<QWidget*>& tools, QWidget* parent)
    : QWidget(parent), link_(link) {
  wall_ = new QComboBox;
  wall_->setObjectName("wall-address");
  wall_->setEditable(true);
  wall_->setInsertPolicy(QComboBox::NoInsert);
  wall_->setAccessibleName(tr("Wall: the server's control address, or one that is kept"));
  wall_->setToolTip(tr("HOST:PORT of the server, or a wall that is kept (Alt+1, Alt+2, ...)"));
  wall_->setMinimumWidth(210);
  auto* connect_button = new QPushButton(tr("Connect"));
  connect_button->setObjectName("connect");
  keep_ = tool(QString::fromUtf8("Keep\u2026"), tr("Keep this wall under a name"));
  forget_ = tool(tr("Forget"), tr("Forget this wall"));
  view_only_ = new QCheckBox(tr("View only"));
  view_only_->setObjectName("view-only");
  view_only_->setToolTip(tr("Nothing on the wall can be changed from this window"));
  state_ = new QLabel;
  state_->setObjectName("link-state");
  state_->setAccessibleName(tr("State of the connection"));
  state_->setMinimumWidth(80);
  state_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  role_ = new QLabel;
  role_->setObjectName("role");
  role_->setAccessibleName(tr("What the server lets this program do"));

  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 4);
  layout->addWidget(heading(tr("Wall")));
  layout->addWidget(wall_);
  for (QWidget* widget : QList<QWidget*>{connect_button, keep_, forget_, view_only_}) layout->addWidget(widget);
  layout->addSpacing(8);
  layout->addWidget(state_, 1);
  layout->addWidget(role_);
  for (auto* widget : tools) layout->addWidget(widget);

  fill_walls();
  connect(connect_button, &QPushButton::clicked, this, &ConnectionBar::go);
  connect(wall_->lineEdit(), &QLineEdit::returnPressed, this, &ConnectionBar::go);
  connect(wall_, &QComboBox::activated, this, &ConnectionBar::go);
  connect(wall_, &QComboBox::currentTextChanged, this, [this] { forget_->setEnabled(wall_->currentIndex() >= 0); });
  connect(keep_, &QToolButton::clicked, this, &ConnectionBar::keep);
  connect(forget_, &QToolButton::clicked, this, &ConnectionBar::forget);
  connect(view_only_, &QCheckBox::toggled, this, [this] { apply_guard(link_.guard() == ControlLink::Guard::locked); });
  connect(&link_, &ControlLink::state_changed, this, &ConnectionBar::show_state);
  show_state();
}

// A saved wall's item has its name and address as text, and the address as data.
void ConnectionBar::fill_walls() {
  const auto text = wall_->currentText();
  wall_->clear();
  for (const auto& profile : profiles_.all())
    wall_->addItem(QString::fromUtf8("%1  \u00b7  %2").arg(profile.name, profile.address), profile.address);
  wall_->setCurrentIndex(-1);
  wall_->setEditText(text);
  forget_->setEnabled(false);
}

QString ConnectionBar::chosen_address() const {
  const int kept = wall_->findText(wall_->currentText());
  return kept >= 0 ? wall_->itemData(kept).toString() : wall_->currentText().trimmed();
}

void ConnectionBar::go() { connect_to(chosen_address()); }

void ConnectionBar::connect_to(const QString& address) {
  const auto* profile = profiles_.of_address(address);
  const int kept = wall_->findData(address);
  wall_->setCurrentIndex(kept);
  if (kept < 0) wall_->setEditText(address);
  if (profile != nullptr) view_only_->setChecked(profile->view_only);
  clock_problem_.clear();
  const auto kept_token = profile != nullptr ? profile->token : QString();
  link_.connect_to(address, tokens_.value(address, kept_token));
}

void ConnectionBar::remember_token(const QString& address, const QString& token, bool keep) {
  tokens_[address] = token;
  if (!keep || profiles_.of_address(address) == nullptr) return;
  if (const auto problem = profiles_.set_token(address, token); !problem.isEmpty()) emit told(problem);
}

void ConnectionBar::connect_to_kept(int place) {
  if (place >= 0 && place < static_cast<int>(profiles_.all().size()))
    connect_to(profiles_.all()[static_cast<std::size_t>(place)].address);
}

void ConnectionBar::keep() {
  const auto address = chosen_address();
  const auto* known = profiles_.of_address(address);
  const auto wall_name = QString::fromStdString(link_.info().wall.name);
  KeepDialog dialog({known != nullptr ? known->name : wall_name, address, view_only_->isChecked(),
                     tokens_.value(address, known != nullptr ? known->token : QString())},
                    this);
  if (dialog.exec() != QDialog::Accepted) return;
  const auto profile = dialog.profile();
  const auto problem = profiles_.keep(profile);
  if (!problem.isEmpty()) return emit told(problem);
  fill_walls();
  tokens_.remove(address);  // it is saved with the wall
  wall_->setCurrentIndex(wall_->findData(address));
}

void ConnectionBar::forget() {
  const auto* profile = profiles_.of_address(wall_->currentData().toString());
  if (profile == nullptr) return;
  const auto address = profile->address;
  if (QMessageBox::question(this, tr("Forget this wall"), tr("Forget %1 (%2)?").arg(profile->name, address)) !=
      QMessageBox::Yes)
    return;
  const auto problem = profiles_.forget(QString(profile->name));
  if (!problem.isEmpty()) return emit told(problem);
  fill_walls();
  wall_->setEditText(address);
}

void ConnectionBar::toggle_lock() {
  const bool locked = link_.guard() == ControlLink::Guard::locked;
  if (locked && QMessageBox::question(this, tr("Unlock"), tr("Unlock the controls of the wall?")) != QMessageBox::Yes)
    return;
  apply_guard(!locked);
}

void ConnectionBar::apply_guard(bool locked) {
  using Guard = ControlLink::Guard;
  link_.set_guard(locked ? Guard::locked : view_only_->isChecked() ? Guard::view_only : Guard::none);
  view_only_->setEnabled(!locked);
  show_state();
}

void ConnectionBar::set_clock_problem(const QString& problem) {
  if (std::exchange(clock_problem_, problem) != problem) show_state();
}

void ConnectionBar::show_session(const QString& path) {
  session_ = path;
  show_state();
}

// Each state has a shape, a colour and words.
void ConnectionBar::show_state() {
  using State = ControlLink::State;
  const auto state = link_.state();
  const bool well = state == State::ready && clock_problem_.isEmpty();
  const QString mark = !session_.isEmpty()          ? QString::fromUtf8("\u25a0 ")
                       : well                       ? QString::fromUtf8("\u25cf ")
                       : state == State::connecting ? QString::fromUtf8("\u25cc ")
                                                    : QString::fromUtf8("\u25b2 ");
  const QColor color = well ? colors::ok : state == State::connecting ? colors::text3 : colors::warn;
  QStringList words{session_.isEmpty() ? link_.state_text() : tr("A recorded session: %1").arg(session_)};
  if (state == State::ready && !clock_problem_.isEmpty()) words.prepend(clock_problem_);
  if (link_.guard() == ControlLink::Guard::locked) words.prepend(tr("Locked"));
  if (link_.guard() == ControlLink::Guard::view_only) words.prepend(tr("View only"));
  state_->setText(mark + words.join(QString::fromUtf8("  \u00b7  ")));
  state_->setToolTip(words.join('\n'));
  if (const auto style = QString("color: %1").arg(color.name()); style != state_->styleSheet())
    state_->setStyleSheet(style);
  show_role();
}

// Only if the server reports roles; on its own machine everybody may do everything.
void ConnectionBar::show_role() {
  const auto& you = link_.info().you;
  const bool told_by_server = link_.state() == ControlLink::State::ready && you;
  role_->setVisible(told_by_server);
  if (!told_by_server) return;
  const auto name = QString::fromStdString(you->name), role = QString::fromStdString(you->role);
  role_->setText(tr("may: %1").arg(role));
  role_->setToolTip(tr("The server knows this program as %1, with the role %2:\nview: look; operate: play, too; "
                       "administer: change and delete visualizations and move flows, too.")
                        .arg(name, role));
}

void ConnectionBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && state_ != nullptr) show_state();
  QWidget::changeEvent(event);
}

}  // namespace lw
