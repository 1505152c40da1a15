// Messages of common/messages from what a server sent, or what a recorded session contains; and messages for a
// server.
#pragma once

#include "common/base/result.h"
#include "common/messages/event.h"
#include "common/messages/import_places.h"
#include "common/messages/import_probe.h"
#include "common/messages/info.h"
#include "common/messages/library.h"
#include "common/messages/machine.h"
#include "common/messages/plan_reply.h"
#include "common/messages/play_state.h"
#include "common/messages/stats.h"
#include "common/messages/tablet.h"
#include "common/messages/tile_picture.h"

#include <QJsonObject>

namespace lw {

Result<Stats> stats_from(const QJsonObject& json);
Result<StateMessage> state_from(const QJsonObject& json);
Result<EventMessage> event_from(const QJsonObject& json);
Result<EntryMessage> entry_from(const QJsonObject& json);
Result<PlaylistReply> playlist_from(const QJsonObject& json);
Result<ProtocolReply> protocol_from(const QJsonObject& json);
Result<InfoReply> info_from(const QJsonObject& json);
Result<LibraryReply> library_from(const QJsonObject& json);
Result<ImportPlaces> import_places_from(const QJsonObject& json);
Result<ImportSourceMessage> import_source_from(const QJsonObject& json);
Result<ImageReply> image_from(const QJsonObject& json);
Result<PlanReply> plan_from(const QJsonObject& json);
Result<MachinesReply> machines_from(const QJsonObject& json);
Result<TilePictureMessage> picture_from(const QJsonObject& json);
Result<TabletTicketReply> ticket_from(const QJsonObject& json);

// JSON in Qt's types.
QJsonObject to_qt(const Json& json);

}  // namespace lw
