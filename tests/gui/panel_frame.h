// A panel with the header that a window draws around it: title, note and tools.
#pragma once

#include "wall-control/ui/panel.h"

#include <QBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include <memory>

namespace lw::test {

inline std::unique_ptr<QWidget> framed(Panel& panel, const QString& title, QSize size) {
  auto frame = std::make_unique<QWidget>();
  auto* header = new QHBoxLayout;
  header->setContentsMargins(14, 2, 8, 2);
  header->setSpacing(2);
  auto* name = new QLabel(title);
  name->setStyleSheet("font-weight: 600;");
  header->addWidget(name);
  header->addSpacing(8);
  auto* note = new QLabel(panel.note());
  note->setForegroundRole(QPalette::PlaceholderText);
  header->addWidget(note, 1);
  for (auto* tool : panel.tools()) {
    auto* button = new QToolButton;
    button->setDefaultAction(tool);
    if (tool->property("chip").toBool()) {
      button->setProperty("chip", true);
      button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    }
    if (tool->menu() != nullptr) button->setPopupMode(QToolButton::InstantPopup);
    header->addWidget(button);
  }
  auto* layout = new QVBoxLayout(frame.get());
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(header);
  layout->addWidget(&panel, 1);
  frame->resize(size);
  return frame;
}

}  // namespace lw::test
