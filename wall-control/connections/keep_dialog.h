// Asks under what name a wall is kept, and with which token.
#pragma once

#include "wall-control/connections/profiles.h"

#include <QDialog>

class QLineEdit;

namespace lw {

class KeepDialog : public QDialog {
  Q_OBJECT

public:
  explicit KeepDialog(Profile profile, QWidget* parent = nullptr);

  // As it was given, with what was changed.
  [[nodiscard]] Profile profile() const;

private:
  Profile profile_;
  QLineEdit* name_;
  QLineEdit* token_;
};

}  // namespace lw
