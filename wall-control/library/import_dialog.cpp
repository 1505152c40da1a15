#include "wall-control/library/import_dialog.h"

#include "wall-control/link/control_link.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>

#include <algorithm>

namespace lw {
namespace {

constexpr const char* organization = "Lambdawall";
constexpr const char* application = "wall-control";
constexpr const char* wall_file_key = "import/wall_file";
constexpr const char* out_key = "import/content";

QStringList parts_of(const QString& text, QChar separator) {
  QStringList parts;
  for (const auto& part : text.split(separator, Qt::SkipEmptyParts))
    if (!part.trimmed().isEmpty()) parts << part.trimmed();
  return parts;
}

// The field with buttons after it.
QWidget* with(QLineEdit* edit, const QList<QPushButton*>& buttons) {
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(edit, 1);
  row->setFocusProxy(edit);
  for (auto* button : buttons) {
    button->setAutoDefault(false);
    layout->addWidget(button);
  }
  return row;
}

}  // namespace

ImportDialog::ImportDialog(ControlLink& link, QWidget* parent) : QDialog(parent), server_run_(link) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Import"));
  fields_ = new QWidget;
  auto* form = new QFormLayout(fields_);
  form->setContentsMargins(0, 0, 0, 0);
  form_ = form;
  place_ = new QComboBox;
  place_->setObjectName("place");
  place_->addItem(tr("This host"));
  place_->addItem(link.info().host.empty() ? tr("The server")
                                           : tr("The server's host, %1").arg(QString::fromStdString(link.info().host)));
  form->addRow(tr("&Runs on"), place_);
  add_source(*form);
  add_place(*form);
  bar_ = new QProgressBar;
  bar_->setAccessibleName(tr("Progress of the import"));
  bar_->setRange(0, 1);
  words_ = new QLabel;
  words_->setObjectName("words");
  words_->setWordWrap(true);
  words_->setMinimumHeight(2 * words_->fontMetrics().height() + 4);
  start_ = new QPushButton;
  start_->setObjectName("start");
  start_->setDefault(true);
  cancel_ = new QPushButton(tr("Cancel, keep what is done"));
  cancel_->setObjectName("cancel");
  auto* close = new QPushButton(tr("Close"));
  for (auto* button : {cancel_, close}) button->setAutoDefault(false);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch(1);
  for (auto* button : {start_, cancel_, close}) buttons->addWidget(button);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(fields_);
  layout->addWidget(bar_);
  layout->addWidget(words_);
  layout->addLayout(buttons);
  connect(close, &QPushButton::clicked, this, &ImportDialog::reject);
  connect_runs();
  for (auto* edit : fields_->findChildren<QLineEdit*>())
    connect(edit, &QLineEdit::textChanged, this, [this] {
      resumable_ = false;
      check();
    });
  set_running(false);
  place_->setCurrentIndex(server_run_.is_elsewhere() && !server_run_.directories().isEmpty() ? 1 : 0);
  show_place();
  resize(620, sizeHint().height());
}

void ImportDialog::connect_runs() {
  connect(start_, &QPushButton::clicked, this, &ImportDialog::start);
  connect(cancel_, &QPushButton::clicked, this, [this] { on_server() ? server_run_.cancel() : run_.cancel(); });
  connect(&run_, &IngestRun::progressed, this, &ImportDialog::on_progress);
  connect(&run_, &IngestRun::ended, this, &ImportDialog::on_end);
  connect(&server_run_, &ServerImport::progressed, this, &ImportDialog::on_progress);
  connect(&server_run_, &ServerImport::ended, this, &ImportDialog::on_end);
  connect(&server_run_, &ServerImport::began, this, [this] {
    if (run_.running()) return;
    place_->setCurrentIndex(1);
    set_running(true);
  });
  connect(place_, &QComboBox::currentIndexChanged, this, &ImportDialog::show_place);
}

bool ImportDialog::on_server() const { return place_->currentIndex() == 1; }

void ImportDialog::show_place() {
  resumable_ = false;
  for (auto* row : of_this_machine_) form_->setRowVisible(row, !on_server());
  for (auto* button : choosers_) button->setVisible(!on_server());
  input_->setPlaceholderText(
      on_server() ? tr("File, folder or shot-%05d.png there, below %1").arg(server_run_.directories().join(", "))
                  : tr("Video, folder of pictures, shot-%05d.png, or lavfi:testsrc2=..."));
  check();
}

