// Why a tile or node is not well, from measured figures only: the first line of a table of evidence that holds, with
// the evidence. If none holds, the cause is unclear, and the stage that takes longest against the wall's median is
// named. Draws nothing.
#pragma once

#include "wall-control/models/health.h"
#include "wall-control/models/problems.h"
#include "wall-control/models/stage_times.h"

#include <QCoreApplication>
#include <QString>

#include <optional>
#include <vector>

namespace lw {

class Machines;

struct Evidence {
  State state = State::note;  // ok: this is not the reason
  QString text;
};

struct Cause {
  enum class Kind : unsigned char {
    none,  // nothing is wrong there
    silent,
    receive_buffers,
    path,
    late_sender,
    slow_upload,
    clock,
    unclear,
  };
  Kind kind = Kind::none;
  QString title;  // "render-4 cannot empty its receive buffers"
  QString text;
  QString brief;  // in a list of problems
  std::vector<Evidence> evidence;
  std::optional<Stage> stage;  // where the time is lost
  QString host;                // whose hardware explains it: a node, or empty for the server
  std::vector<int> flows;      // that another CPU could take
};

class Causes {
  Q_DECLARE_TR_FUNCTIONS(Causes)

public:
  // All must outlive this.
  Causes(const FlowHistory& history, const WallStatus& status, const StageTimes& stages, const Health& health)
      : history_(history), status_(status), stages_(stages), health_(health) {}

  // The hosts' hardware with the flows placed, once it is known.
  void set_machines(const Machines* machines) { machines_ = machines; }
  void set_uplinks(const Uplinks& uplinks) { uplinks_ = uplinks; }
  // How long a frame of what plays is shown.
  void set_frame_interval(double us) { frame_us_ = us; }

  [[nodiscard]] Cause of(const Part& part) const;
  [[nodiscard]] Cause of(const Problem& problem) const;
  // The tiles of a part.
  [[nodiscard]] std::vector<std::size_t> tiles_of(const Part& part) const;

private:
  struct Suspects;  // what is looked at, and its counts
  [[nodiscard]] Cause of_tiles(const std::vector<std::size_t>& tiles) const;
  [[nodiscard]] Suspects suspects(const std::vector<std::size_t>& tiles) const;
  [[nodiscard]] std::optional<Cause> silent(const Suspects& about) const;
  [[nodiscard]] std::optional<Cause> receive_buffers(const Suspects& about) const;
  [[nodiscard]] std::optional<Cause> path(const Suspects& about) const;
  [[nodiscard]] std::optional<Cause> late_sender(const Suspects& about) const;
  [[nodiscard]] std::optional<Cause> slow_upload(const Suspects& about) const;
  [[nodiscard]] std::optional<Cause> clock(const Suspects& about) const;
  [[nodiscard]] Cause unclear(const Suspects& about) const;
  [[nodiscard]] bool sent_in_time(const Suspects& about) const;
  [[nodiscard]] QString losing_card(const QString& node) const;
  [[nodiscard]] std::vector<int> flows_on_interrupt_cpu(const QString& node, std::optional<int>& cpu) const;

  const FlowHistory& history_;
  const WallStatus& status_;
  const StageTimes& stages_;
  const Health& health_;
  const Machines* machines_ = nullptr;
  Uplinks uplinks_;
  double frame_us_ = 1e6;
};

}  // namespace lw
