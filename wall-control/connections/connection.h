// The connection of the window: which wall, with which token, and whether this window may change it. Remembers the
// walls, asks what only the operator can decide, and describes the state for the status bar. Draws nothing itself.
#pragma once

#include "wall-control/connections/profiles.h"
#include "wall-control/connections/recent_walls.h"
#include "wall-control/link/control_link.h"
#include "wall-control/ui/state_shape.h"

#include <QHash>
#include <QObject>
#include <QPointer>

namespace lw {

class Question;

class Connection : public QObject {
  Q_OBJECT

public:
  // Dialogs open above `window`. Both must outlive this.
  Connection(ControlLink& link, QWidget& window);

  // HOST:PORT. A saved wall is opened with its saved settings.
  void connect_to(const QString& address);
  void disconnect_from();
  // For this server while the program runs, or saved with the wall.
  void remember_token(const QString& address, const QString& token, bool keep = false);
  // Connects to the saved wall at this position, if there is one.
  void connect_to_kept(int place);
  // Locks the controls, or asks whether to unlock them.
  void toggle_lock();
  void set_view_only(bool view_only);
  [[nodiscard]] bool view_only() const { return view_only_; }
  // A problem with the clocks of the connected wall; empty if there is none.
  void set_clock_problem(const QString& problem);
  // A recorded session is shown, without a server; empty: it is no longer shown.
  void show_session(const QString& path);

  // Each opens a dialog and returns.
  void ask_to_save();
  void ask_to_remove();

  [[nodiscard]] bool connected() const { return link_.state() == ControlLink::State::ready; }
  [[nodiscard]] QString address() const { return link_.address(); }
  [[nodiscard]] const Trust& trust() const { return link_.trust(); }
  [[nodiscard]] bool is_kept(const QString& address) const { return profiles_.of_address(address) != nullptr; }
  [[nodiscard]] const Profiles& profiles() const { return profiles_; }
  [[nodiscard]] const RecentWalls& recent() const { return recent_; }
  // The saved token, or the one given for this run; empty: none.
  [[nodiscard]] QString token_of(const QString& address) const;

  // For the status bar: a shape, the most important words, and all of them, one on each line.
  [[nodiscard]] lw::State shape() const;
  [[nodiscard]] QString words() const;
  [[nodiscard]] QString all_words() const;
  // The traffic with this server is encrypted.
  [[nodiscard]] bool encrypted() const;
  // What this program may do there, for people: "Administrator"; empty if the server reports no roles.
  [[nodiscard]] QString role() const;
  [[nodiscard]] QString role_tip() const;

signals:
  void changed();        // what the status bar shows
  void walls_changed();  // saved or recent
  void told(const QString& words);

private:
  void apply_guard(bool locked);
  void follow();
  void note_wall(const InfoReply& info);
  void ask_about(Refusal::Kind kind);
  Question* ask_to_trust();
  Question* ask_for_token();
  Question* report_certificate();
  [[nodiscard]] QStringList word_list() const;

  ControlLink& link_;
  QWidget& window_;
  Profiles profiles_;
  RecentWalls recent_;
  QHash<QString, QString> tokens_;  // by address; of walls saved without one
  QString clock_problem_;
  QString session_;
  bool view_only_ = false;
  QPointer<Question> question_;  // about the newest refusal
};

}  // namespace lw
