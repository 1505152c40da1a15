// The problems of the wall, the worst first. Alarms and tiles of one cause are one problem: all flows of a node are
// the node's, all nodes behind one network card of the server are the card's. Every raised alarm belongs to exactly one
// problem, and so does every tile that is not well. Draws nothing.
#pragma once

#include "wall-control/models/health.h"

#include <QCoreApplication>
#include <QString>

#include <optional>
#include <vector>

namespace lw {

struct Problem {
  enum class Place : unsigned char { wall, card, node, tile };
  // Of several that hold for a tile, the first explains the others.
  enum class Kind : unsigned char { silence, arrival, timing, measured };

  Place place = Place::wall;
  Kind kind = Kind::measured;
  Part part;  // for the selection; of the wall and a card: empty
  QString name;
  State state = State::warn;
  std::vector<std::size_t> tiles;   // places in the history, the worst first
  std::vector<std::size_t> alarms;  // places in Health::alarms()
  int showing = 0;                  // tiles on which the audience sees it
  qint64 since_ms = 0;
  Quantity quantity = Quantity::loss;  // the figure that shows it
  std::optional<double> worst;         // of it, newest
  QString what;                        // "Packet loss on 6 of its 8 tiles"
  QString sentence;                    // "Packet loss on node render-29"
  QString phrase;                      // "tile 27,11 is late"
  QString context;                     // "1 tile shows it · for 26 s"

  bool operator==(const Problem&) const = default;
};

class Problems {
  Q_DECLARE_TR_FUNCTIONS(Problems)

public:
  // Both must outlive this.
  Problems(const FlowHistory& history, const Health& health) : history_(history), health_(health) {}

  void set_uplinks(const Uplinks& uplinks) { uplinks_ = uplinks; }
  [[nodiscard]] std::vector<Problem> now() const;
  // Its figure over the last minute, the newest sample last; gaps are not a number.
  [[nodiscard]] std::vector<float> minute_of(const Problem& problem) const;

private:
  struct Complaint;  // of a tile
  struct NodeTiles;  // all tiles of a node, and those that complain
  [[nodiscard]] std::vector<Complaint> complaints() const;
  [[nodiscard]] Problem::Kind kind_of(std::size_t tile, const Complaint& complaint) const;
  [[nodiscard]] Problem problem_of(Problem::Kind kind, Problem::Place place, const QString& name,
                                   const std::vector<Complaint>& complaints) const;
  void add_node(std::vector<Problem>& problems, const NodeTiles& node) const;
  void join_cards(std::vector<Problem>& problems) const;
  void add_wall_alarms(std::vector<Problem>& problems) const;
  void sort_by_weight(std::vector<Problem>& problems) const;
  [[nodiscard]] int tiles_of(const Problem& problem) const;
  void describe(Problem& problem) const;
  void describe_figure(Problem& problem) const;

  const FlowHistory& history_;
  const Health& health_;
  Uplinks uplinks_;
};

// "1 more problem: tile 1,2 is late", "2 more: render-29, tile 27,11"; empty if there is at most one.
QString more_words(const std::vector<Problem>& problems);

}  // namespace lw
