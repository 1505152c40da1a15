// Incidents: each problem of a place from its beginning to its end, also beside others of the same place.
#include "wall-control/network/incident_log.h"

using namespace lw;

namespace {

Problem problem_of(Problem::Kind kind, const char* sentence, State state = State::warn) {
  Problem problem;
  problem.place = Problem::Place::node;
  problem.kind = kind;
  problem.name = "right";
  problem.state = state;
  problem.sentence = sentence;
  return problem;
}

}  // namespace

class IncidentLogTest : public QObject {
  Q_OBJECT

private slots:
  void a_node_that_is_late_and_then_loses_packets() {
    IncidentLog log;
    const auto late = problem_of(Problem::Kind::timing, "Late frames on node right");
    const auto loss = problem_of(Problem::Kind::arrival, "Packet loss on node right");
    log.take({late}, 1000);
    log.take({late, loss}, 2000);
    log.take({loss}, 3000);
    log.take({}, 4000);
    const std::vector<Incident> expected{{State::warn, 1000, 3000, "Late frames on node right"},
                                         {State::warn, 2000, 4000, "Packet loss on node right"}};
    QCOMPARE(log.all(), expected);
  }

  void one_that_becomes_worse_is_named_by_the_worst() {
    IncidentLog log;
    log.take({problem_of(Problem::Kind::arrival, "Packet loss on node right")}, 1000);
    log.take({problem_of(Problem::Kind::arrival, "Nothing arrives at node right", State::crit)}, 2000);
    log.take({problem_of(Problem::Kind::arrival, "right is recovering")}, 3000);
    log.take({}, 4000);
    const std::vector<Incident> expected{{State::crit, 1000, 4000, "Nothing arrives at node right"}};
    QCOMPARE(log.all(), expected);
  }
};

QTEST_MAIN(IncidentLogTest)
#include "incident_log_test.moc"
