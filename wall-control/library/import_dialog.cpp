#include "wall-control/library/import_dialog.h"

#include "wall-control/library/import_folders.h"
#include "wall-control/link/control_link.h"
#include "wall-control/ui/elided_label.h"
#include "wall-control/ui/icons.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/state_note.h"
#include "wall-control/ui/type.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QCloseEvent>
#include <QComboBox>
#include <QCompleter>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QStringListModel>

#include <algorithm>

namespace lw {
namespace {

constexpr const char* organization = "Lambdawall";
constexpr const char* application = "wall-control";
constexpr const char* wall_file_key = "import/wall_file";
constexpr const char* out_key = "import/content";
constexpr int probe_soon_ms = 300;
constexpr QSize preview_size(192, 108);
constexpr int queue_rows_max = 4;

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

ImportDialog::ImportDialog(ControlLink& link, QWidget* parent)
    : QDialog(parent), server_run_(link), server_probe_(link) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Import"));
  fields_ = new QWidget;
  auto* form = new QFormLayout(fields_);
  form->setContentsMargins(0, 0, 0, 0);
  form_ = form;
  add_source(*form);
  place_ = new QComboBox;
  place_->setObjectName("place");
  place_->addItem(tr("This host"));
  place_->addItem(link.info().host.empty() ? tr("The server")
                                           : tr("The server's host, %1").arg(QString::fromStdString(link.info().host)));
  form->addRow(tr("&Runs on"), place_);
  add_place(*form);
  add_choices(*form);
  bar_ = new QProgressBar;
  bar_->setAccessibleName(tr("Progress of the import"));
  bar_->setRange(0, 1);
  words_ = new QLabel;
  words_->setObjectName("words");
  words_->setWordWrap(true);
  words_->setMinimumHeight(2 * words_->fontMetrics().height() + 4);
  note_ = new StateNote(State::note, {});
  note_->setObjectName("import-notes");
  note_->hide();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 16, 16, 16);
  layout->setSpacing(10);
  layout->addWidget(make_preview());
  layout->addWidget(note_);
  layout->addWidget(fields_);
  layout->addWidget(make_queue());
  layout->addWidget(bar_);
  layout->addWidget(words_);
  layout->addLayout(make_buttons());
  connect_runs();
  for (auto* edit : fields_->findChildren<QLineEdit*>())
    connect(edit, &QLineEdit::textChanged, this, [this] {
      resumable_ = took_name_ = false;
      check();
    });
  for (auto* edit : {input_, wall_file_}) connect(edit, &QLineEdit::textChanged, this, &ImportDialog::probe_soon);
  connect(folders_, &ImportFolders::changed, this, [this] {
    show_notes(facts_ ? notes_of(*facts_) : QStringList());
    check();
  });
  for (auto* choice : {fit_, format_})
    connect(choice, &QComboBox::currentIndexChanged, this, &ImportDialog::probe_soon);
  set_running(false);
  place_->setCurrentIndex(server_run_.is_elsewhere() && !server_run_.directories().isEmpty() ? 1 : 0);
  show_place();
  forget_facts();
  show_queue();
  resize(640, sizeHint().height());
  connect(&server_run_, &ServerImport::places_changed, this, &ImportDialog::take_places);
  server_run_.ask_for_places();
}

QWidget* ImportDialog::make_preview() {
  preview_ = new QLabel;
  preview_->setObjectName("preview");
  preview_->setFixedSize(preview_size);
  preview_->setAlignment(Qt::AlignCenter);
  preview_->setAutoFillBackground(true);
  preview_->setAccessibleName(tr("Preview of the source"));
  source_facts_ = new QLabel;
  source_facts_->setObjectName("source-facts");
  size_facts_ = new QLabel;
  size_facts_->setObjectName("size-facts");
  size_facts_->setForegroundRole(QPalette::PlaceholderText);
  for (auto* label : {source_facts_, size_facts_}) label->setWordWrap(true);
  auto* words = new QVBoxLayout;
  words->setSpacing(4);
  words->addStretch(1);
  words->addWidget(source_facts_);
  words->addWidget(size_facts_);
  words->addStretch(1);
  auto* block = new QWidget;
  auto* layout = new QHBoxLayout(block);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(16);
  layout->addWidget(preview_);
  layout->addLayout(words, 1);
  return block;
}

