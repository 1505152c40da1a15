// The walls that an operator knows: a name and a server's address each, kept in the program's settings.
#pragma once

#include <QString>

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
  // Takes the place of the one of the same name. What is wrong with it, or nothing.
  QString keep(const Profile& profile);
  void forget(const QString& name);

private:
  void save() const;

  std::vector<Profile> profiles_;
};

// What is wrong with "HOST:PORT", or nothing.
QString address_problem(const QString& address);

}  // namespace lw
