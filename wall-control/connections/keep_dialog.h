// Asks for the name and the token with which a connection is saved.
#pragma once

#include "wall-control/connections/profiles.h"
#include "wall-control/ui/question.h"

class QCheckBox;
class QLineEdit;

namespace lw {

class KeepDialog : public Question {
  Q_OBJECT

public:
  KeepDialog(Profile profile, QWidget* window);

  // The given profile, with the operator's changes.
  [[nodiscard]] Profile profile() const;

private:
  Profile profile_;
  QLineEdit* name_;
  QLineEdit* token_;
  QCheckBox* view_only_;
};

}  // namespace lw
