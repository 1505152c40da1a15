// The walls that an operator knows: a name and a server's address each, kept in the program's settings.
#pragma once

#include <QString>

#include <functional>
#include <vector>

namespace lw {

struct Profile {
  QString name;
  QString address;         // HOST:PORT
  bool view_only = false;  // nothing can be changed from here
  QString token = {};      // empty: none. Only its owner can read the settings file

  bool operator==(const Profile&) const = default;
};

class Profiles {
public:
  // As saved. Invalid profiles in the settings are skipped.
  Profiles();

  [[nodiscard]] const std::vector<Profile>& all() const { return profiles_; }
  [[nodiscard]] const Profile* of_address(const QString& address) const;
  // Each changes what is saved, which several control rooms may do at the same time, and returns what went wrong, or
  // an empty text. keep() replaces the profile of the same name.
  QString keep(const Profile& profile);
  QString set_token(const QString& address, const QString& token);
  QString forget(const QString& name);

private:
  QString change(const std::function<QString(std::vector<Profile>&)>& change);

  std::vector<Profile> profiles_;
};

// The error in "HOST:PORT", or an empty text.
QString address_problem(const QString& address);

}  // namespace lw
