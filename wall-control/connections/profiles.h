// The walls that an operator knows: a name and a server's address each, kept in the program's settings.
#pragma once

#include <QString>

#include <functional>
#include <vector>

namespace lw {

struct Profile {
  QString name;
  QString address;         // HOST:PORT
  bool view_only = false;  // nothing may be changed from here
  QString token = {};      // empty: none. The settings file is for its owner only

  bool operator==(const Profile&) const = default;
};

class Profiles {
public:
  // As they were saved. What is no profile in the settings is left out.
  Profiles();

  [[nodiscard]] const std::vector<Profile>& all() const { return profiles_; }
  [[nodiscard]] const Profile* of_address(const QString& address) const;
  // Each changes what is saved, which several control rooms may do at the same time, and returns what is wrong, or
  // nothing. keep() takes the place of the one of the same name.
  QString keep(const Profile& profile);
  QString set_token(const QString& address, const QString& token);
  QString forget(const QString& name);

private:
  QString change(const std::function<QString(std::vector<Profile>&)>& change);

  std::vector<Profile> profiles_;
};

// What is wrong with "HOST:PORT", or nothing.
QString address_problem(const QString& address);

}  // namespace lw
