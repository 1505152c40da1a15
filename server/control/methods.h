// Offers the methods of the control plane to its dispatcher. Each group has its own file (methods_GROUP.cpp) and gets
// the parts it works on. docs/protocol.md describes each method. Control thread only.
#pragma once

#include "server/control/control_service.h"
#include "server/control/coordination.h"
#include "server/control/detail_wanted.h"
#include "server/control/dispatcher.h"
#include "server/control/library_listing.h"
#include "server/control/library_watch.h"
#include "server/control/picture_relay.h"
#include "server/control/source_probe.h"
#include "server/control/summary_stream.h"
#include "server/control/tablet_page.h"
#include "server/control/telemetry.h"
#include "server/control/telemetry_stream.h"
#include "server/control/wall_import.h"
#include "server/control/wall_library.h"

namespace lw {

// info, list, image, plan, describe, delete
void offer_library_methods(Dispatcher& dispatcher, const Wall& wall, const WallServer& self, Library& library,
                           const Session& session, LibraryWatch& watch, const WallLibrary& wall_library,
                           const PlanFunction& plan, const ImportPlace& imports);
// state, load, play, pause, stop, seek, rate, loop, playlist, next
void offer_play_methods(Dispatcher& dispatcher, const Library& library, Session& session, LibraryWatch& watch,
                        const WallLibrary& wall_library, StatePublisher& publisher);
// identify, mark, pattern
void offer_tile_methods(Dispatcher& dispatcher, TileOverlays& overlays, StatePublisher& publisher);
// subscribe, unsubscribe, stats, telemetry
void offer_telemetry_methods(Dispatcher& dispatcher, Telemetry& telemetry, Subscribers& subscribers,
                             const EventLog& events, PictureRelay& pictures, const StatePublisher& publisher,
                             TelemetryStream& stream);
// trace
void offer_trace_methods(Dispatcher& dispatcher, const Wall& wall, const Session& session, Telemetry& telemetry,
                         const NodeRegistry& nodes, DetailWanted& detail);
// summary, tablet_ticket
void offer_tablet_methods(Dispatcher& dispatcher, const Wall& wall, SummaryStream& stream, TabletPage& page);
// machines
void offer_machine_methods(Dispatcher& dispatcher, const Wall& wall, const Library& library, const NodeRegistry& nodes);
// placement, place
void offer_place_methods(Dispatcher& dispatcher, const Wall& wall, Session& session, NodeRegistry& nodes,
                         EventLog& events);
// `server.hello`, `server.line`, `server.alive`, coordinate
void offer_server_methods(Dispatcher& dispatcher, Coordination& coordination);
// `server.library`, `server.scan`
void offer_server_library_methods(Dispatcher& dispatcher, const LibraryListing& listing, LibraryWatch& watch);
// import, import.cancel, import.places, import.probe; at the wall's other servers `server.import`,
// `server.import.cancel`
void offer_import_methods(Dispatcher& dispatcher, WallImport& imports, SourceProbe& sources, StatePublisher& publisher);
void offer_server_import_methods(Dispatcher& dispatcher, ImportJob& job);
// `node.hello`, `node.report`, `node.picture`, `node.machine`, `node.frames`
void offer_node_methods(Dispatcher& dispatcher, const Wall& wall, NodeRegistry& nodes, EventLog& events,
                        Telemetry& telemetry, const TileOverlays& overlays, PictureRelay& pictures,
                        const StatePublisher& publisher, const DetailWanted& detail, const Coordination& coordination);
// Takes in a node's report that came as tables (common/messages/node_tables.h).
void take_node_tables(std::string_view message, const Caller& caller, NodeRegistry& nodes, Telemetry& telemetry,
                      const DetailWanted& detail);

}  // namespace lw
