// All keys of the program, as a table that scrolls and can be searched.
#pragma once

#include <QDialog>
#include <QList>

class QAction;

namespace lw {

class KeysDialog : public QDialog {
  Q_OBJECT

public:
  KeysDialog(const QList<QAction*>& keyed, QWidget* parent);
};

}  // namespace lw
