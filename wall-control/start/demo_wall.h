// The demo wall: four windows on this computer, played by the installed programs. Computes and imports its samples
// once, which takes a minute, then starts a server and two nodes, and ends them with this object.
#pragma once

#include "wall-control/link/wall_inquiry.h"

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QTimer>

#include <memory>
#include <vector>

namespace lw {

struct DemoPrograms {
  QString samples, ingest, server, client;  // empty: not installed
  QString wall_file;
  QString folder;  // for the content
  QString address = "127.0.0.1:9010";

  // Beside this program, else in the PATH.
  static DemoPrograms find();
  // One line about what to install; empty if nothing is missing.
  [[nodiscard]] QString missing() const;
};

class DemoWall : public QObject {
  Q_OBJECT

public:
  enum class Stage : unsigned char { idle, preparing, starting, running };
  Q_ENUM(Stage)

  explicit DemoWall(DemoPrograms programs = DemoPrograms::find(), QObject* parent = nullptr);
  ~DemoWall() override;  // ends it

  [[nodiscard]] const DemoPrograms& programs() const { return programs_; }
  void start();
  void stop();
  [[nodiscard]] Stage stage() const { return stage_; }
  // What it is doing, or why it ended.
  [[nodiscard]] const QString& words() const { return words_; }
  // Of the current step, 0 to 1; negative: unknown.
  [[nodiscard]] double progress() const { return progress_; }

signals:
  void changed();
  void ready(const QString& address);

private:
  struct Step {
    QString words, program;
    QStringList arguments;
  };
  [[nodiscard]] std::vector<Step> steps() const;
  [[nodiscard]] QStringList ingest_arguments(const QString& name, const QString& title, const QString& about) const;
  void next_step();
  void read_progress();
  void step_ended(int code, QProcess::ExitStatus status);
  void start_wall();
  void add_process(const QString& program, const QStringList& arguments);
  void look_for_server();
  void fail(const QString& words);
  void set_stage(Stage stage, const QString& words, double progress = -1);

  DemoPrograms programs_;
  Stage stage_ = Stage::idle;
  QString words_;
  double progress_ = -1;
  std::vector<Step> steps_;  // the next one last
  QProcess step_;
  QByteArray errors_;  // of the step
  std::vector<std::unique_ptr<QProcess>> wall_;
  QTimer look_;
  QElapsedTimer waited_;
};

}  // namespace lw
