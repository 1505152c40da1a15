// The order of the wall's problems: by what the audience sees, and by age only where that is alike.
#include "tests/gui/health_room.h"

#include <QTest>

using namespace lw;
using test::Room;

class ProblemsTest : public QObject {
  Q_OBJECT

private slots:
  // Five late frames of longer ago came before 150 concealed ones.
  void more_faults_outweigh_an_older_problem() {
    Room room;
    room.steps(30);
    auto& older = room.tiles[Room::tile_at(1, 2)];
    older.late = 1;
    room.steps(5);
    older.late = 0;
    room.steps(10);
    room.tiles[Room::tile_at(3, 0)].concealed = 3;
    room.steps(50);
    const auto problems = room.problems.now();
    QCOMPARE(problems.size(), std::size_t{2});
    QCOMPARE(problems[0].name, QString("Tile 3,0"));
    QCOMPARE(problems[1].name, QString("Tile 1,2"));
    QVERIFY(problems[1].since_ms < problems[0].since_ms);
    QCOMPARE(problems[0].state, problems[1].state);
  }

  void problems_of_like_weight_keep_the_older_first() {
    Room room;
    room.steps(30);
    room.tiles[Room::tile_at(4, 1)].concealed = 2;
    room.steps(10);
    room.tiles[Room::tile_at(0, 1)].concealed = 2;
    for (int step = 0; step < 90; ++step) {
      room.step();
      if (step > 30) QCOMPARE(room.problems.now()[0].name, QString("Tile 4,1"));
    }
  }
};

QTEST_MAIN(ProblemsTest)
#include "problems_test.moc"
