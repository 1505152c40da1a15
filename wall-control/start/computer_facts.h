// What `wall-probe doctor --json` finds on this computer, in words for the start page.
#pragma once

#include "wall-control/ui/state_shape.h"

#include <QByteArray>
#include <QString>

#include <vector>

namespace lw {

struct ComputerFact {
  State state = State::ok;
  QString words;
  QString about;
  QString fix = {};  // a command
};

// From the program's output; empty if it cannot be read.
std::vector<ComputerFact> computer_facts(const QByteArray& doctor);
ComputerFact port_fact(bool in_use);

}  // namespace lw
