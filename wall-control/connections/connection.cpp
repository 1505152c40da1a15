#include "wall-control/connections/connection.h"

#include "wall-control/connections/access_questions.h"
#include "wall-control/connections/keep_dialog.h"
#include "wall-control/link/control_url.h"
#include "wall-control/messages/wall_shape.h"
#include "wall-control/ui/question.h"

#include <QPushButton>

#include <utility>

namespace lw {
namespace {

using Kind = Refusal::Kind;
using Guard = ControlLink::Guard;

}  // namespace

Connection::Connection(ControlLink& link, QWidget& window) : QObject(&window), link_(link), window_(window) {
  connect(&link_, &ControlLink::state_changed, this, &Connection::follow);
  connect(&link_, &ControlLink::guard_changed, this, &Connection::changed);
  connect(&link_, &ControlLink::ready, this, &Connection::note_wall);
}

void Connection::connect_to(const QString& address) {
  if (const auto* profile = profiles_.of_address(address); profile != nullptr) set_view_only(profile->view_only);
  clock_problem_.clear();
  link_.connect_to(address, token_of(address));
}

void Connection::disconnect_from() {
  clock_problem_.clear();
  link_.disconnect_from();
}

QString Connection::token_of(const QString& address) const {
  const auto* profile = profiles_.of_address(address);
  return tokens_.value(address, profile != nullptr ? profile->token : QString());
}

void Connection::remember_token(const QString& address, const QString& token, bool keep) {
  tokens_[address] = token;
  if (!keep || !is_kept(address)) return;
  if (const auto problem = profiles_.set_token(address, token); !problem.isEmpty()) emit told(problem);
}

void Connection::connect_to_kept(int place) {
  if (place >= 0 && place < static_cast<int>(profiles_.all().size()))
    connect_to(profiles_.all()[static_cast<std::size_t>(place)].address);
}

void Connection::note_wall(const InfoReply& info) {
  const auto& wall = info.wall;
  recent_.add({link_.address(), QString::fromStdString(wall.name), static_cast<int>(wall.columns),
               static_cast<int>(wall.rows), pixels_of(wall)});
  emit walls_changed();
}

void Connection::ask_to_save() {
  const auto address = link_.address();
  const auto* known = profiles_.of_address(address);
  const auto wall_name = QString::fromStdString(link_.info().wall.name);
  auto* dialog =
      new KeepDialog({known != nullptr ? known->name : wall_name, address, view_only_, token_of(address)}, &window_);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    const auto profile = dialog->profile();
    if (const auto problem = profiles_.keep(profile); !problem.isEmpty()) return emit told(problem);
    tokens_.remove(profile.address);  // it is saved with the wall
    emit walls_changed();
  });
  dialog->show();
}

void Connection::ask_to_remove() {
  const auto* profile = profiles_.of_address(link_.address());
  if (profile == nullptr) return;
  auto* dialog = new Question(Icon::none, tr("Remove the connection %1?").arg(profile->name), &window_);
  dialog->setObjectName("remove-connection");
  dialog->add_text(tr("Its address and its token are deleted from this program's settings. The wall is not affected."));
  dialog->add_buttons(tr("Remove connection"), tr("Cancel"));
  connect(dialog, &QDialog::accepted, this, [this, name = QString(profile->name)] {
    if (const auto problem = profiles_.forget(name); !problem.isEmpty()) return emit told(problem);
    emit walls_changed();
  });
  dialog->show();
}

void Connection::toggle_lock() {
  if (link_.guard() != Guard::locked) return apply_guard(true);
  auto* dialog = new Question(Icon::unlocked, tr("Unlock the controls of the wall?"), &window_);
  dialog->setObjectName("unlock");
  dialog->add_text(tr("Keys and buttons change what the audience sees again."));
  dialog->add_buttons(tr("Unlock"), tr("Cancel"));
  connect(dialog, &QDialog::accepted, this, [this] { apply_guard(false); });
  dialog->show();
}

void Connection::set_view_only(bool view_only) {
  view_only_ = view_only;
  apply_guard(link_.guard() == Guard::locked);
}