QWidget* ImportDialog::make_queue() {
  queue_ = new QListWidget;
  queue_->setObjectName("queue");
  queue_->setAccessibleName(tr("Sources that follow"));
  queue_->setAccessibleDescription(tr("Delete takes a source out."));
  queue_->setToolTip(tr("Imported one after the other; Delete takes a source out"));
  auto* remove = new QAction(icon(Icon::remove), tr("Take out"), queue_);
  remove->setShortcut(QKeySequence::Delete);
  remove->setShortcutContext(Qt::WidgetShortcut);
  connect(remove, &QAction::triggered, this, [this] {
    if (queue_->currentRow() >= 0) waiting_.removeAt(queue_->currentRow());
    show_queue();
  });
  queue_->addAction(remove);
  queue_->setContextMenuPolicy(Qt::ActionsContextMenu);
  return queue_;
}

QBoxLayout* ImportDialog::make_buttons() {
  start_ = new QPushButton;
  start_->setObjectName("start");
  start_->setDefault(true);
  cancel_ = new QPushButton(tr("Cancel, keep what is done"));
  cancel_->setObjectName("cancel");
  auto* close = new QPushButton(tr("Close"));
  close->setToolTip(tr("An import goes on; the library shows how far it is"));
  for (auto* button : {cancel_, close}) button->setAutoDefault(false);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch(1);
  for (auto* button : {close, cancel_, start_}) buttons->addWidget(button);
  connect(close, &QPushButton::clicked, this, &ImportDialog::reject);
  return buttons;
}

void ImportDialog::connect_runs() {
  connect(start_, &QPushButton::clicked, this, &ImportDialog::start);
  connect(cancel_, &QPushButton::clicked, this, [this] { on_server() ? server_run_.cancel() : run_.cancel(); });
  connect(&run_, &IngestRun::progressed, this, &ImportDialog::on_progress);
  connect(&run_, &IngestRun::ended, this, &ImportDialog::on_end);
  connect(&run_, &IngestRun::noted, this, [this](const QString& words) {
    if (!notes_.contains(words)) show_notes(notes_ << words);
  });
  connect(&server_run_, &ServerImport::progressed, this, &ImportDialog::on_progress);
  connect(&server_run_, &ServerImport::ended, this, &ImportDialog::on_end);
  connect(&server_run_, &ServerImport::began, this, [this] {
    if (run_.running()) return;
    place_->setCurrentIndex(1);
    set_running(true);
  });
  connect(place_, &QComboBox::currentIndexChanged, this, &ImportDialog::show_place);
  probe_soon_.setSingleShot(true);
  probe_soon_.setInterval(probe_soon_ms);
  connect(&probe_soon_, &QTimer::timeout, this, &ImportDialog::probe);
  connect(&probe_, &IngestProbe::found, this, [this](const IngestFacts& facts) {
    show_facts(facts);
    show_preview(facts.preview);
  });
  connect(&probe_, &IngestProbe::failed, this, &ImportDialog::show_failure);
  connect(&server_probe_, &ServerProbe::found, this, &ImportDialog::show_facts);
  connect(&server_probe_, &ServerProbe::previewed, this, &ImportDialog::show_preview);
  connect(&server_probe_, &ServerProbe::failed, this, &ImportDialog::show_failure);
}

bool ImportDialog::on_server() const { return place_->currentIndex() == 1; }

// The server may run on this host as somebody else, or in a container with other paths.
bool ImportDialog::uses_the_servers() const {
  const auto& places = server_run_.places();
  if (!places || on_server() || server_run_.is_elsewhere()) return false;
  const auto is_here = [](const ImportFolderMessage& folder) {
    return !folder.usual || QFileInfo(QString::fromStdString(folder.directory)).isDir();
  };
  return QFileInfo(QString::fromStdString(places->wall_file)).isReadable() &&
         std::ranges::all_of(places->folders, is_here);
}

