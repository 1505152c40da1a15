// An import on the servers' hosts: asks for it, and follows how far it is in the server's state. It goes on when this
// program ends.
#pragma once

#include "common/messages/import_places.h"
#include "common/messages/play_state.h"
#include "wall-control/library/ingest_run.h"

#include <QObject>

#include <cstdint>
#include <optional>

namespace lw {

class ControlLink;
struct ImportRequest;

// As the server understands it.
ImportRequest import_request_of(const IngestRequest& request);

class ServerImport : public QObject {
  Q_OBJECT

public:
  // `link` must outlive this.
  explicit ServerImport(ControlLink& link, QObject* parent = nullptr);

  // The directories below which the server imports; empty: it does not.
  [[nodiscard]] QStringList directories() const;
  // What the server says about its wall file, folders and media; empty: not asked, or a server that does not say it.
  [[nodiscard]] const std::optional<ImportPlaces>& places() const { return places_; }
  void ask_for_places();
  // The path on the server's host of a file of this name, if this one is not there; otherwise the same path.
  [[nodiscard]] QString as_the_server_has_it(const QString& path) const;
  // Whether the server is on another host than this program.
  [[nodiscard]] bool is_elsewhere() const;
  // The first missing value, as a text; empty if there is none.
  [[nodiscard]] QString problem_of(const IngestRequest& request) const;

  void start(const IngestRequest& request);
  void cancel();
  [[nodiscard]] bool running() const { return running_; }

signals:
  void places_changed();
  void began();  // also by somebody else
  void progressed(const lw::IngestProgress& progress);
  void ended(lw::IngestRun::End end, const QString& words);

private:
  void take(const std::vector<ImportMessage>& imports);
  [[nodiscard]] bool is_allowed(const QString& path) const;
  [[nodiscard]] bool is_in_library(const QString& path) const;

  ControlLink& link_;
  std::optional<ImportPlaces> places_;
  bool running_ = false;
  bool asked_ = false;  // and not yet seen in the state
};

}  // namespace lw