void Connection::apply_guard(bool locked) {
  link_.set_guard(locked ? Guard::locked : view_only_ ? Guard::view_only : Guard::none);
}

void Connection::set_clock_problem(const QString& problem) {
  if (std::exchange(clock_problem_, problem) != problem) emit changed();
}

void Connection::show_session(const QString& path) {
  session_ = path;
  emit changed();
}

void Connection::follow() {
  const auto kind = link_.state() == ControlLink::State::refused ? link_.refusal().kind : Kind::none;
  if (question_ != nullptr) question_->close();
  emit changed();
  ask_about(kind);
}

// Nothing waits for the answer; the link keeps its state meanwhile.
void Connection::ask_about(Kind kind) {
  if (kind == Kind::first_use) question_ = ask_to_trust();
  if (kind == Kind::token) question_ = ask_for_token();
  if (kind == Kind::other_certificate || kind == Kind::bad_certificate) question_ = report_certificate();
}

Question* Connection::ask_to_trust() {
  auto* dialog = new_server_question(link_.address(), link_.refusal().fingerprint, &window_);
  connect(dialog, &QDialog::accepted, &link_, &ControlLink::believe);
  dialog->show();
  return dialog;
}

Question* Connection::ask_for_token() {
  auto* dialog = new TokenQuestion(link_.address(), link_.cause(), is_kept(link_.address()), &window_);
  connect(dialog, &QDialog::accepted, this, [this, dialog, address = link_.address()] {
    remember_token(address, dialog->token(), dialog->keep());
    connect_to(address);
  });
  dialog->show();
  return dialog;
}

Question* Connection::report_certificate() {
  auto* dialog = certificate_report(link_.address(), link_.refusal(), link_.trust().known.file(), &window_);
  dialog->show();
  return dialog;
}

lw::State Connection::shape() const {
  using Link = ControlLink::State;
  if (!session_.isEmpty()) return lw::State::note;
  switch (link_.state()) {
    case Link::ready:
      return clock_problem_.isEmpty() ? lw::State::ok : lw::State::warn;
    case Link::idle:
    case Link::connecting:
      return lw::State::off;
    case Link::unreachable:
    case Link::refused:
      break;
  }
  return lw::State::warn;
}

QStringList Connection::word_list() const {
  QStringList words;
  if (link_.guard() == Guard::locked) words << tr("Locked");
  if (link_.guard() == Guard::view_only) words << tr("View only");
  const bool ready = link_.state() == ControlLink::State::ready;
  if (ready && !clock_problem_.isEmpty()) words << clock_problem_;
  words << (session_.isEmpty() ? ready ? tr("Connected") : link_.state_text()
                               : tr("Recorded session %1").arg(session_.section('/', -1)));
  return words;
}

QString Connection::words() const { return word_list().join(QString::fromUtf8("  \u00b7  ")); }

QString Connection::all_words() const {
  auto words = word_list();
  if (!session_.isEmpty()) words.last() = tr("Recorded session %1").arg(session_);
  if (session_.isEmpty()) words.last() = link_.state_text();
  if (!link_.cause().isEmpty() && link_.state() != ControlLink::State::ready) words << link_.cause();
  return words.join('\n');
}

bool Connection::encrypted() const { return control_url(link_.address()).scheme() == "wss"; }

// On its own computer everybody may do everything, and a server of an earlier version reports no roles.
QString Connection::role() const {
  const auto& you = link_.info().you;
  if (link_.state() != ControlLink::State::ready || !you) return {};
  if (you->role == "administer") return tr("Administrator");
  if (you->role == "operate") return tr("Operator");
  if (you->role == "view") return tr("Viewer");
  return QString::fromStdString(you->role);
}

QString Connection::role_tip() const {
  const auto& you = link_.info().you;
  if (role().isEmpty()) return {};
  return tr("The server knows this program as %1.\nViewer: sees everything. Operator: also plays. Administrator: also "
            "changes and deletes visualizations, and moves flows.")
      .arg(QString::fromStdString(you->name));
}

}  // namespace lw
