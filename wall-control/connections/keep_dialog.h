// Asks for the name and the token with which a wall is saved.
#pragma once

#include "wall-control/connections/profiles.h"

#include <QDialog>

class QLineEdit;

namespace lw {

class KeepDialog : public QDialog {
  Q_OBJECT

public:
  explicit KeepDialog(Profile profile, QWidget* parent = nullptr);

  // The given profile, with the operator's changes.
  [[nodiscard]] Profile profile() const;

private:
  Profile profile_;
  QLineEdit* name_;
  QLineEdit* token_;
};

}  // namespace lw
