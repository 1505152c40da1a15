#include "wall-control/start/start_walls.h"

#include "common/messages/rpc.h"
#include "wall-control/ui/counts.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lw {
namespace {

constexpr int ask_again_ms = 15'000;

std::optional<WallAnswer> announced_answer(const FoundWall& wall) {
  if (wall.protocol == 0 || wall.protocol == protocol_version) return std::nullopt;
  WallAnswer answer;
  answer.kind = wall.protocol < protocol_version ? WallAnswer::Kind::too_old : WallAnswer::Kind::too_new;
  answer.version = wall.version;
  return answer;
}

// Asking again cannot change it, or would be a failed attempt for the server.
bool is_final(const StartWall& wall) {
  using Kind = WallAnswer::Kind;
  return wall.answer && (wall.answer->kind == Kind::token || wall.answer->kind == Kind::refused);
}

}  // namespace

QString details_of(const StartWall& wall) {
  const int tiles = wall.columns * wall.rows;
  QStringList parts;
  if (tiles > 0) parts << counts::tiles(tiles);
  if (wall.pixels > 0) {
    const auto megapixels = std::max(1L, std::lround(static_cast<double>(wall.pixels) / 1e6));
    parts << (megapixels == 1 ? StartWalls::tr("1 megapixel") : StartWalls::tr("%1 megapixels").arg(megapixels));
  }
  if (parts.isEmpty()) return wall.address;
  return QString::fromUtf8("%1 \u00b7 %2").arg(wall.address, parts.join(", "));
}

StartWalls::StartWalls(const Connection& connection, const Discovery& discovery, QObject* parent)
    : QObject(parent), connection_(connection), discovery_(discovery) {
  again_.setInterval(ask_again_ms);
  connect(&again_, &QTimer::timeout, this, [this] {
    for (const auto& wall : walls_)
      if (!is_final(wall)) ask(wall.address);
  });
  connect(&connection_, &Connection::walls_changed, this, &StartWalls::collect);
  connect(&discovery_, &Discovery::changed, this, &StartWalls::collect);
  collect();
}

void StartWalls::set_watched(bool watched) {
  if (std::exchange(watched_, watched) == watched) return;
  if (watched) {
    again_.start();
    return ask_again();
  }
  again_.stop();
  for (const auto& [address, inquiry] : std::exchange(asked_, {})) delete inquiry;
}

void StartWalls::ask_again() {
  if (!watched_) return;
  for (auto& wall : walls_) {
    wall.answer.reset();
    ask(wall.address);
  }
  emit changed();
}

// Saved names are the operator's own, so they come first.
void StartWalls::collect() {
  const auto before = std::exchange(walls_, {});
  for (const auto& profile : connection_.profiles().all()) add({profile.name, profile.address, 0, 0, 0, {}});
  for (const auto& wall : connection_.recent().all())
    add({wall.name, wall.address, wall.columns, wall.rows, wall.pixels, {}});
  for (const auto& wall : discovery_.walls())
    add({wall.name, wall.address, wall.columns, wall.rows, wall.pixels, announced_answer(wall)});
  for (auto& wall : walls_) {
    const auto known = std::ranges::find(before, wall.address, &StartWall::address);
    if (known != before.end() && known->answer)
      wall.answer = known->answer;
    else if (watched_ && !wall.answer)
      ask(wall.address);
  }
  emit changed();
}

void StartWalls::add(const StartWall& wall) {
  const auto same = std::ranges::find(walls_, wall.address, &StartWall::address);
  if (same == walls_.end()) {
    if (walls_.size() < walls_max) walls_.push_back(wall);
    return;
  }
  if (same->columns == 0) {
    same->columns = wall.columns;
    same->rows = wall.rows;
    same->pixels = wall.pixels;
  }
  if (!same->answer) same->answer = wall.answer;
}

void StartWalls::ask(const QString& address) {
  if (asked_.contains(address)) return;
  auto* inquiry = new WallInquiry(connection_.trust(), this);
  asked_[address] = inquiry;
  connect(inquiry, &WallInquiry::answered, this, [this, address](const WallAnswer& answer) { take(address, answer); });
  inquiry->ask(address, connection_.token_of(address));
}

void StartWalls::take(const QString& address, const WallAnswer& answer) {
  if (const auto found = asked_.find(address); found != asked_.end()) {
    found->second->deleteLater();
    asked_.erase(found);
  }
  const auto wall = std::ranges::find(walls_, address, &StartWall::address);
  if (wall == walls_.end()) return;
  wall->answer = answer;
  if (answer.columns > 0) {
    wall->columns = answer.columns;
    wall->rows = answer.rows;
    wall->pixels = answer.pixels;
  }
  emit changed();
}

}  // namespace lw
