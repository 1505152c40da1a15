// One run of wall-ingest on this machine: its command line, its progress, its end. A cancelled run keeps what it
// finished; the same request continues from there.
#pragma once

#include <QObject>
#include <QProcess>
#include <QStringList>

#include <optional>

namespace lw {

struct IngestRequest {
  QString input;      // a file, a folder, a pattern, or a test source of FFmpeg
  QString wall_file;  // the one with which the server was started
  QStringList out;    // content folder, and further ones for stripes; empty: the server's usual ones
  QString name;       // empty: from the input
  QString title;
  QStringList tags;
  QString fit = "fit";
  QString format = {};        // of the pixels; empty: that of the wall file
  bool overwrite = false;     // replace one of the same name
  bool low_priority = false;  // on this machine
};

struct IngestProgress {
  qint64 frames = 0;
  std::optional<qint64> total;
  double frames_per_s = 0;
  double mb_per_s = 0;
  std::optional<double> limit_mb_per_s = std::nullopt;  // while a server plays from the same folders
  QString server = {};                                  // of several that import, the slowest
};

// "frame 20 of 90, 30.0 fps, 120 MB/s, 0:02 left"
QString progress_text(const IngestProgress& progress);

class IngestRun : public QObject {
  Q_OBJECT

public:
  enum class End { done, cancelled, failed };
  Q_ENUM(End)

  explicit IngestRun(QObject* parent = nullptr);
  ~IngestRun() override;  // cancels

  // Beside this program, else in the PATH; empty if not installed.
  static QString program();
  static QStringList arguments(const IngestRequest& request);
  // The first missing or invalid value, as a text; empty if there is none.
  static QString problem_of(const IngestRequest& request);

  void start(const IngestRequest& request);
  void cancel();
  [[nodiscard]] bool running() const { return process_.state() != QProcess::NotRunning; }

signals:
  void progressed(const lw::IngestProgress& progress);
  // A note of wall-ingest, such as that frames are missing.
  void noted(const QString& words);
  // `words`: the name of the visualization if the run succeeded, else why it failed.
  void ended(lw::IngestRun::End end, const QString& words);

private:
  void read_lines();
  void on_finished(int code, QProcess::ExitStatus status);

  QProcess process_;
  QString made_;  // the visualization's name, once it is done
  bool cancelled_ = false;
};

}  // namespace lw
