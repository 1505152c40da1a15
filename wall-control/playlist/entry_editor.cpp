#include "wall-control/playlist/entry_editor.h"

#include "wall-control/ui/icons.h"
#include "wall-control/ui/transition_choice.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>

namespace lw {
namespace {

enum class Ends { once, loops, seconds, at_next };

Ends ends_of(const DraftEntry& entry) {
  if (entry.seconds) return Ends::seconds;
  if (!entry.loops) return Ends::at_next;
  return entry.loops == 1 ? Ends::once : Ends::loops;
}

}  // namespace

EntryEditor::EntryEditor(QWidget* parent) : QWidget(parent) {
  ends_ = new QComboBox;
  ends_->setObjectName("ends");
  ends_->setAccessibleName(tr("How long the entry plays"));
  for (const auto& text : {tr("Plays once"), tr("Passes"), tr("Seconds"), tr("Until Next")}) ends_->addItem(text);
  ends_->setItemData(static_cast<int>(Ends::at_next),
                     tr("Plays again and again until the next entry is asked for (N), while Loop is on"),
                     Qt::ToolTipRole);
  amount_ = new QDoubleSpinBox;
  amount_->setObjectName("amount");
  amount_->setAccessibleName(tr("Passes or seconds"));
  amount_->setKeyboardTracking(false);
  transition_ = new TransitionChoice;
  transition_->setObjectName("entry-transition");
  transition_->setAccessibleName(tr("Transition to the entry"));
  auto* close = new QToolButton;
  close->setIcon(icon(Icon::close));
  if (close->icon().isNull()) close->setText(tr("Done"));
  close->setAccessibleName(tr("Close the entry's editor"));
  close->setToolTip(tr("Close (Esc)"));
  auto* layout = new QGridLayout(this);
  layout->setContentsMargins(8, 4, 8, 4);
  layout->addWidget(new QLabel(tr("Plays")), 0, 0);
  layout->addWidget(ends_, 0, 1);
  layout->addWidget(amount_, 0, 2);
  layout->addWidget(new QLabel(tr("Transition")), 1, 0);
  layout->addWidget(transition_, 1, 1);
  layout->addWidget(close, 1, 2, Qt::AlignRight);
  layout->setColumnStretch(1, 1);
  connect(ends_, &QComboBox::activated, this, &EntryEditor::take_duration);
  connect(amount_, &QDoubleSpinBox::valueChanged, this, &EntryEditor::take_duration);
  connect(transition_, &QComboBox::activated, this, [this] { emit fade_chosen(transition_->fade_ms()); });
  connect(close, &QToolButton::clicked, this, &EntryEditor::done);
}

void EntryEditor::show_entry(const std::optional<DraftEntry>& entry) {
  showing_ = true;
  shown_ = entry.value_or(DraftEntry{0, {}, 1, {}, {}});
  const auto ends = ends_of(shown_);
  for (QWidget* part : {static_cast<QWidget*>(ends_), static_cast<QWidget*>(transition_)})
    part->setEnabled(entry.has_value());
  ends_->setCurrentIndex(static_cast<int>(ends));
  amount_->setEnabled(entry && (ends == Ends::loops || ends == Ends::seconds));
  amount_->setDecimals(shown_.seconds ? 1 : 0);
  amount_->setRange(shown_.seconds ? 0.1 : ends == Ends::loops ? 2 : 1, shown_.seconds ? 604'800 : 1'000'000);
  amount_->setSuffix(shown_.seconds ? tr(" s") : QString());
  amount_->setValue(shown_.seconds.value_or(shown_.loops.value_or(1)));
  transition_->set_fade_ms(shown_.fade_ms);
  showing_ = false;
}

void EntryEditor::take_duration() {
  if (showing_) return;
  const auto ends = static_cast<Ends>(ends_->currentIndex());
  // Another kind starts with a common amount.
  const bool same = ends == ends_of(shown_);
  const int passes = same ? static_cast<int>(amount_->value()) : 2;
  const double seconds = same ? amount_->value() : 60;
  emit duration_chosen(ends == Ends::once    ? std::optional(1)
                       : ends == Ends::loops ? std::optional(passes)
                                             : std::nullopt,
                       ends == Ends::seconds ? std::optional(seconds) : std::nullopt);
}

void EntryEditor::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return emit done();
  QWidget::keyPressEvent(event);
}

}  // namespace lw
