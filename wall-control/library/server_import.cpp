#include "wall-control/library/server_import.h"

#include "common/base/host_name.h"
#include "wall-control/link/control_link.h"
#include "wall-control/messages/told.h"

#include <QDir>
#include <QFileInfo>
#include <QPointer>

#include <algorithm>

namespace lw {
namespace {

constexpr const char* places_method = "import.places";

double share_of(const ImportMessage& import) {
  return import.frames_total.value_or(0) == 0
             ? 0
             : static_cast<double>(import.frames) / static_cast<double>(*import.frames_total);
}

IngestProgress progress_of(const ImportMessage& import, bool one_of_several) {
  IngestProgress progress;
  progress.frames = static_cast<qint64>(import.frames);
  if (import.frames_total) progress.total = static_cast<qint64>(*import.frames_total);
  progress.frames_per_s = import.frames_per_s.value_or(0);
  progress.mb_per_s = import.mb_per_s.value_or(0);
  progress.limit_mb_per_s = import.limit_mb_per_s;
  if (one_of_several) progress.server = QString::fromStdString(import.server);
  return progress;
}

}  // namespace

ImportRequest import_request_of(const IngestRequest& request) {
  ImportRequest message;
  message.input = request.input.toStdString();
  if (!request.name.isEmpty()) message.name = request.name.toStdString();
  if (!request.title.isEmpty()) message.title = request.title.toStdString();
  for (const auto& tag : request.tags) message.tags.push_back(tag.toStdString());
  if (!request.format.isEmpty()) message.format = request.format.toStdString();
  if (request.overwrite) message.overwrite = true;
  for (const auto& directory : request.out) message.into.push_back(directory.toStdString());
  const auto fit = std::ranges::find(import_fit_names.names, request.fit.toStdString());
  if (fit != import_fit_names.names.end()) message.fit = static_cast<ImportFit>(fit - import_fit_names.names.begin());
  return message;
}

ServerImport::ServerImport(ControlLink& link, QObject* parent) : QObject(parent), link_(link) {
  connect(&link, &ControlLink::play_state, this, [this](const StateMessage& state) { take(state.imports); });
  connect(&link, &ControlLink::ready, this, &ServerImport::ask_for_places);
}

void ServerImport::ask_for_places() {
  places_.reset();
  emit places_changed();
  if (std::ranges::find(link_.info().methods, places_method) == link_.info().methods.end() || !link_.may(places_method))
    return;
  link_.call(places_method, QJsonObject(),
             [this, alive = QPointer(this)](const QJsonValue& result, const QString& error) {
               if (!alive || !error.isEmpty()) return;
               const auto places = import_places_from(result.toObject());
               if (!places) return;
               places_ = *places;
               emit places_changed();
             });
}

bool ServerImport::is_allowed(const QString& path) const {
  const auto clean = QDir::cleanPath(path);
  const bool below = std::ranges::any_of(directories(), [&](const QString& directory) {
    const auto top = QDir::cleanPath(directory);
    return clean == top || clean.startsWith(top.endsWith('/') ? top : top + '/');
  });
  return below || is_in_library(clean);
}

// A store that is recut.
bool ServerImport::is_in_library(const QString& path) const {
  return places_ && std::ranges::any_of(places_->folders, [&](const ImportFolderMessage& folder) {
           return folder.content && QFileInfo(path).path() == QDir::cleanPath(QString::fromStdString(folder.directory));
         });
}

QString ServerImport::as_the_server_has_it(const QString& path) const {
  if (!places_ || is_allowed(path)) return path;
  const auto name = QFileInfo(path).fileName();
  for (const auto& input : places_->inputs)
    if (const auto there = QString::fromStdString(input); QFileInfo(there).fileName() == name) return there;
  return path;
}

QStringList ServerImport::directories() const {
  QStringList directories;
  if (link_.state() == ControlLink::State::ready)
    for (const auto& directory : link_.info().import_from) directories << QString::fromStdString(directory);
  return directories;
}

bool ServerImport::is_elsewhere() const {
  return link_.state() == ControlLink::State::ready && link_.info().host != host_name();
}

QString ServerImport::problem_of(const IngestRequest& request) const {
  if (link_.state() != ControlLink::State::ready) return tr("No server is connected");
  if (const auto why = link_.why_not("import"); !why.isEmpty()) return why;
  if (directories().isEmpty())
    return tr("This server imports nothing by itself; start wall-server with --import-from DIR");
  if (request.input.isEmpty())
    return tr("Enter a file or folder on the server's host, below %1").arg(directories().join(", "));
  if (!is_allowed(request.input))
    return tr("The server imports from %1 on its host: copy it there first").arg(directories().join(", "));
  return {};
}

void ServerImport::start(const IngestRequest& request) {
  if (running_) return;
  running_ = asked_ = true;
  link_.call("import", import_request_of(request),
             [this, alive = QPointer(this)](const QJsonValue& result, const QString& error) {
               if (!alive) return;
               if (!error.isEmpty()) {
                 running_ = asked_ = false;
                 return emit ended(IngestRun::End::failed, error);
               }
               asked_ = false;
               if (const auto state = state_from(result.toObject())) take(state->imports);
             });
}

void ServerImport::cancel() { link_.call("import.cancel"); }

// Of several servers, the slowest counts. It is over when no server imports any more.
void ServerImport::take(const std::vector<ImportMessage>& imports) {
  std::vector<ImportMessage> running;
  std::ranges::copy_if(imports, std::back_inserter(running),
                       [](const ImportMessage& import) { return import.status == ImportStatus::running; });
  if (!running.empty()) {
    asked_ = false;
    if (!std::exchange(running_, true)) emit began();
    const auto slowest = std::ranges::min_element(running, {}, share_of);
    return emit progressed(progress_of(*slowest, imports.size() > 1));
  }
  if (!running_ || asked_) return;
  running_ = false;
  QStringList failures;
  for (const auto& import : imports)
    if (import.status == ImportStatus::failed)
      failures << (imports.size() > 1 ? QString::fromStdString(import.server + ": " + import.reason)
                                      : QString::fromStdString(import.reason));
  if (!failures.isEmpty()) return emit ended(IngestRun::End::failed, failures.join('\n'));
  const bool cancelled = std::ranges::any_of(
      imports, [](const ImportMessage& import) { return import.status == ImportStatus::cancelled; });
  if (cancelled || imports.empty()) return emit ended(IngestRun::End::cancelled, {});
  emit ended(IngestRun::End::done, QString::fromStdString(imports.front().name));
}

}  // namespace lw
