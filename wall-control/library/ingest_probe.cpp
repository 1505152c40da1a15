#include "wall-control/library/ingest_probe.h"

#include "common/base/printable.h"
#include "wall-control/models/library_model.h"
#include "wall-control/models/media_time.h"
#include "wall-control/models/rate_number.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

namespace lw {
namespace {

constexpr int probe_end_ms = 1000;
constexpr int said_max = 400;

}  // namespace

std::optional<IngestFacts> facts_from(const QJsonObject& json) {
  if (json["event"].toString() != "probe") return std::nullopt;
  IngestFacts facts;
  facts.name = json["name"].toString();
  facts.width = json["width"].toInt();
  facts.height = json["height"].toInt();
  facts.frames_per_s = rate_number(json["frame_rate"].toString());
  if (json["frames"].isDouble()) facts.frames = json["frames"].toInteger();
  if (json["input_bytes"].isDouble()) facts.input_bytes = json["input_bytes"].toDouble();
  if (json["bytes"].isDouble()) facts.bytes = json["bytes"].toDouble();
  facts.sound_channels = json["sound_channels"].toInt();
  facts.hdr = json["hdr"].toBool();
  facts.hidden = json["hidden_share"].toDouble();
  facts.preview = QImage::fromData(QByteArray::fromBase64(json["preview"].toString().toLatin1()));
  return facts;
}

QString source_text(const IngestFacts& facts) {
  QStringList parts;
  if (facts.width > 0) parts << QString::fromUtf8("%1 \u00d7 %2").arg(facts.width).arg(facts.height);
  if (facts.frames_per_s > 0) parts << IngestProbe::tr("%1 fps").arg(facts.frames_per_s, 0, 'g', 4);
  if (facts.frames && facts.frames_per_s > 0)
    parts << media_length(static_cast<double>(*facts.frames) / facts.frames_per_s);
  return parts.join(QString::fromUtf8(" \u00b7 "));
}

QString size_text(const IngestFacts& facts) {
  if (!facts.bytes) return IngestProbe::tr("The length is not known before it is read");
  if (!facts.input_bytes) return IngestProbe::tr("Needs %1").arg(bytes_text(*facts.bytes));
  return IngestProbe::tr("%1 become %2").arg(bytes_text(*facts.input_bytes), bytes_text(*facts.bytes));
}

QStringList notes_of(const IngestFacts& facts) {
  QStringList notes;
  if (facts.sound_channels == 1) notes << IngestProbe::tr("Its sound is kept: 1 channel.");
  if (facts.sound_channels > 1) notes << IngestProbe::tr("Its sound is kept: %1 channels.").arg(facts.sound_channels);
  if (facts.hdr) notes << IngestProbe::tr("It is HDR video, which is converted to the colours of the wall.");
  if (facts.hidden > 0)
    notes << IngestProbe::tr(
                 "%1 % of this wall's pixels were behind the bezels of the wall that it was made for: they "
                 "repeat the pixels beside them.")
                 .arg(100 * facts.hidden, 0, 'f', 1);
  return notes;
}

IngestProbe::IngestProbe(QObject* parent) : QObject(parent) {
  connect(&process_, &QProcess::finished, this, &IngestProbe::on_finished);
}

IngestProbe::~IngestProbe() {
  process_.disconnect(this);
  stop();
}

QStringList IngestProbe::arguments(const IngestRequest& request) {
  QStringList arguments{"--probe", "--json", "--wall", request.wall_file, "--fit", request.fit};
  if (!request.format.isEmpty()) arguments << "--format" << request.format;
  return arguments << "--" << request.input;
}

void IngestProbe::ask(const IngestRequest& request) {
  stop();
  process_.start(IngestRun::program(), arguments(request));
}

// What it says after this is not heard.
void IngestProbe::stop() {
  if (process_.state() == QProcess::NotRunning) return;
  const QSignalBlocker quiet(&process_);
  process_.kill();
  process_.waitForFinished(probe_end_ms);
}

void IngestProbe::on_finished(int code, QProcess::ExitStatus status) {
  const auto lines = process_.readAllStandardOutput().split('\n');
  const auto said = printable(process_.readAllStandardError().trimmed().toStdString(), Lines::kept);
  for (const auto& line : lines)
    if (const auto facts = facts_from(QJsonDocument::fromJson(line).object())) return emit found(*facts);
  if (status == QProcess::NormalExit && code != 0)
    emit failed(QString::fromStdString(said).section('\n', -1).left(said_max));
}

}  // namespace lw
