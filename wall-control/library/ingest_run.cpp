#include "wall-control/library/ingest_run.h"

#include "common/base/printable.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>

#include <sys/resource.h>

#include <algorithm>

namespace lw {
namespace {

constexpr int end_ms = 3000;
constexpr int words_max = 400;
constexpr int lowest_priority = 19;

}  // namespace

QString progress_text(const IngestProgress& progress) {
  auto rate = IngestRun::tr("%1 fps, %2 MB/s").arg(progress.frames_per_s, 0, 'f', 1).arg(progress.mb_per_s, 0, 'f', 0);
  if (progress.limit_mb_per_s)
    rate += IngestRun::tr(" (at most %1 while a wall plays)").arg(*progress.limit_mb_per_s, 0, 'f', 0);
  if (!progress.server.isEmpty()) rate += IngestRun::tr(", server %1").arg(progress.server);
  if (!progress.total && progress.frames == 1) return IngestRun::tr("1 frame, %1").arg(rate);
  if (!progress.total) return IngestRun::tr("%1 frames, %2").arg(progress.frames).arg(rate);
  auto text = IngestRun::tr("frame %1 of %2, %3").arg(progress.frames).arg(*progress.total).arg(rate);
  if (progress.frames_per_s <= 0) return text;
  const auto left = static_cast<qint64>(static_cast<double>(*progress.total - progress.frames) / progress.frames_per_s);
  if (left < 0) return text;
  return text + IngestRun::tr(", %1:%2 left").arg(left / 60).arg(left % 60, 2, 10, QChar('0'));
}

IngestRun::IngestRun(QObject* parent) : QObject(parent) {
  connect(&process_, &QProcess::readyReadStandardOutput, this, &IngestRun::read_lines);
  connect(&process_, &QProcess::finished, this, &IngestRun::on_finished);
  connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) emit ended(End::failed, process_.errorString());
  });
}

IngestRun::~IngestRun() {
  process_.disconnect(this);
  if (!running()) return;
  process_.terminate();
  if (!process_.waitForFinished(end_ms)) process_.kill();
}

QString IngestRun::program() {
  const QString name = "wall-ingest";
  const auto beside = QStandardPaths::findExecutable(name, {QCoreApplication::applicationDirPath()});
  return beside.isEmpty() ? QStandardPaths::findExecutable(name) : beside;
}

QStringList IngestRun::arguments(const IngestRequest& request) {
  QStringList arguments{"--json", "--wall", request.wall_file, "--out", request.out.join(','), "--fit", request.fit};
  if (!request.format.isEmpty()) arguments << "--format" << request.format;
  // Joined with `=`, so that a value beginning with a dash remains a value.
  if (!request.name.isEmpty()) arguments << "--name=" + request.name;
  if (!request.title.isEmpty()) arguments << "--title=" + request.title;
  for (const auto& tag : request.tags) arguments << "--tag=" + tag;
  if (request.overwrite) arguments << "--overwrite";
  return arguments << "--" << request.input;
}

QString IngestRun::problem_of(const IngestRequest& request) {
  if (program().isEmpty()) return tr("wall-ingest is neither beside this program nor in the PATH; install it here");
  if (request.input.isEmpty()) return tr("Choose a video, a folder of pictures or a test source");
  if (request.wall_file.isEmpty() || !QFileInfo(request.wall_file).isFile())
    return tr("Choose the wall file that the server was started with");
  if (request.out.isEmpty()) return tr("Choose the server's content folder");
  for (const auto& folder : request.out) {
    if (folder.contains(',')) return tr("%1: a folder with a comma in its name cannot be given").arg(folder);
    if (!QFileInfo(folder).isDir()) return tr("%1 is not a folder of this machine").arg(folder);
    if (!QFileInfo(folder).isWritable()) return tr("You are not allowed to write to %1").arg(folder);
  }
  return {};
}

void IngestRun::start(const IngestRequest& request) {
  if (running()) return;
  made_.clear();
  cancelled_ = false;
  if (request.low_priority)
    process_.setChildProcessModifier([] { setpriority(PRIO_PROCESS, 0, lowest_priority); });
  else
    process_.setChildProcessModifier({});
  process_.start(program(), arguments(request));
}

void IngestRun::cancel() {
  if (!running()) return;
  cancelled_ = true;
  process_.terminate();
}

void IngestRun::read_lines() {
  while (process_.canReadLine()) {
    const auto event = QJsonDocument::fromJson(process_.readLine()).object();
    if (event["event"].toString() == "done") made_ = QFileInfo(event["folder"].toString()).fileName();
    if (event["event"].toString() == "note") emit noted(event["text"].toString());
    if (event["event"].toString() != "progress") continue;
    IngestProgress progress;
    progress.frames = event["frames"].toInteger();
    if (event["frames_total"].isDouble()) progress.total = event["frames_total"].toInteger();
    progress.frames_per_s = event["frames_per_s"].toDouble();
    progress.mb_per_s = event["mb_per_s"].toDouble();
    if (event["limit_mb_per_s"].isDouble()) progress.limit_mb_per_s = event["limit_mb_per_s"].toDouble();
    emit progressed(progress);
  }
}

void IngestRun::on_finished(int code, QProcess::ExitStatus status) {
  read_lines();
  const auto said = printable(process_.readAllStandardError().trimmed().toStdString(), Lines::kept);
  auto words = QString::fromStdString(said).section('\n', -1).left(words_max);
  if (status == QProcess::NormalExit && code == 0 && !made_.isEmpty()) return emit ended(End::done, made_);
  if (cancelled_) return emit ended(End::cancelled, words);
  if (words.isEmpty()) words = tr("wall-ingest ended with code %1").arg(code);
  emit ended(End::failed, words);
}

}  // namespace lw
