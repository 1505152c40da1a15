// Imports a video, images or a test source: asks for what wall-ingest needs, has it run on this machine or on the
// server's host, shows its progress. Wall file and content folders are remembered.
#pragma once

#include "wall-control/library/ingest_run.h"
#include "wall-control/library/server_import.h"

#include <QDialog>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace lw {

class ImportDialog : public QDialog {
  Q_OBJECT

public:
  // `link` must outlive this.
  explicit ImportDialog(ControlLink& link, QWidget* parent = nullptr);
  [[nodiscard]] IngestRequest request() const;
  void reject() override;  // cancels a run on this machine, which lasts only while this is open

signals:
  void imported(const QString& name);

private:
  void add_source(QFormLayout& form);
  void connect_runs();
  void show_place();
  [[nodiscard]] bool on_server() const;
  [[nodiscard]] bool running() const { return run_.running() || server_run_.running(); }
  void add_place(QFormLayout& form);
  void check();
  void start();
  void on_progress(const IngestProgress& progress);
  void on_end(IngestRun::End end, const QString& words);
  void set_running(bool running);

  IngestRun run_;
  ServerImport server_run_;
  bool resumable_ = false;
  bool closing_ = false;
  QWidget* fields_ = nullptr;
  QFormLayout* form_ = nullptr;
  QComboBox* place_ = nullptr;
  QList<QPushButton*> choosers_;     // of files on this machine
  QList<QWidget*> of_this_machine_;  // rows of the form
  QLineEdit* input_ = nullptr;
  QLineEdit* name_ = nullptr;
  QLineEdit* title_ = nullptr;
  QLineEdit* tags_ = nullptr;
  QComboBox* fit_ = nullptr;
  QLineEdit* wall_file_ = nullptr;
  QLineEdit* out_ = nullptr;
  QProgressBar* bar_ = nullptr;
  QLabel* words_ = nullptr;
  QPushButton* start_ = nullptr;
  QPushButton* cancel_ = nullptr;
};

}  // namespace lw
