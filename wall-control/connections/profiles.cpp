#include "wall-control/connections/profiles.h"

#include "common/access/tokens.h"
#include "common/base/file_lock.h"
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

// Before anything is written: saving keeps the mode of the existing file.
void keep_private(const QString& path) {
  QDir().mkpath(QFileInfo(path).path());
  QFile file(path);
  if (file.exists() || file.open(QIODevice::WriteOnly | QIODevice::NewOnly, QFile::ReadOwner | QFile::WriteOwner))
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
}

QString words(const char* text) { return QCoreApplication::translate("Profiles", text); }

std::vector<Profile> saved_in(QSettings& settings) {
  std::vector<Profile> profiles;
  const int count = std::min(settings.beginReadArray("walls"), profiles_max);
  for (int i = 0; i < count; ++i) {
    settings.setArrayIndex(i);
    const Profile read{settings.value("name").toString(), settings.value("address").toString(),
                       settings.value("view_only").toBool(), settings.value("token").toString()};
    if (!read.name.isEmpty() && address_problem(read.address).isEmpty()) profiles.push_back(read);
  }
  settings.endArray();
  return profiles;
}

std::vector<Profile> saved() {
  QSettings settings;
  return saved_in(settings);
}

void save(const std::vector<Profile>& profiles, QSettings& settings) {
  settings.remove("walls");
  settings.beginWriteArray("walls", static_cast<int>(profiles.size()));
  for (int i = 0; i < static_cast<int>(profiles.size()); ++i) {
    const auto& profile = profiles[static_cast<std::size_t>(i)];
    settings.setArrayIndex(i);
    settings.setValue("name", profile.name);
    settings.setValue("address", profile.address);
    settings.setValue("view_only", profile.view_only);
    if (!profile.token.isEmpty()) settings.setValue("token", profile.token);
  }
  settings.endArray();
  settings.sync();
}

}  // namespace

QString address_problem(const QString& address) {
  if (control_url(address).isValid()) return {};
  return words(QT_TRANSLATE_NOOP("Profiles", "'%1' is not an address; write HOST:PORT")).arg(address);
}

Profiles::Profiles() : profiles_(saved()) {}

const Profile* Profiles::of_address(const QString& address) const {
  const auto found = std::ranges::find(profiles_, address, &Profile::address);
  return found != profiles_.end() ? &*found : nullptr;
}

QString Profiles::keep(const Profile& profile) {
  if (profile.name.trimmed().isEmpty() || profile.name.size() > name_length_max)
    return words(QT_TRANSLATE_NOOP("Profiles", "a wall needs a name of 1 to %1 characters")).arg(name_length_max);
  if (auto problem = address_problem(profile.address); !problem.isEmpty()) return problem;
  if (!profile.token.isEmpty() && !is_token(profile.token.toStdString()))
    return words(QT_TRANSLATE_NOOP("Profiles", "that is not a token; it begins with lw- and has 64 hex digits"));
  return change([&](std::vector<Profile>& profiles) {
    const auto same = std::ranges::find(profiles, profile.name, &Profile::name);
    if (same != profiles.end())
      *same = profile;
    else if (profiles.size() < profiles_max)
      profiles.push_back(profile);
    else
      return words(QT_TRANSLATE_NOOP("Profiles", "%1 connections are saved already; remove one first"))
          .arg(profiles_max);
    return QString();
  });
}

QString Profiles::set_token(const QString& address, const QString& token) {
  return change([&](std::vector<Profile>& profiles) {
    const auto found = std::ranges::find(profiles, address, &Profile::address);
    if (found != profiles.end()) found->token = token;
    return QString();
  });
}

QString Profiles::forget(const QString& name) {
  return change([&](std::vector<Profile>& profiles) {
    std::erase_if(profiles, [&](const Profile& profile) { return profile.name == name; });
    return QString();
  });
}

// Reads what is saved now: another control room of this user may have saved something meanwhile.
QString Profiles::change(const std::function<QString(std::vector<Profile>&)>& change) {
  QSettings settings;
  keep_private(settings.fileName());
  const auto lock = FileLock::take((settings.fileName() + ".walls").toStdString());  // FILE.lock is Qt's own
  if (!lock) return QString::fromStdString(lock.error().text());
  settings.sync();
  auto profiles = saved_in(settings);
  if (auto problem = change(profiles); !problem.isEmpty()) return problem;
  save(profiles, settings);
  profiles_ = std::move(profiles);
  return {};
}

}  // namespace lw