// The server imports itself where this program may not write.
void ImportDialog::take_places() {
  const auto& places = server_run_.places();
  folders_->show_folders(places ? places->folders : std::vector<ImportFolderMessage>());
  QStringList inputs;
  if (places)
    for (const auto& input : places->inputs) inputs << QString::fromStdString(input);
  static_cast<QStringListModel*>(inputs_->model())->setStringList(inputs);
  servers_wall_file_->set_text(places ? QString::fromStdString(places->wall_file) : QString());
  if (!running() && places) {
    const auto may_write = [](const QString& folder) { return QFileInfo(folder).isWritable(); };
    const bool cannot_here = uses_the_servers() && !std::ranges::all_of(folders_->chosen(), may_write);
    if ((server_run_.is_elsewhere() || cannot_here) && !server_run_.directories().isEmpty()) place_->setCurrentIndex(1);
  }
  show_place();
  resize(width(), std::max(height(), sizeHint().height()));
}

void ImportDialog::show_place() {
  resumable_ = false;
  const bool servers = uses_the_servers();
  for (auto* row : of_this_machine_) form_->setRowVisible(row, !on_server());
  for (auto* row : typed_) form_->setRowVisible(row, !on_server() && !servers);
  form_->setRowVisible(servers_wall_file_, servers);
  form_->setRowVisible(folders_, server_run_.places() && (servers || on_server()));
  for (auto* button : choosers_) button->setVisible(!on_server());
  const bool has_inputs = on_server() && server_run_.places() && !server_run_.places()->inputs.empty();
  choose_input_->setVisible(has_inputs);
  input_->setCompleter(has_inputs ? inputs_ : nullptr);
  if (on_server() && !input_->text().isEmpty()) input_->setText(server_run_.as_the_server_has_it(input_->text()));
  input_->setPlaceholderText(
      on_server() ? tr("File, folder or shot-%05d.png there, below %1").arg(server_run_.directories().join(", "))
                  : tr("Video, folder of pictures, shot-%05d.png, or lavfi:testsrc2=\u2026"));
  probe_soon();
  check();
}

void ImportDialog::add_source(QFormLayout& form) {
  input_ = new QLineEdit;
  input_->setAccessibleName(tr("Source of the import"));
  input_->setObjectName("input");
  auto* file = new QPushButton(tr("Files\u2026"));
  auto* folder = new QPushButton(tr("Folder\u2026"));
  connect(file, &QPushButton::clicked, this, [this] {
    const auto paths = QFileDialog::getOpenFileNames(this, tr("Videos to import"));
    if (paths.size() == 1) return input_->setText(paths.constFirst());
    add_files(paths);
  });
  connect(folder, &QPushButton::clicked, this, [this] {
    const auto path = QFileDialog::getExistingDirectory(this, tr("Folder of pictures to import"));
    if (!path.isEmpty()) input_->setText(path);
  });
  choosers_ = {file, folder};
  inputs_ = new QCompleter(new QStringListModel(this), this);
  inputs_->setFilterMode(Qt::MatchContains);
  inputs_->setCaseSensitivity(Qt::CaseInsensitive);
  choose_input_ = new QPushButton(tr("On the server\u2026"));
  choose_input_->setObjectName("on-server");
  choose_input_->setToolTip(tr("Files and folders that the server can import"));
  connect(choose_input_, &QPushButton::clicked, this, [this] {
    input_->setFocus();
    inputs_->setCompletionPrefix({});
    inputs_->complete();
  });
  form.addRow(tr("&Source"), with(input_, {file, folder, choose_input_}));
  name_ = new QLineEdit;
  name_->setObjectName("name");
  name_->setPlaceholderText(tr("From the source"));
  title_ = new QLineEdit;
  tags_ = new QLineEdit;
  tags_->setPlaceholderText(tr("Separated by commas"));
  fit_ = new QComboBox;
  fit_->setObjectName("fit");
  for (const auto& [way, text] : {std::pair{"fit", tr("All of it, with borders")},
                                  {"fill", tr("Fill the wall, cut off the rest")},
                                  {"stretch", tr("Stretch")},
                                  {"exact", tr("Actual pixels")}})
    fit_->addItem(text, way);
  format_ = new QComboBox;
  format_->setObjectName("format");
  format_->setToolTip(tr("Compressed blocks need a thinner link and less space; graphics cards decode them"));
  for (const auto& [format, text] : {std::pair{"", tr("As the wall file says")},
                                     {"rgb8", tr("RGB, 8 bits")},
                                     {"rgb10", tr("RGB, 10 bits: five quarters of 8")},
                                     {"ycbcr422-8", tr("Y'CbCr 4:2:2, 8 bits: two thirds of RGB")},
                                     {"ycbcr422-10", tr("Y'CbCr 4:2:2, 10 bits: five sixths of RGB")},
                                     {"bc7", tr("BC7 blocks: a third of RGB, hardly visible")},
                                     {"bc1", tr("BC1 blocks: a sixth of RGB, visible in gradients")},
                                     {"lossless", tr("Lossless: a third of RGB or more, by content")}})
    format_->addItem(text, format);
  form.addRow(tr("&Name"), name_);
  form.addRow(tr("&Title"), title_);
  form.addRow(tr("Ta&gs"), tags_);
  form.addRow(tr("F&it"), fit_);
  form.addRow(tr("For&mat"), format_);
}

