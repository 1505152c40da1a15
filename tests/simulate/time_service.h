// What keeps the clocks of the simulated hosts, and what faults do to them.
//
// With [clock] source = "system" a time service keeps all system clocks within some tens of microseconds: it slews them
// once a second, by some tens of parts per million. With source = "wall" nobody keeps them: each is off by seconds and
// drifts like its oscillator, and setting it must not change anything on the wall.
#pragma once

#include "common/wall/wall_file.h"
#include "tests/simulate/host.h"
#include "tests/simulate/schedule.h"

#include <vector>

namespace lw::simulate {

class TimeService {
public:
  // Draws the hosts' oscillators and clocks. `hosts`, of which the first is the server's, must outlive this object.
  TimeService(const Wall& wall, Timeline& timeline, Random& random, std::vector<Host*> hosts);

  [[nodiscard]] bool keeps() const { return keeps_; }  // false: the wall keeps its own clock
  // Call several times a second.
  void look();
  void begin(const Happening& one, Random& chance);
  void end(const Happening& one);
  // Ends all faults.
  void heal();
  // Sets all system clocks, each by another time.
  void set_all();

private:
  struct Kept {
    Host* host = nullptr;
    Nanoseconds usual_error{0};
    bool left_alone = false;  // the service does not reach it
    WallTime next{};          // when it is slewed again
  };
  void serve(Kept& one);
  void heal(Kept& one);

  const bool keeps_;
  Timeline& timeline_;
  Random& random_;
  std::vector<Kept> hosts_;
};

}  // namespace lw::simulate
