// Methods for imports on the servers' hosts: import, import.cancel, import.places, import.probe; and from the
// coordinator to another server `server.import`, `server.import.cancel`.
#include "common/messages/import.h"
#include "common/messages/import_probe.h"
#include "common/messages/requests.h"
#include "server/control/import_places.h"
#include "server/control/methods.h"

namespace lw {
namespace {

struct ImportMethods {
  WallImport& imports;
  SourceProbe& sources;
  StatePublisher& publisher;

  RpcReply start(const ImportRequest& request, const Caller& caller) const;
  RpcReply cancel(const NoParams& request, const Caller& caller) const;
  RpcReply places(const NoParams& request, const Caller& caller) const;
  RpcReply probe(const ImportProbeRequest& request, const Caller& caller) const;
};

RpcReply ImportMethods::start(const ImportRequest& request, const Caller& caller) const {
  const auto started = imports.start(request, caller.now);
  publisher.show_imports(imports.messages());
  return publisher.done(started);
}

RpcReply ImportMethods::cancel(const NoParams& /*request*/, const Caller& caller) const {
  return publisher.done(imports.cancel(caller.now));
}

RpcReply ImportMethods::places(const NoParams& /*request*/, const Caller& /*caller*/) const {
  return to_json(import_places(imports.job().place()));
}

RpcReply ImportMethods::probe(const ImportProbeRequest& request, const Caller& caller) const {
  if (caller.peer == nullptr) return cannot(Error{"only a connection can hear the answer", ""});
  if (const auto asked = sources.ask(*caller.peer, request, caller.now); !asked) return cannot(asked.error());
  return Json::object();
}

struct ServerImportMethods {
  ImportJob& job;

  RpcReply start(const ImportRequest& request, const Caller& caller) const;
  RpcReply cancel(const NoParams& request, const Caller& caller) const;
};

RpcReply ServerImportMethods::start(const ImportRequest& request, const Caller& /*caller*/) const {
  if (const auto started = job.start(request); !started) return cannot(started.error());
  return Json{{"number", job.message()->number}};
}

RpcReply ServerImportMethods::cancel(const NoParams& /*request*/, const Caller& caller) const {
  if (const auto cancelled = job.cancel(caller.now); !cancelled) return cannot(cancelled.error());
  return Json::object();
}

}  // namespace

void offer_import_methods(Dispatcher& dispatcher, WallImport& imports, SourceProbe& sources,
                          StatePublisher& publisher) {
  const ImportMethods group{imports, sources, publisher};
  dispatcher.offer("import", group, &ImportMethods::start);
  dispatcher.offer("import.cancel", group, &ImportMethods::cancel);
  dispatcher.offer("import.places", group, &ImportMethods::places);
  dispatcher.offer("import.probe", group, &ImportMethods::probe);
}

void offer_server_import_methods(Dispatcher& dispatcher, ImportJob& job) {
  const ServerImportMethods group{job};
  dispatcher.offer("server.import", group, &ServerImportMethods::start);
  dispatcher.offer("server.import.cancel", group, &ServerImportMethods::cancel);
}

}  // namespace lw