void ImportDialog::add_source(QFormLayout& form) {
  input_ = new QLineEdit;
  input_->setObjectName("input");
  auto* file = new QPushButton(tr("File..."));
  auto* folder = new QPushButton(tr("Folder..."));
  const auto take = [this](const QString& path) {
    if (!path.isEmpty()) input_->setText(path);
  };
  connect(file, &QPushButton::clicked, this,
          [this, take] { take(QFileDialog::getOpenFileName(this, tr("Video to import"))); });
  connect(folder, &QPushButton::clicked, this,
          [this, take] { take(QFileDialog::getExistingDirectory(this, tr("Folder of pictures to import"))); });
  choosers_ = {file, folder};
  form.addRow(tr("&Source"), with(input_, choosers_));
  name_ = new QLineEdit;
  name_->setObjectName("name");
  name_->setPlaceholderText(tr("From the source"));
  title_ = new QLineEdit;
  tags_ = new QLineEdit;
  tags_->setPlaceholderText(tr("Separated by commas"));
  fit_ = new QComboBox;
  for (const auto& [way, text] : {std::pair{"fit", tr("Whole picture, with borders")},
                                  {"fill", tr("Fill the wall, cut off the rest")},
                                  {"stretch", tr("Stretch to the wall")},
                                  {"exact", tr("Pixel for pixel, centred")}})
    fit_->addItem(text, way);
  form.addRow(tr("&Name"), name_);
  form.addRow(tr("&Title"), title_);
  form.addRow(tr("Ta&gs"), tags_);
  form.addRow(tr("&Picture"), fit_);
}

void ImportDialog::add_place(QFormLayout& form) {
  const QSettings settings(organization, application);
  wall_file_ = new QLineEdit(settings.value(wall_file_key).toString());
  wall_file_->setObjectName("wall-file");
  out_ = new QLineEdit(settings.value(out_key).toString());
  out_->setObjectName("out");
  out_->setPlaceholderText(tr("The server's content folder; more, separated by commas, for stripes on further disks"));
  auto* choose_wall = new QPushButton(tr("File..."));
  auto* choose_out = new QPushButton(tr("Folder..."));
  connect(choose_wall, &QPushButton::clicked, this, [this] {
    const auto path =
        QFileDialog::getOpenFileName(this, tr("Wall file"), wall_file_->text(), tr("Wall files (*.toml)"));
    if (!path.isEmpty()) wall_file_->setText(path);
  });
  connect(choose_out, &QPushButton::clicked, this, [this] {
    const auto path = QFileDialog::getExistingDirectory(this, tr("Content folder"));
    if (!path.isEmpty()) out_->setText((parts_of(out_->text(), ',') << path).join(", "));
  });
  of_this_machine_ = {with(wall_file_, {choose_wall}), with(out_, {choose_out})};
  form.addRow(tr("&Wall file"), of_this_machine_[0]);
  form.addRow(tr("&Content"), of_this_machine_[1]);
  auto* note = new QLabel(tr("Runs on this machine: both must be what the server uses. They are remembered."));
  note->setForegroundRole(QPalette::PlaceholderText);
  form.addRow(QString(), note);
  of_this_machine_ << note;
}

IngestRequest ImportDialog::request() const {
  return {input_->text().trimmed(),      wall_file_->text().trimmed(), parts_of(out_->text(), ','),
          name_->text().trimmed(),       title_->text().trimmed(),     parts_of(tags_->text(), ','),
          fit_->currentData().toString()};
}

void ImportDialog::check() {
  const auto problem = on_server() ? server_run_.problem_of(request()) : IngestRun::problem_of(request());
  start_->setText(resumable_ ? tr("Resume") : tr("Import"));
  start_->setEnabled(!running() && problem.isEmpty());
  if (!resumable_) words_->setText(problem);
}

void ImportDialog::set_running(bool running) {
  fields_->setEnabled(!running);
  cancel_->setEnabled(running);
  start_->setEnabled(!running);
}

void ImportDialog::start() {
  if (on_server()) {
    bar_->setRange(0, 0);
    words_->setText(tr("Beginning"));
    set_running(true);
    return server_run_.start(request());
  }
  QSettings settings(organization, application);
  settings.setValue(wall_file_key, wall_file_->text().trimmed());
  settings.setValue(out_key, out_->text().trimmed());
  bar_->setRange(0, 0);
  words_->setText(tr("Beginning"));
  set_running(true);
  run_.start(request());
}

void ImportDialog::on_progress(const IngestProgress& progress) {
  if (progress.total && *progress.total > 0) {
    bar_->setRange(0, static_cast<int>(*progress.total));
    bar_->setValue(static_cast<int>(std::min(progress.frames, *progress.total)));
  }
  words_->setText(progress_text(progress));
}

void ImportDialog::on_end(IngestRun::End end, const QString& words) {
  set_running(false);
  if (bar_->maximum() == 0) bar_->setRange(0, 1);
  resumable_ = end == IngestRun::End::cancelled;
  check();
  if (end == IngestRun::End::done) {
    bar_->setValue(bar_->maximum());
    words_->setText(tr("%1 is in the library").arg(words));
    emit imported(words);
  } else {
    words_->setText(end == IngestRun::End::cancelled ? tr("Cancelled; Resume goes on from there. %1").arg(words)
                                                     : QString::fromUtf8("\u2717 ") + words);
  }
  if (closing_) QDialog::reject();
}

void ImportDialog::reject() {
  if (!run_.running()) return QDialog::reject();
  closing_ = true;
  run_.cancel();
}

}  // namespace lw