void ImportDialog::add_place(QFormLayout& form) {
  const QSettings settings(organization, application);
  wall_file_ = new QLineEdit(settings.value(wall_file_key).toString());
  wall_file_->setAccessibleName(tr("Wall file"));
  wall_file_->setObjectName("wall-file");
  wall_file_->setPlaceholderText(tr("The wall file that the server was started with"));
  out_ = new QLineEdit(settings.value(out_key).toString());
  out_->setAccessibleName(tr("Content folder"));
  out_->setObjectName("out");
  out_->setPlaceholderText(tr("The server's content folder"));
  out_->setToolTip(tr("More, separated by commas, for stripes on further disks"));
  auto* choose_wall = new QPushButton(tr("File\u2026"));
  auto* choose_out = new QPushButton(tr("Folder\u2026"));
  connect(choose_wall, &QPushButton::clicked, this, [this] {
    const auto path =
        QFileDialog::getOpenFileName(this, tr("Wall file"), wall_file_->text(), tr("Wall files (*.toml)"));
    if (!path.isEmpty()) wall_file_->setText(path);
  });
  connect(choose_out, &QPushButton::clicked, this, [this] {
    const auto path = QFileDialog::getExistingDirectory(this, tr("Content folder"));
    if (!path.isEmpty()) out_->setText((parts_of(out_->text(), ',') << path).join(", "));
  });
  typed_ = {with(wall_file_, {choose_wall}), with(out_, {choose_out})};
  form.addRow(tr("&Wall file"), typed_[0]);
  form.addRow(tr("&Content"), typed_[1]);
  servers_wall_file_ = new ElidedLabel(type::body_px);
  servers_wall_file_->setObjectName("servers-wall-file");
  folders_ = new ImportFolders;
  form.addRow(tr("Wall file"), servers_wall_file_);
  form.addRow(tr("Fol&ders"), folders_);
}

void ImportDialog::add_choices(QFormLayout& form) {
  replace_ = new QCheckBox;
  replace_->setObjectName("replace");
  put_on_wall_ = new QCheckBox(tr("Put on the wall when ready"));
  put_on_wall_->setObjectName("put-on-wall");
  low_priority_ = new QCheckBox(tr("Low priority: other programs of this host go first"));
  low_priority_->setObjectName("low-priority");
  low_priority_->setChecked(true);
  connect(replace_, &QCheckBox::toggled, this, &ImportDialog::check);
  form.addRow(QString(), replace_);
  form.addRow(QString(), put_on_wall_);
  form.addRow(QString(), low_priority_);
  of_this_machine_ << low_priority_;
}

void ImportDialog::add_files(const QStringList& paths) {
  for (const auto& path : paths) {
    if (input_->text().trimmed().isEmpty())
      input_->setText(on_server() ? server_run_.as_the_server_has_it(path) : path);
    else if (path != input_->text().trimmed() && !waiting_.contains(path))
      waiting_ << path;
  }
  show_queue();
  check();
}

