#include "wall-control/ui/plain_text.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLabel>

namespace lw {
namespace {

constexpr const char* filter_name = "plain text";

// A widget is polished once, before it is first shown; this includes the labels inside message boxes and tool tips.
class PlainTextFilter final : public QObject {
public:
  using QObject::QObject;
  bool eventFilter(QObject* object, QEvent* event) override {
    if (event->type() != QEvent::Polish) return false;
    if (auto* label = qobject_cast<QLabel*>(object); label != nullptr && label->textFormat() == Qt::AutoText)
      label->setTextFormat(Qt::PlainText);
    return false;
  }
};

}  // namespace

void show_text_as_it_stands(QCoreApplication& program) {
  if (program.findChild<QObject*>(filter_name, Qt::FindDirectChildrenOnly) != nullptr) return;
  auto* filter = new PlainTextFilter(&program);
  filter->setObjectName(filter_name);
  program.installEventFilter(filter);
}

}  // namespace lw
