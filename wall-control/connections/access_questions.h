// The questions that only the operator can answer before the program can connect: whether a certificate is the
// server's, and which token to use.
#pragma once

#include "wall-control/link/refusal.h"
#include "wall-control/ui/question.h"

class QCheckBox;
class QLineEdit;

namespace lw {

// "sha256:abac..." in lines of four groups of four digits.
QString fingerprint_lines(const QString& fingerprint);
// The same to compare and to copy, on a separate ground. `name`: for screen readers.
QWidget* fingerprint_box(const QString& fingerprint, const QString& name);

// Accepted: trust it.
Question* new_server_question(const QString& address, const QString& fingerprint, QWidget* window);
// The certificate is not the trusted one: there is nothing to accept. `known_file` lists the trusted ones.
Question* certificate_report(const QString& address, const Refusal& refusal, const QString& known_file,
                             QWidget* window);

class TokenQuestion : public Question {
  Q_OBJECT

public:
  // `why`: what the server answered. `can_keep`: the wall is saved, and the token can be saved with it.
  TokenQuestion(const QString& address, const QString& why, bool can_keep, QWidget* window);

  [[nodiscard]] QString token() const;
  [[nodiscard]] bool keep() const;

private:
  QLineEdit* token_;
  QCheckBox* keep_;
};

}  // namespace lw
