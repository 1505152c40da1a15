// The boxes and buttons with which the operator chooses the part of the wall, the time span and the quantity that all
// charts show. They follow the shared models. GUI thread.
#pragma once

#include "wall-control/network/network_models.h"

#include <QComboBox>
#include <QPushButton>

class QButtonGroup;

namespace lw {

// The whole wall, its nodes and its tiles; a flow while it is selected.
class PartChoice : public QComboBox {
  Q_OBJECT

public:
  explicit PartChoice(NetworkModels& models, QWidget* parent = nullptr);

private:
  void list();
  void show_part();

  NetworkModels& models_;
};

// The spans, and while zoomed also the present one, so that the box is never empty.
class SpanChoice : public QComboBox {
  Q_OBJECT

public:
  explicit SpanChoice(NetworkModels& models, QWidget* parent = nullptr);

private:
  void show_span();

  NetworkModels& models_;
};

// The same as a row of buttons.
class SpanButtons : public QWidget {
  Q_OBJECT

public:
  explicit SpanButtons(NetworkModels& models, QWidget* parent = nullptr);
  // The words of the button that is down.
  [[nodiscard]] QString chosen() const;

private:
  void show_span();

  NetworkModels& models_;
  QButtonGroup* group_;
  QPushButton* zoomed_;
};

class QuantityChoice : public QComboBox {
  Q_OBJECT

public:
  explicit QuantityChoice(NetworkModels& models, QWidget* parent = nullptr);

private:
  NetworkModels& models_;
};

// "Live" with a point, or "Held"; a click holds or goes back to live.
class LiveButton : public QPushButton {
  Q_OBJECT

public:
  explicit LiveButton(NetworkModels& models, QWidget* parent = nullptr);

protected:
  void changeEvent(QEvent* event) override;

private:
  void show_state();

  NetworkModels& models_;
};

// The marked time, with a cross that removes the mark. Hidden without one.
class MarkedButton : public QPushButton {
  Q_OBJECT

public:
  explicit MarkedButton(NetworkModels& models, QWidget* parent = nullptr);

protected:
  void changeEvent(QEvent* event) override;

private:
  void show_mark();

  NetworkModels& models_;
};

}  // namespace lw
