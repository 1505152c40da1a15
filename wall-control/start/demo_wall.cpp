#include "wall-control/start/demo_wall.h"

#include "common/base/printable.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QStandardPaths>

#include <algorithm>
#include <array>

namespace lw {
namespace {

constexpr int look_ms = 500, server_timeout_ms = 30'000, process_end_ms = 3000;
constexpr qsizetype errors_max = 4096, error_words_max = 300;

struct DemoSample {
  const char* name;
  const char* title;
  const char* about;
};
constexpr std::array demo_samples{
    DemoSample{"cosmos-2d", QT_TRANSLATE_NOOP("lw::DemoWall", "Cosmic web, whole domain"),
               QT_TRANSLATE_NOOP("lw::DemoWall", "Dark matter from small ripples to the cosmic web.")},
    DemoSample{"cosmos-3d", QT_TRANSLATE_NOOP("lw::DemoWall", "Flight through the cosmic web"),
               QT_TRANSLATE_NOOP("lw::DemoWall", "Dark matter today, seen from the inside. Colour shows speed.")}};

QString program_path(const QString& name) {
  const auto beside = QStandardPaths::findExecutable(name, {QCoreApplication::applicationDirPath()});
  return beside.isEmpty() ? QStandardPaths::findExecutable(name) : beside;
}

// Installed beside the programs, or in the source tree above the folder of the build.
QString find_wall_file() {
  const auto here = QCoreApplication::applicationDirPath();
  for (const auto& path : {here + "/../share/lambdawall/walls/local-2x2.toml", here + "/../../../walls/local-2x2.toml"})
    if (QFileInfo(path).isFile()) return QFileInfo(path).canonicalFilePath();
  return QStandardPaths::locate(QStandardPaths::GenericDataLocation, "lambdawall/walls/local-2x2.toml");
}

QString last_line(const QByteArray& errors) {
  const auto said = printable(errors.trimmed().toStdString(), Lines::kept);
  return QString::fromStdString(said).section('\n', -1).left(error_words_max);
}

bool is_there(const QString& content, const QString& name) {
  return QFileInfo(QString("%1/%2/visualization.json").arg(content, name)).isFile();
}

}  // namespace

DemoPrograms DemoPrograms::find() {
  return {program_path("wall-samples"),
          program_path("wall-ingest"),
          program_path("wall-server"),
          program_path("wall-client"),
          find_wall_file(),
          QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + "/lambdawall/demo"};
}

QString DemoPrograms::missing() const {
  QStringList packages;
  if (server.isEmpty()) packages << "lambdawall-server";
  if (client.isEmpty()) packages << "lambdawall-client";
  if (ingest.isEmpty()) packages << "lambdawall-ingest";
  if (samples.isEmpty()) packages << "lambdawall-samples";
  if (packages.isEmpty() && wall_file.isEmpty()) packages << "lambdawall-common";
  return packages.isEmpty() ? QString()
                            : DemoWall::tr("Install %1 to try a wall on this computer.").arg(packages.join(", "));
}

DemoWall::DemoWall(DemoPrograms programs, QObject* parent) : QObject(parent), programs_(std::move(programs)) {
  connect(&step_, &QProcess::readyReadStandardError, this, &DemoWall::read_progress);
  connect(&step_, &QProcess::readyReadStandardOutput, this, &DemoWall::read_progress);
  connect(&step_, &QProcess::finished, this, &DemoWall::step_ended);
  connect(&step_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) fail(step_.errorString());
  });
  look_.setInterval(look_ms);
  connect(&look_, &QTimer::timeout, this, &DemoWall::look_for_server);
}

DemoWall::~DemoWall() {
  blockSignals(true);
  stop();
}

void DemoWall::set_stage(Stage stage, const QString& words, double progress) {
  stage_ = stage;
  words_ = words;
  progress_ = progress;
  emit changed();
}

QStringList DemoWall::ingest_arguments(const QString& name, const QString& title, const QString& about) const {
  return {"--json",
          "--wall",
          programs_.wall_file,
          "--out",
          programs_.folder + "/content",
          "--name=" + name,
          "--overwrite",
          "--title=" + title,
          "--description=" + about,
          "--tag=cosmology",
          "--",
          QString("%1/frames/%2").arg(programs_.folder, name)};
}

// A sample that is complete is not made again.
std::vector<DemoWall::Step> DemoWall::steps() const {
  std::vector<Step> steps;
  const auto content = programs_.folder + "/content";
  if (std::ranges::all_of(demo_samples, [&](const DemoSample& sample) { return is_there(content, sample.name); }))
    return steps;
  steps.push_back({tr("Computing a small universe"), programs_.samples, {"--out", programs_.folder + "/frames"}});
  for (const auto& sample : demo_samples) {
    const auto title = tr(sample.title);
    steps.push_back(
        {tr("Importing %1").arg(title), programs_.ingest, ingest_arguments(sample.name, title, tr(sample.about))});
  }
  std::ranges::reverse(steps);
  return steps;
}

