#include "wall-control/connections/profiles.h"

#include "common/control/tokens.h"
#include "wall-control/link/control_url.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>

#include <algorithm>

namespace lw {
namespace {

constexpr int profiles_max = 100;
constexpr int name_length_max = 100;

// Before anything is in it: what is saved takes the mode of the file that was there.
void keep_private(const QString& path) {
  QDir().mkpath(QFileInfo(path).path());
  QFile file(path);
  if (file.exists() || file.open(QIODevice::WriteOnly | QIODevice::NewOnly, QFile::ReadOwner | QFile::WriteOwner))
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
}

QString words(const char* text) { return QCoreApplication::translate("Profiles", text); }

}  // namespace

QString address_problem(const QString& address) {
  if (control_url(address).isValid()) return {};
  return words(QT_TRANSLATE_NOOP("Profiles", "'%1' is no address; write HOST:PORT")).arg(address);
}

Profiles::Profiles() {
  QSettings settings;
  const int count = std::min(settings.beginReadArray("walls"), profiles_max);
  for (int i = 0; i < count; ++i) {
    settings.setArrayIndex(i);
    const Profile read{settings.value("name").toString(), settings.value("address").toString(),
                       settings.value("view_only").toBool(), settings.value("token").toString()};
    if (!read.name.isEmpty() && address_problem(read.address).isEmpty()) profiles_.push_back(read);
  }
}

const Profile* Profiles::of_address(const QString& address) const {
  const auto found = std::ranges::find(profiles_, address, &Profile::address);
  return found != profiles_.end() ? &*found : nullptr;
}

QString Profiles::keep(const Profile& profile) {
  if (profile.name.trimmed().isEmpty() || profile.name.size() > name_length_max)
    return words(QT_TRANSLATE_NOOP("Profiles", "a wall needs a name of 1 to %1 characters")).arg(name_length_max);
  if (auto problem = address_problem(profile.address); !problem.isEmpty()) return problem;
  if (!profile.token.isEmpty() && !is_token(profile.token.toStdString()))
    return words(QT_TRANSLATE_NOOP("Profiles", "that is no token; it begins with lw- and has 64 hex digits"));
  const auto same = std::ranges::find(profiles_, profile.name, &Profile::name);
  if (same != profiles_.end())
    *same = profile;
  else if (profiles_.size() < profiles_max)
    profiles_.push_back(profile);
  else
    return words(QT_TRANSLATE_NOOP("Profiles", "%1 walls are kept already; forget one first")).arg(profiles_max);
  save();
  return {};
}

void Profiles::forget(const QString& name) {
  std::erase_if(profiles_, [&](const Profile& profile) { return profile.name == name; });
  save();
}

void Profiles::save() const {
  QSettings settings;
  keep_private(settings.fileName());
  settings.remove("walls");
  settings.beginWriteArray("walls", static_cast<int>(profiles_.size()));
  for (int i = 0; i < static_cast<int>(profiles_.size()); ++i) {
    const auto& profile = profiles_[static_cast<std::size_t>(i)];
    settings.setArrayIndex(i);
    settings.setValue("name", profile.name);
    settings.setValue("address", profile.address);
    settings.setValue("view_only", profile.view_only);
    if (!profile.token.isEmpty()) settings.setValue("token", profile.token);
  }
  settings.endArray();
}

}  // namespace lw
