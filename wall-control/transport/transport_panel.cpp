#include "wall-control/transport/transport_panel.h"

#include "wall-control/link/control_link.h"
#include "wall-control/models/flow_history.h"
#include "wall-control/models/rate_number.h"
#include "wall-control/transport/timeline_bar.h"
#include "wall-control/ui/commands.h"
#include "wall-control/ui/permit.h"

#include <QAction>
#include <QBoxLayout>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace lw {
namespace {

// From the slowest tile to the fastest.
std::optional<Frames> shown_by_tiles(const FlowHistory& history) {
  std::optional<Frames> shown;
  for (const auto& tile : history.tiles()) {
    if (!tile.connected || !tile.receiving || !tile.frame) continue;
    if (!shown) shown = Frames{*tile.frame, *tile.frame};
    shown = Frames{std::min(shown->first, *tile.frame), std::max(shown->last, *tile.frame)};
  }
  return shown;
}

}  // namespace

TransportPanel::TransportPanel(ControlLink& link, Commands& commands, QWidget* parent) : QWidget(parent), link_(link) {
  make_actions(commands);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 2, 0, 2);
  now_playing_ = new QLabel;
  now_playing_->setTextFormat(Qt::RichText);
  position_ = new QLabel;
  make_timeline(commands);
  layout->addWidget(now_playing_);
  auto* line = new QHBoxLayout;
  line->addWidget(shown_, 1);
  line->addWidget(position_);
  layout->addLayout(line);
  layout->addWidget(timeline_);
  make_rate(commands);
  layout->addLayout(make_loop_row(commands));
  make_buttons(commands);
  layout->addLayout(buttons_);
}

