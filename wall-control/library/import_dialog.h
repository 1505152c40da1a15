// Imports a video, images or a test source: asks for what wall-ingest needs, runs it, shows its progress. Wall file
// and content folders are remembered.
#pragma once

#include "wall-control/library/ingest_run.h"

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
  explicit ImportDialog(QWidget* parent = nullptr);
  [[nodiscard]] IngestRequest request() const;
  void reject() override;  // cancels the run, which lasts only while this is open

signals:
  void imported(const QString& name);

private:
  void add_source(QFormLayout& form);
  void add_place(QFormLayout& form);
  void check();
  void start();
  void on_progress(const IngestProgress& progress);
  void on_end(IngestRun::End end, const QString& words);
  void set_running(bool running);

  IngestRun run_;
  bool resumable_ = false;
  bool closing_ = false;
  QWidget* fields_ = nullptr;
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