void ImportDialog::set_source(const QString& path, const QString& name) {
  if (running()) return;
  input_->setText(path);
  name_->setText(name);
}

void ImportDialog::show_queue() {
  queue_->clear();
  for (const auto& path : waiting_) {
    auto* item = new QListWidgetItem(icon(Icon::film), QFileInfo(path).fileName(), queue_);
    item->setToolTip(path);
  }
  const int rows = std::min<int>(queue_rows_max, static_cast<int>(waiting_.size()));
  queue_->setFixedHeight(rows * (queue_->fontMetrics().height() + 8) + 6);
  queue_->setVisible(rows > 0);
}

void ImportDialog::probe_soon() {
  probe_.stop();
  server_probe_.stop();
  forget_facts();
  probe_soon_.start();
}

void ImportDialog::probe() {
  const auto wanted = request();
  if (running() || wanted.input.isEmpty()) return;
  if (!on_server()) {
    if (QFileInfo(wanted.wall_file).isFile()) probe_.ask(wanted);
    return;
  }
  if (!server_probe_.is_offered() || !server_run_.problem_of(wanted).isEmpty()) return;
  size_facts_->setText(tr("The server is reading it\u2026"));
  server_probe_.ask(wanted);
}

void ImportDialog::forget_facts() {
  facts_.reset();
  preview_->setPixmap({});
  auto ground = preview_->palette();
  ground.setColor(QPalette::Window, colors::well);
  preview_->setPalette(ground);
  source_facts_->setText(input_->text().isEmpty() ? tr("Choose a video, a folder of pictures or a test source")
                                                  : QFileInfo(input_->text()).fileName());
  const bool is_old = on_server() && !server_run_.directories().isEmpty() && !server_probe_.is_offered();
  size_facts_->setText(is_old ? tr("The server's version has no preview. Its size is known when the import begins.")
                              : QString());
  show_notes({});
}

void ImportDialog::show_facts(const IngestFacts& facts) {
  facts_ = facts;
  name_->setPlaceholderText(facts.name.isEmpty() ? tr("From the source") : facts.name);
  source_facts_->setText(source_text(facts));
  size_facts_->setText(size_text(facts));
  show_notes(notes_of(facts));
  check();
}

void ImportDialog::show_preview(const QImage& preview) {
  if (preview.isNull()) return;
  preview_->setPixmap(QPixmap::fromImage(preview.scaled(preview_size, Qt::KeepAspectRatio, Qt::SmoothTransformation)));
}

void ImportDialog::show_failure(const QString& words) {
  source_facts_->setText(tr("Cannot read the source"));
  size_facts_->setText(words);
}

void ImportDialog::show_notes(const QStringList& notes) {
  notes_ = notes;
  auto all = notes;
  const bool into_folders = server_run_.places() && (on_server() || uses_the_servers());
  const auto lack = facts_ && facts_->bytes && into_folders ? folders_->lack_of_space(*facts_->bytes) : QString();
  if (!lack.isEmpty()) all.prepend(lack);
  note_->say(!lack.isEmpty() ? State::warn : State::note, all.join('\n'));
  note_->setVisible(!all.isEmpty());
}

QString ImportDialog::wanted_name() const {
  const auto typed = name_->text().trimmed();
  if (!typed.isEmpty()) return typed;
  return facts_ ? facts_->name : on_server() ? QFileInfo(input_->text().trimmed()).completeBaseName() : QString();
}

bool ImportDialog::name_is_taken() const {
  return took_name_ || (!wanted_name().isEmpty() && has_name_(wanted_name()));
}

IngestRequest ImportDialog::request() const {
  IngestRequest wanted{input_->text().trimmed(),
                       wall_file_->text().trimmed(),
                       parts_of(out_->text(), ','),
                       name_->text().trimmed(),
                       title_->text().trimmed(),
                       parts_of(tags_->text(), ','),
                       fit_->currentData().toString(),
                       format_->currentData().toString(),
                       replace_->isVisibleTo(fields_) && replace_->isChecked(),
                       low_priority_->isChecked()};
  if (uses_the_servers()) {
    wanted.wall_file = servers_wall_file_->text();
    wanted.out = folders_->chosen();
  } else if (on_server()) {
    wanted.out = server_run_.places() && !folders_->is_usual() ? folders_->chosen() : QStringList();
  }
  return wanted;
}