void TransportPanel::make_timeline(Commands& commands) {
  timeline_ = new TimelineBar(marks_);
  timeline_->setObjectName("timeline");
  connect(timeline_, &TimelineBar::seek_wanted, this, &TransportPanel::seek);
  connect(timeline_, &TimelineBar::loop_wanted, this, [this](const Frames& loop) {
    ask_for_loop({state_.loop, static_cast<unsigned>(loop.first), static_cast<unsigned>(loop.last)});
  });
  commands.offer_copies(timeline_, [this] { seek(timeline_->asked()); });
  shown_ = new QLabel;
  shown_->setObjectName("shown");
  troubles_ = new QLabel;
  troubles_->setObjectName("troubles");
  troubles_->setToolTip(
      tr("Frames of tiles since this visualization was loaded, marked on the timeline where they were.\n"
         "Made good: lost packets were sent again or rebuilt. Concealed: rows missing, the frame before shows.\n"
         "Late: shown after its time. Not shown: nothing came, or it was left out."));
  for (auto* label : {shown_, troubles_}) label->setForegroundRole(QPalette::PlaceholderText);
  // Long titles and figures are cut off before the window grows.
  for (auto* label : {now_playing_, troubles_}) label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void TransportPanel::make_actions(Commands& commands) {
  play_ = commands.add(tr("Play"), {Qt::Key_Space, Qt::Key_K}, tr("Play or pause"), [this] { play_or_pause(); });
  stop_ = commands.add(tr("Stop"), {QKeySequence(Qt::CTRL | Qt::Key_Period)}, tr("Stop sending"),
                       [this] { link_.call("stop"); });
  back_ = commands.add(QString::fromUtf8("\u2039"), {Qt::Key_Left}, tr("One frame back, paused"), [this] { step(-1); });
  forward_ =
      commands.add(QString::fromUtf8("\u203a"), {Qt::Key_Right}, tr("One frame on, paused"), [this] { step(1); });
  commands.add(tr("First frame"), {Qt::Key_Home}, tr("To the first frame, or the loop's in"),
               [this] { seek(first_frame()); });
  commands.add(tr("Last frame"), {Qt::Key_End}, tr("To the last frame, or the loop's out"),
               [this] { seek(last_frame()); });
  commands.add(tr("Backwards"), {Qt::Key_J}, tr("Play backwards; again: faster"), [this] {
    const double rate = state_.rate;
    change_rate(rate < 0 ? std::max(-play_rate_max, rate * 2) : -1);
  });
  commands.add(tr("Forwards"), {Qt::Key_L}, tr("Play forwards; again: faster"), [this] {
    const double rate = state_.rate;
    change_rate(rate >= 1 ? std::min(play_rate_max, rate * 2) : 1);
  });
  loop_ = commands.add(tr("Loop"), {QKeySequence(Qt::CTRL | Qt::Key_L)}, tr("Begin again at the end"), [this] {
    ask_for_loop({loop_->isChecked(), state_.in, state_.out});
  });
  loop_->setCheckable(true);
  next_ = commands.add(tr("Next"), {Qt::Key_N}, tr("Go to the next of the playlist"), [this] { link_.call("next"); });
  make_loop_actions(commands);
}

// A new end beyond the other one takes its place: the other returns to its initial position.
void TransportPanel::make_loop_actions(Commands& commands) {
  set_in_ = commands.add(tr("In"), {Qt::Key_BracketLeft}, tr("Let the loop begin at this frame"), [this] {
    const auto frame = state_.frame.value_or(0);
    ask_for_loop({state_.loop, frame, state_.out >= frame ? state_.out : std::nullopt});
  });
  set_out_ = commands.add(tr("Out"), {Qt::Key_BracketRight}, tr("Let the loop end at this frame"), [this] {
    const auto frame = state_.frame.value_or(0);
    ask_for_loop({state_.loop, state_.in <= frame ? state_.in : std::nullopt, frame});
  });
  clear_loop_ = commands.add(tr("All"), {Qt::Key_Backslash}, tr("Play all frames again: clear in and out"), [this] {
    ask_for_loop({state_.loop, {}, {}});
  });
}

QLayout* TransportPanel::make_loop_row(Commands& commands) {
  auto* row = new QHBoxLayout;
  for (auto* action : {set_in_, set_out_, clear_loop_}) {
    auto* button = commands.button(action);
    button->setMinimumHeight(24);
    row->addWidget(button);
  }
  row->addSpacing(8);
  row->addWidget(new QLabel(tr("Rate")));
  row->addWidget(rate_);
  row->addWidget(troubles_, 1);
  return row;
}

void TransportPanel::make_rate(Commands& commands) {
  rate_ = new QDoubleSpinBox;
  rate_->setRange(-play_rate_max, play_rate_max);
  rate_->setSingleStep(0.25);
  rate_->setDecimals(2);
  rate_->setSuffix(QString::fromUtf8(" \u00d7"));
  rate_->setAccessibleName(tr("Rate"));
  rate_->setToolTip(tr("Frames of the visualization per frame of the wall; negative plays backwards (J, L)"));
  rate_->setKeyboardTracking(false);
  connect(rate_, &QDoubleSpinBox::valueChanged, this, [this](double rate) {
    if (!applying_state_ && rate != 0) link_.call("rate", RateRequest{rate});
  });
  commands.offer_copies(rate_, [this] { link_.call("rate", RateRequest{rate_->value()}); });
}

void TransportPanel::make_buttons(Commands& commands) {
  auto* play_button = commands.button(play_);
  play_button->setMinimumWidth(70);
  buttons_ = new QHBoxLayout;
  buttons_->addWidget(play_button);
  for (auto* action : {stop_, back_, forward_, loop_, next_}) buttons_->addWidget(commands.button(action));
  buttons_->addStretch(1);
}

int TransportPanel::last_frame() const {
  return state_.out ? static_cast<int>(*state_.out) : std::max(0, frame_count() - 1);
}

void TransportPanel::ask_for_loop(const LoopRequest& request) { link_.call("loop", request); }

void TransportPanel::play_or_pause() {
  if (state_.status == PlayStatus::stopped) return emit start_wanted();
  link_.call(state_.status == PlayStatus::playing ? "pause" : "play");
}

void TransportPanel::seek(int frame) { link_.call("seek", SeekRequest{static_cast<std::uint32_t>(frame)}); }

void TransportPanel::step(int frames) {
  if (state_.status == PlayStatus::stopped) return;
  link_.call("pause");
  seek(std::clamp(asked_frame() + frames, first_frame(), last_frame()));
}

void TransportPanel::change_rate(double rate) {
  link_.call("rate", RateRequest{rate});
  if (state_.status == PlayStatus::paused) link_.call("play");
}

void TransportPanel::enable() {
  for (auto* action : {play_, stop_, back_, forward_, loop_}) permit(action, link_, "play");
  for (auto* action : {set_in_, set_out_}) permit(action, link_, "loop", frame_count() > 0);
  permit(clear_loop_, link_, "loop", state_.in.has_value());
  permit(next_, link_, "next", !state_.playlist.empty());
  permit(timeline_, link_, "seek");
  permit(rate_, link_, "rate");
}

void TransportPanel::set_connected(bool connected) {
  enable();
  if (connected) return;
  now_playing_->setText(tr("Not connected"));
  position_->clear();
  shown_->clear();
  timeline_->set_shown({});
}

void TransportPanel::set_state(const StateMessage& state, const TitleOf& title_of) {
  state_ = state;
  applying_state_ = true;
  const bool playing = state.status == PlayStatus::playing;
  const double rate = rate_number(QString::fromStdString(state.frame_rate.value_or("1")));
  const auto title = [&](const std::string& name) { return title_of(QString::fromStdString(name)).toHtmlEscaped(); };
  now_playing_->setText(
      state.status == PlayStatus::stopped
          ? tr("Stopped")
          : tr("<b>%1</b>  %2").arg(title(state.name.value_or("")), playing ? tr("playing") : tr("paused")) +
                (state.coming             ? tr(", fading to %1").arg(title(state.coming->name))
                 : state.playlist.empty() ? QString()
                                          : tr(", next up: %1").arg(title(state.playlist[0].name))));
  play_->setText(playing ? tr("Pause") : tr("Play"));
  marks_.follow(QString::fromStdString(state.name.value_or("")), rate * state.rate);
  timeline_->set_frames(frame_count(), rate);
  show_asked();
  timeline_->set_loop(state.in ? std::optional(Frames{first_frame(), last_frame()}) : std::nullopt);
  next_->setToolTip(state.playlist.empty() ? tr("Nothing follows: the playlist is empty")
                                           : tr("Next up: %1 (N)").arg(QString::fromStdString(state.playlist[0].name)));
  enable();
  show_troubles();
  rate_->setValue(state.rate);
  loop_->setChecked(state.loop);
  applying_state_ = false;
}

void TransportPanel::show_asked() {
  const int frames = frame_count();
  const int frame = asked_frame();
  const double rate = rate_number(QString::fromStdString(state_.frame_rate.value_or("1")));
  const bool stopped = state_.status == PlayStatus::stopped;
  position_->setText(stopped || rate <= 0 ? QString()
                                          : tr("asked: frame %1 of %2   %3 / %4")
                                                .arg(frame)
                                                .arg(frames)
                                                .arg(time_text(frame / rate), time_text(frames / rate)));
  timeline_->set_asked(frame);
}

void TransportPanel::take(const FlowHistory& history) {
  marks_.add(history);
  if (const auto frame =
          history.wall().frame) {  // states are rare: the requested frame would lag behind the frame shown
    state_.frame = *frame;
    show_asked();
  }
  const auto shown = state_.status == PlayStatus::stopped ? std::nullopt : shown_by_tiles(history);
  timeline_->set_shown(shown);
  timeline_->refresh();
  if (!shown)
    shown_->setText(!state_.name ? QString() : tr("No tile tells what it shows"));
  else if (shown->first == shown->last)
    shown_->setText(tr("All tiles show frame %1").arg(shown->first));
  else
    shown_->setText(tr("Tiles show frames %1 to %2").arg(shown->first).arg(shown->last));
  show_troubles();
}

void TransportPanel::show_troubles() {
  const auto totals = marks_.totals();
  QStringList parts;
  for (std::size_t i = trouble_count; i-- > 0;) {
    const auto kind = static_cast<Trouble>(i);
    if (totals[i] > 0) parts << QString("%1 %2 %3").arg(trouble_sign(kind)).arg(totals[i]).arg(trouble_name(kind));
  }
  troubles_->setText(parts.join("  "));
}

}  // namespace lw
