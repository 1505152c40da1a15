// Imports videos, images or a test source: shows what will be read and written, has wall-ingest run on this machine or
// on the server's host, one source after the other. Wall file and folders come from the server; if it is on another
// host or does not name them, they are typed once and remembered.
#pragma once

#include "wall-control/library/ingest_probe.h"
#include "wall-control/library/ingest_run.h"
#include "wall-control/library/server_import.h"
#include "wall-control/library/server_probe.h"

#include <QDialog>
#include <QTimer>

#include <functional>

class QBoxLayout;
class QCheckBox;
class QComboBox;
class QCompleter;
class QFormLayout;
class QLabel;
class QLineEdit;
class QListWidget;
class QProgressBar;
class QPushButton;

namespace lw {

class ElidedLabel;
class ImportFolders;
class StateNote;

class ImportDialog : public QDialog {
  Q_OBJECT

public:
  // `link` must outlive this.
  explicit ImportDialog(ControlLink& link, QWidget* parent = nullptr);
  [[nodiscard]] IngestRequest request() const;
  // The first becomes the source if there is none yet; the others follow it.
  void add_files(const QStringList& paths);
  // Instead of what is entered.
  void set_source(const QString& path, const QString& name);
  [[nodiscard]] const QStringList& waiting() const { return waiting_; }
  // Whether the library has a visualization of this name.
  void set_names(const std::function<bool(const QString& name)>& has) { has_name_ = has; }
  // While an import runs on this machine, this hides the dialog, and the import continues.
  void reject() override;

protected:
  void closeEvent(QCloseEvent* event) override;

signals:
  void imported(const QString& name, bool put_on_wall);
  // On this machine; without a name when it has ended.
  void progressed(const QString& name, int percent);

private:
  QWidget* make_preview();
  void add_source(QFormLayout& form);
  void add_place(QFormLayout& form);
  void add_choices(QFormLayout& form);
  QWidget* make_queue();
  QBoxLayout* make_buttons();
  void connect_runs();
  void show_place();
  void take_places();
  // Whether an import on this machine uses the wall file and the folders that the server names.
  [[nodiscard]] bool uses_the_servers() const;
  void probe_soon();
  void probe();
  void show_facts(const IngestFacts& facts);
  void show_preview(const QImage& preview);
  void show_failure(const QString& words);
  void forget_facts();
  void show_notes(const QStringList& notes);
  void show_queue();
  [[nodiscard]] bool on_server() const;
  [[nodiscard]] bool running() const { return run_.running() || server_run_.running(); }
  [[nodiscard]] QString missing() const;  // what keeps it from starting
  [[nodiscard]] QString wanted_name() const;
  [[nodiscard]] bool name_is_taken() const;
  void check();
  void start();
  void start_next();
  void on_progress(const IngestProgress& progress);
  void on_end(IngestRun::End end, const QString& words);
  void set_running(bool running);

  IngestRun run_;
  IngestProbe probe_;
  ServerImport server_run_;
  ServerProbe server_probe_;
  QTimer probe_soon_;
  std::optional<IngestFacts> facts_;
  std::function<bool(const QString&)> has_name_ = [](const QString&) { return false; };
  QStringList waiting_;
  QStringList notes_;
  bool resumable_ = false;
  bool took_name_ = false;  // the server refused the name because it exists
  QWidget* fields_ = nullptr;
  QFormLayout* form_ = nullptr;
  QComboBox* place_ = nullptr;
  QList<QPushButton*> choosers_;     // of files on this machine
  QList<QWidget*> of_this_machine_;  // rows of the form
  QList<QWidget*> typed_;            // rows of the form that the server's word replaces
  ElidedLabel* servers_wall_file_ = nullptr;
  ImportFolders* folders_ = nullptr;
  QCompleter* inputs_ = nullptr;
  QPushButton* choose_input_ = nullptr;
  QLabel* preview_ = nullptr;
  QLabel* source_facts_ = nullptr;
  QLabel* size_facts_ = nullptr;
  StateNote* note_ = nullptr;
  QLineEdit* input_ = nullptr;
  QLineEdit* name_ = nullptr;
  QLineEdit* title_ = nullptr;
  QLineEdit* tags_ = nullptr;
  QComboBox* fit_ = nullptr;
  QComboBox* format_ = nullptr;
  QLineEdit* wall_file_ = nullptr;
  QLineEdit* out_ = nullptr;
  QCheckBox* replace_ = nullptr;
  QCheckBox* put_on_wall_ = nullptr;
  QCheckBox* low_priority_ = nullptr;
  QListWidget* queue_ = nullptr;
  QProgressBar* bar_ = nullptr;
  QLabel* words_ = nullptr;
  QPushButton* start_ = nullptr;
  QPushButton* cancel_ = nullptr;
};

}  // namespace lw
