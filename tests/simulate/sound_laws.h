// Laws of sound while a wall without faults plays: what is heard belongs to the frame that is seen, and nothing of it
// is lost.
#pragma once

#include "tests/simulate/node.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lw::simulate {

class SoundLaws {
public:
  using Break = std::function<void(const std::string& law)>;

  SoundLaws(const Content& content, Break on_break) : content_(content), on_break_(std::move(on_break)) {}

  // At both ends of the time that is judged.
  void begin(const std::vector<std::unique_ptr<Node>>& nodes);
  // This visualization plays, at its rate.
  void judge(const std::vector<std::unique_ptr<Node>>& nodes, const Visualization& plays,
             const std::string& circumstances) const;

  // Whatever plays, with several servers: what is heard belongs to the frame that is seen then. Where frames follow
  // each other at rate 1, and nothing may be missing, it is heard.
  void judge_heard(Node& node, bool may_miss, const std::string& circumstances) const;

private:
  [[nodiscard]] static std::uint64_t missed(const Node& node);
  [[nodiscard]] bool plays_on(const Shown& frame, const Shown& next) const;
  void judge_frames(Node& node, const Visualization& plays, const std::string& circumstances) const;

  const Content& content_;
  const Break on_break_;
  std::vector<std::uint64_t> missed_before_;  // milliseconds; like the nodes
};

}  // namespace lw::simulate
