// Asks wall-ingest what an import would read and write, before it starts: size, length, sound, a preview.
#pragma once

#include "wall-control/library/ingest_run.h"

#include <QImage>
#include <QObject>
#include <QProcess>

#include <optional>

namespace lw {

struct IngestFacts {
  QString name;  // of the visualization, unless another is chosen
  int width = 0, height = 0;
  double frames_per_s = 0;       // of the visualization
  std::optional<qint64> frames;  // if the source states it
  std::optional<double> input_bytes, bytes;
  int sound_channels = 0;  // 0: it has no sound
  double hidden = 0;       // share of the wall's pixels that a store does not have
  bool hdr = false;
  QImage preview;
};

// None if it is not an answer of wall-ingest.
std::optional<IngestFacts> facts_from(const QJsonObject& json);
// "1920 x 1080, 25 fps, 0:10"
QString source_text(const IngestFacts& facts);
// "10 MB become 922 MB"
QString size_text(const IngestFacts& facts);
// Losses and warnings, each in a sentence.
QStringList notes_of(const IngestFacts& facts);

class IngestProbe : public QObject {
  Q_OBJECT

public:
  explicit IngestProbe(QObject* parent = nullptr);
  ~IngestProbe() override;

  static QStringList arguments(const IngestRequest& request);
  // Instead of what was asked before.
  void ask(const IngestRequest& request);
  void stop();

signals:
  void found(const lw::IngestFacts& facts);
  void failed(const QString& words);

private:
  void on_finished(int code, QProcess::ExitStatus status);

  QProcess process_;
};

}  // namespace lw