QString ImportDialog::missing() const {
  const auto wanted = request();
  if (server_run_.places() && (on_server() || uses_the_servers()))
    if (const auto wrong = folders_->problem(); !wrong.isEmpty()) return wrong;
  return on_server() ? server_run_.problem_of(wanted) : IngestRun::problem_of(wanted);
}

void ImportDialog::check() {
  auto problem = missing();
  const bool taken = name_is_taken() && !resumable_;
  replace_->setText(tr("Replace \u201c%1\u201d, which the library has").arg(wanted_name()));
  form_->setRowVisible(replace_, taken);
  if (!taken) replace_->setChecked(false);
  if (problem.isEmpty() && taken && !replace_->isChecked())
    problem = tr("The library has %1 already: choose another name, or Replace").arg(wanted_name());
  start_->setText(resumable_ ? tr("Resume") : taken && replace_->isChecked() ? tr("Replace") : tr("Import"));
  start_->setEnabled(!running() && problem.isEmpty());
  if (!resumable_ && !running()) words_->setText(problem);
}

void ImportDialog::set_running(bool running) {
  fields_->setEnabled(!running);
  cancel_->setEnabled(running);
  start_->setEnabled(!running);
}

void ImportDialog::start() {
  const auto wanted = request();
  bar_->setRange(0, 0);
  words_->setText(tr("Beginning"));
  set_running(true);
  if (on_server()) return server_run_.start(wanted);
  if (uses_the_servers()) return run_.start(wanted);
  QSettings settings(organization, application);
  settings.setValue(wall_file_key, wanted.wall_file);
  settings.setValue(out_key, out_->text().trimmed());
  run_.start(wanted);
}

// Name and title of one source do not hold for the next one.
void ImportDialog::start_next() {
  for (auto* edit : {name_, title_}) edit->clear();
  const auto next = waiting_.takeFirst();
  input_->setText(on_server() ? server_run_.as_the_server_has_it(next) : next);
  show_queue();
  if (start_->isEnabled()) start();
}

void ImportDialog::on_progress(const IngestProgress& progress) {
  int percent = 0;
  if (progress.total && *progress.total > 0) {
    bar_->setRange(0, static_cast<int>(*progress.total));
    bar_->setValue(static_cast<int>(std::min(progress.frames, *progress.total)));
    percent = static_cast<int>(100 * std::min(progress.frames, *progress.total) / *progress.total);
  }
  words_->setText(progress_text(progress));
  const auto name = wanted_name().isEmpty() ? QFileInfo(input_->text()).completeBaseName() : wanted_name();
  if (run_.running()) emit progressed(name, percent);
}

void ImportDialog::on_end(IngestRun::End end, const QString& words) {
  emit progressed({}, 0);
  set_running(false);
  if (bar_->maximum() == 0) bar_->setRange(0, 1);
  resumable_ = end == IngestRun::End::cancelled;
  // The library may not have told yet that it has one of this name.
  took_name_ = end == IngestRun::End::failed && words.contains("--overwrite");
  check();
  if (end == IngestRun::End::done) {
    bar_->setValue(bar_->maximum());
    words_->setText(tr("%1 is in the library").arg(words));
    emit imported(words, put_on_wall_->isChecked() && waiting_.isEmpty());
    if (!waiting_.isEmpty()) start_next();
  } else if (end == IngestRun::End::cancelled) {
    words_->setText(tr("Cancelled; Resume goes on from there. %1").arg(words));
  } else if (!took_name_) {
    words_->setText(QString::fromUtf8("\u2717 ") + words);
  }
  if (end == IngestRun::End::failed) show();
}

void ImportDialog::reject() {
  if (run_.running()) return hide();
  QDialog::reject();
}

void ImportDialog::closeEvent(QCloseEvent* event) {
  if (!run_.running()) return QDialog::closeEvent(event);
  event->ignore();
  hide();
}

}  // namespace lw