void DemoWall::start() {
  if (stage_ != Stage::idle) return;
  if (const auto missing = programs_.missing(); !missing.isEmpty()) return fail(missing);
  if (!QDir().mkpath(programs_.folder + "/content"))
    return fail(tr("%1 cannot be created").arg(programs_.folder + "/content"));
  steps_ = steps();
  next_step();
}

void DemoWall::next_step() {
  if (steps_.empty()) return start_wall();
  const auto step = steps_.back();
  steps_.pop_back();
  errors_.clear();
  set_stage(Stage::preparing, step.words);
  step_.start(step.program, step.arguments);
}

// wall-samples writes "cosmos-2d: 10 of 80 frames" on stderr, wall-ingest events on stdout.
void DemoWall::read_progress() {
  errors_ = (errors_ + step_.readAllStandardError()).right(errors_max);
  double progress = progress_;
  static const QRegularExpression counted(R"((\d+) of (\d+) frames)");
  auto found = counted.globalMatch(QString::fromUtf8(errors_));
  while (found.hasNext()) {
    const auto match = found.next();
    if (const int all = match.captured(2).toInt(); all > 0) progress = match.captured(1).toDouble() / all;
  }
  step_.setReadChannel(QProcess::StandardOutput);
  while (step_.canReadLine()) {
    const auto event = QJsonDocument::fromJson(step_.readLine()).object();
    const double all = event["frames_total"].toDouble();
    if (event["event"].toString() == "progress" && all > 0) progress = event["frames"].toDouble() / all;
  }
  if (progress != progress_) set_stage(stage_, words_, std::clamp(progress, 0.0, 1.0));
}

void DemoWall::step_ended(int code, QProcess::ExitStatus status) {
  if (stage_ != Stage::preparing) return;
  read_progress();
  if (status == QProcess::NormalExit && code == 0) return next_step();
  const auto said = last_line(errors_);
  fail(said.isEmpty() ? tr("%1 ended with code %2").arg(QFileInfo(step_.program()).fileName()).arg(code) : said);
}

void DemoWall::start_wall() {
  QDir(programs_.folder + "/frames").removeRecursively();  // they are in the content now
  set_stage(Stage::starting, tr("Starting the server and four windows"));
  waited_.start();
  add_process(programs_.server, {"--wall", programs_.wall_file, "--content", programs_.folder + "/content", "--play",
                                 demo_samples[0].name, "--log", "warning"});
  for (const auto* node : {"left", "right"})
    add_process(programs_.client, {"--wall", programs_.wall_file, "--node", node, "--log", "warning"});
  look_.start();
}

void DemoWall::add_process(const QString& program, const QStringList& arguments) {
  auto& process = wall_.emplace_back(std::make_unique<QProcess>());
  process->setStandardOutputFile(QProcess::nullDevice());
  const auto name = QFileInfo(program).fileName();
  connect(process.get(), &QProcess::finished, this, [this, name, from = process.get()](int code) {
    const auto said = last_line(from->readAllStandardError().right(errors_max));
    fail(said.isEmpty() ? tr("%1 ended with code %2").arg(name).arg(code) : said);
  });
  connect(process.get(), &QProcess::errorOccurred, this, [this, from = process.get()](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) fail(from->errorString());
  });
  process->start(program, arguments);
}

void DemoWall::look_for_server() {
  if (waited_.elapsed() > server_timeout_ms) return fail(tr("The server does not answer"));
  auto* inquiry = new WallInquiry({}, this);
  connect(inquiry, &WallInquiry::answered, this, [this, inquiry](const WallAnswer& answer) {
    inquiry->deleteLater();
    if (answer.kind != WallAnswer::Kind::ready || stage_ != Stage::starting) return;
    look_.stop();
    set_stage(Stage::running, tr("The demo wall is running"));
    emit ready(programs_.address);
  });
  inquiry->ask(programs_.address, {});
}

// From the event loop: it may be a process of the demo that reports its end.
void DemoWall::fail(const QString& words) {
  QMetaObject::invokeMethod(
      this,
      [this, words] {
        if (stage_ != Stage::idle) stop();
        set_stage(Stage::idle, words);
      },
      Qt::QueuedConnection);
}

// The last one that was started ends first, as in scripts/demo.
void DemoWall::stop() {
  look_.stop();
  steps_.clear();
  const auto was = std::exchange(stage_, Stage::idle);
  const auto end = [](QProcess& process) {
    if (process.state() == QProcess::NotRunning) return;
    process.terminate();
    if (!process.waitForFinished(process_end_ms)) process.kill();
    process.waitForFinished(process_end_ms);
  };
  end(step_);
  for (auto& process : wall_) process->disconnect(this);
  for (auto process = wall_.rbegin(); process != wall_.rend(); ++process) end(**process);
  for (auto& process : wall_) process.release()->deleteLater();  // one of them may have called this
  wall_.clear();
  if (was != Stage::idle) set_stage(Stage::idle, {});
}

}  // namespace lw
