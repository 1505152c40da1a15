// Whatever a server sends to wall-control, or a recorded session contains (one message per line), is shown as figures,
// words and alarms, or is skipped. Each line is also read as a file of alarms and as a playlist.
#include "wall-control/alarms/alarms.h"
#include "wall-control/messages/told.h"
#include "wall-control/models/clock_watch.h"
#include "wall-control/models/library_model.h"
#include "wall-control/models/machines.h"
#include "wall-control/models/placement_trial.h"
#include "wall-control/models/playlist_draft.h"
#include "wall-control/models/tile_figures.h"
#include "wall-control/models/tile_pictures.h"
#include "wall-control/models/wall_status.h"
#include "wall-control/sessions/session.h"

#include <QGuiApplication>

#include <cstdlib>

namespace lw {
namespace {

constexpr std::size_t lines_max = 64;

// What wall-control knows about a wall.
class Listener {
public:
  Listener() {
    alarms_.set_rules(lan_alarms());
    trial_.begin({});
  }

  void hear(const SessionEntry& entry) {
    using Kind = SessionEntry::Kind;
    switch (entry.kind) {
      case Kind::info:
        if (const auto info = info_from(entry.body)) {
          history_.set_wall(info->wall);
          status_.set_wall(info->wall);
        }
        break;
      case Kind::library:
        if (const auto library = library_from(entry.body)) library_.set_visualizations(library->visualizations);
        if (const auto plan = plan_from(entry.body))
          library_.set_plan(QString::fromStdString(plan->name.value_or("")), *plan);
        for (int row = 0; row < library_.rowCount(); ++row) badge_text(library_.row(row));
        break;
      case Kind::state:
        if (const auto state = state_from(entry.body)) hear(*state);
        if (const auto reply = playlist_from(entry.body)) draft_.applied(false, *reply);
        break;
      case Kind::stats:
        if (const auto stats = stats_from(entry.body)) hear(*stats);
        break;
      case Kind::event:
        if (const auto event = event_from(entry.body); event && event->time.size() > text_bytes_usual) std::abort();
        decode_picture(entry.body);
        break;
      case Kind::session:
        if (const auto image = image_from(entry.body))
          if (image->base64.size() > 2 * ImageReply::image_bytes_max) std::abort();
        if (const auto machines = machines_from(entry.body)) machines_.set(*machines);
        break;
    }
    look();
  }

private:
  void hear(const StateMessage& state) {
    status_.set_state(state);
    draft_.set_live(state);
    draft_.take_live();
  }

  void hear(const Stats& stats) {
    history_.add(stats);
    status_.add(stats);
    trial_.add(stats);
    clock_problem(stats, 33'000);
  }

  // As the window does after each message.
  void look() {
    machines_.place(history_);
    for (const auto& machine : machines_.all()) wrong_pairings(machine);
    for (const auto& tile : history_.tiles()) {
      figures_of_tile(history_, status_, tile);
      if (const auto* node = status_.node(tile.node)) figures_of_node(*node);
    }
    for (const auto& flow : history_.flows()) figures_of_flow(flow);
    alarms_.step(history_);
    static_cast<void>(alarms_.raised());
  }

  FlowHistory history_;
  WallStatus status_;
  Machines machines_;
  LibraryModel library_;
  PlaylistDraft draft_;
  PlacementTrial trial_;
  Alarms alarms_;
};

void read_files(const QByteArray& line) {
  if (const auto rules = alarm_rules_from(line)) {
    if (*alarm_rules_from(to_json(*rules)) != *rules) std::abort();
    for (const auto& rule : *rules) text_of(rule);
  }
  PlaylistDraft draft;
  if (draft.open(line).isEmpty() && !draft.open(draft.to_file()).isEmpty()) std::abort();
}

}  // namespace
}  // namespace lw

// Posters are pixmaps, which need an application; this one runs without a screen.
extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  static const QGuiApplication application(*count, *arguments);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lw::Listener listener;
  const auto lines = QByteArray(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size)).split('\n');
  for (qsizetype i = 0; i < lines.size() && i < static_cast<qsizetype>(lw::lines_max); ++i) {
    lw::read_files(lines[i]);
    if (const auto entry = lw::entry_from(lines[i])) {
      if (lw::entry_from(lw::to_line(*entry))->body != entry->body) std::abort();
      listener.hear(*entry);
    }
  }
  return 0;
}
