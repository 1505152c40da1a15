#include "wall-control/transport/transport_panel.h"

#include "wall-control/link/control_link.h"
#include "wall-control/models/flow_history.h"
#include "wall-control/models/media_time.h"
#include "wall-control/models/rate_number.h"
#include "wall-control/transport/play_button.h"
#include "wall-control/transport/position_text.h"
#include "wall-control/transport/volume_button.h"
#include "wall-control/ui/commands.h"
#include "wall-control/ui/elided_label.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/permit.h"

#include <QAction>
#include <QBoxLayout>
#include <QDoubleSpinBox>
#include <QMenu>
#include <QToolButton>
#include <QUndoCommand>
#include <QWidgetAction>

#include <algorithm>
#include <array>

namespace lw {
namespace {

constexpr int long_wait_ms = 2000;
constexpr int transition_from_width = 820;  // of the panel; below it, its choice is in the menu only
constexpr std::array usual_rates{-1.0, 0.25, 0.5, 1.0, 2.0, 4.0};

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

QString play_rate_text(double rate) {
  return QString("%1%2\u00d7").arg(rate < 0 ? QString::fromUtf8("\u2212") : QString()).arg(std::abs(rate), 0, 'f', 2);
}

}  // namespace

// In and out points before and after. They are the server's, so an edit is what it has done, and becomes obsolete with
// the visualization: another one has other frames.
class TransportPanel::LoopEdit : public QUndoCommand {
public:
  struct Points {
    std::optional<std::uint32_t> in, out;
    bool operator==(const Points&) const = default;
  };
  LoopEdit(TransportPanel& panel, const QString& words, std::string visualization, Points before, Points after)
      : QUndoCommand(words), panel_(panel), visualization_(std::move(visualization)), before_(before), after_(after) {}
  void undo() override { ask_for(before_); }
  // The server has done it before it is remembered.
  void redo() override {
    if (std::exchange(done_, true)) ask_for(after_);
  }

private:
  void ask_for(const Points& points) {
    if (panel_.state_.name != visualization_) return setObsolete(true);
    panel_.ask_for_loop({panel_.state_.loop, points.in, points.out});
  }

  TransportPanel& panel_;
  std::string visualization_;
  Points before_, after_;
  bool done_ = false;
};

TransportPanel::TransportPanel(ControlLink& link, Commands& commands, QWidget* parent)
    : QWidget(parent), link_(link), commands_(commands) {
  make_actions(commands);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 4, 0, 4);
  layout->setSpacing(2);
  make_timeline(commands);
  layout->addWidget(timeline_);
  layout->addLayout(make_row(commands));
  make_waits();
}

void TransportPanel::make_timeline(Commands& commands) {
  timeline_ = new TimelineBar(marks_);
  timeline_->setObjectName("timeline");
  timeline_->setToolTip(
      tr("Frames of tiles since this visualization was loaded, marked where they were.\n"
         "Repaired: lost packets were sent again or rebuilt. Late: shown after its time.\n"
         "Concealed: rows missing, the frame before shows. Not shown: nothing came, or it was skipped."));
  connect(timeline_, &TimelineBar::seek_wanted, this, &TransportPanel::seek);
  connect(timeline_, &TimelineBar::loop_wanted, this, [this](const Frames& loop) {
    change_loop({state_.loop, static_cast<unsigned>(loop.first), static_cast<unsigned>(loop.last)},
                tr("Changed the loop's range"));
  });
  commands.offer_copies(timeline_, [this] { seek(timeline_->asked()); });
}

void TransportPanel::make_actions(Commands& commands) {
  play_ = commands.add(
      tr("Play"), {Qt::Key_Space, Qt::Key_K}, tr("Play or pause"), [this] { play_or_pause(); }, Icon::play);
  stop_ = commands.add(
      tr("Stop"), {QKeySequence(Qt::CTRL | Qt::Key_Period)}, tr("Stop sending"), [this] { link_.call("stop"); },
      Icon::stop);
  make_positions(commands);
  backwards_ = commands.add(
      tr("Play backwards"), {Qt::Key_J}, tr("Play backwards; again: faster"),
      [this] {
        const double rate = state_.rate;
        const bool already = state_.status == PlayStatus::playing && rate < 0;
        change_rate(already ? std::max(-play_rate_max, rate * 2) : -1);
      },
      Icon::backwards);
  forwards_ = commands.add(tr("Play forwards"), {Qt::Key_L}, tr("Play forwards; again: faster"), [this] {
    const double rate = state_.rate;
    const bool already = state_.status == PlayStatus::playing && rate >= 1;
    change_rate(already ? std::min(play_rate_max, rate * 2) : 1);
  });
  loop_ = commands.add(
      tr("Loop"), {QKeySequence(Qt::CTRL | Qt::Key_L)}, tr("Begin again at the end"),
      [this] {
        ask_for_loop({loop_->isChecked(), state_.in, state_.out});
      },
      Icon::loop);
  loop_->setCheckable(true);
  next_ = commands.add(
      tr("Next"), {Qt::Key_N}, tr("Go to the next entry of the playlist"), [this] { link_.call("next"); },
      Icon::next_in_playlist);
  make_loop_actions(commands);
}

void TransportPanel::make_positions(Commands& commands) {
  first_ = commands.add(
      tr("First frame"), {Qt::Key_Home}, tr("To the first frame, or the loop's in"), [this] { seek(first_frame()); },
      Icon::to_start);
  back_ = commands.add(
      tr("Frame back"), {Qt::Key_Left}, tr("One frame back, paused"), [this] { step(-1); }, Icon::frame_back);
  forward_ = commands.add(
      tr("Frame forward"), {Qt::Key_Right}, tr("One frame forward, paused"), [this] { step(1); }, Icon::frame_forward);
  last_ = commands.add(
      tr("Last frame"), {Qt::Key_End}, tr("To the last frame, or the loop's out"), [this] { seek(last_frame()); },
      Icon::to_end);
}

// A new end beyond the other one takes its place: the other returns to its initial position.
void TransportPanel::make_loop_actions(Commands& commands) {
  set_in_ = commands.add(tr("Set in point"), {Qt::Key_BracketLeft}, tr("Let the loop begin at this frame"), [this] {
    const auto frame = state_.frame.value_or(0);
    change_loop({state_.loop, frame, state_.out >= frame ? state_.out : std::nullopt}, tr("Set the in point"));
  });
  set_out_ = commands.add(tr("Set out point"), {Qt::Key_BracketRight}, tr("Let the loop end at this frame"), [this] {
    const auto frame = state_.frame.value_or(0);
    change_loop({state_.loop, state_.in <= frame ? state_.in : std::nullopt, frame}, tr("Set the out point"));
  });
  clear_loop_ =
      commands.add(tr("Clear loop"), {Qt::Key_Backslash}, tr("Play all frames again: clear in and out"), [this] {
        change_loop({state_.loop, {}, {}}, tr("Cleared the loop's range"));
      });
}

// Copying a request as text triggers no action, so nothing is waited for then.
void TransportPanel::make_waits() {
  connect(play_, &QAction::triggered, this, [this] {
    const auto before = state_.status;
    wait_for(play_, before == PlayStatus::playing ? tr("the wall to pause") : tr("the wall to play"),
             [before](const StateMessage& state) { return state.status != before; });
  });
  connect(stop_, &QAction::triggered, this, [this] {
    wait_for(stop_, tr("the server to stop sending"),
             [](const StateMessage& state) { return state.status == PlayStatus::stopped; });
  });
  connect(loop_, &QAction::triggered, this, [this] {
    const bool wanted = !state_.loop;
    loop_->setChecked(state_.loop);
    wait_for(loop_, tr("the server to change the loop"),
             [wanted](const StateMessage& state) { return state.loop == wanted; });
  });
  connect(next_, &QAction::triggered, this, [this] {
    const auto before = std::tuple(state_.name, state_.entry, state_.playlist);
    wait_for(next_, tr("the next entry of the playlist"), [before](const StateMessage& state) {
      return state.coming || before != std::tuple(state.name, state.entry, state.playlist);
    });
  });
  connect(&link_, &ControlLink::call_failed, this, [this](const QString& method) {
    end_waits([&](const Wait& wait) {
      if (wait.action == play_) return method == "play" || method == "pause" || method == "load";
      return method == (wait.action == stop_ ? "stop" : wait.action == loop_ ? "loop" : "next");
    });
  });
  long_wait_.setSingleShot(true);
  long_wait_.setInterval(long_wait_ms);
  connect(&long_wait_, &QTimer::timeout, this, [this] {
    if (!waits_.empty()) emit still_waiting(tr("Waiting for %1").arg(waits_.back().words));
  });
}

void TransportPanel::wait_for(QAction* action, const QString& words, std::function<bool(const StateMessage&)> done) {
  std::erase_if(waits_, [&](const Wait& wait) { return wait.action == action; });
  if (link_.state() != ControlLink::State::ready) return;
  waits_.push_back({action, words, std::move(done)});
  long_wait_.start();
  show_waits();
}

void TransportPanel::end_waits(const std::function<bool(const Wait&)>& ended) {
  if (std::erase_if(waits_, ended) > 0) show_waits();
}

void TransportPanel::show_waits() {
  const auto waits = [this](const QAction* action) {
    return std::ranges::any_of(waits_, [&](const Wait& wait) { return wait.action == action; });
  };
  play_button_->set_waiting(waits(play_));
  for (const auto& [action, meaning] :
       {std::pair{stop_, Icon::stop}, {loop_, Icon::loop}, {next_, Icon::next_in_playlist}})
    action->setIcon(waits(action) ? icon(meaning, colors::disabled) : icon(meaning));
}

QToolButton* TransportPanel::make_range() {
  range_button_ = new QToolButton;
  range_button_->setObjectName("loop-range");
  range_button_->setIcon(icon(Icon::loop_range));
  if (range_button_->icon().isNull()) range_button_->setText("[ ]");
  range_button_->setAccessibleName(tr("Loop range"));
  range_button_->setToolTip(tr("In and out points of the loop ([ ] \\)"));
  range_button_->setPopupMode(QToolButton::InstantPopup);
  range_button_->setFocusPolicy(Qt::TabFocus);
  range_button_->setCheckable(true);
  auto* menu = new QMenu(range_button_);
  for (auto* action : {set_in_, set_out_, clear_loop_}) menu->addAction(action);
  range_button_->setMenu(menu);
  return range_button_;
}

QToolButton* TransportPanel::make_rate(Commands& commands) {
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
  rate_button_ = new QToolButton;
  rate_button_->setObjectName("rate");
  rate_button_->setAccessibleName(tr("Rate"));
  rate_button_->setToolTip(tr("How fast it plays (J, L)"));
  rate_button_->setPopupMode(QToolButton::InstantPopup);
  rate_button_->setFocusPolicy(Qt::TabFocus);
  auto* menu = new QMenu(rate_button_);
  for (const double rate : usual_rates) {
    auto* action = menu->addAction(play_rate_text(rate), this, [this, rate] { link_.call("rate", RateRequest{rate}); });
    action->setCheckable(true);
    action->setData(rate);
    rates_ << action;
  }
  menu->addSeparator();
  auto* exact = new QWidgetAction(menu);
  exact->setDefaultWidget(rate_);
  menu->addAction(exact);
  rate_button_->setMenu(menu);
  return rate_button_;
}

QBoxLayout* TransportPanel::make_row(Commands& commands) {
  position_ = new PositionText;
  position_->setObjectName("position");
  play_button_ = new PlayButton(play_);
  play_button_->setObjectName("play");
  commands.offer_copies(play_button_, [this] { play_or_pause(); });
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(2);
  for (auto* action : {first_, back_}) buttons->addWidget(commands.button(action));
  buttons->addWidget(play_button_);
  for (auto* action : {forward_, last_, stop_}) buttons->addWidget(commands.button(action));
  buttons->addSpacing(10);
  buttons->addWidget(commands.button(loop_));
  buttons->addWidget(make_range());
  buttons->addWidget(make_rate(commands));
  volume_ = new VolumeButton(link_, commands);
  buttons->addWidget(volume_);
  next_text_ = new ElidedLabel(13, Qt::AlignRight);
  next_text_->setObjectName("next-up");
  right_ = new QHBoxLayout;
  right_->setSpacing(6);
  right_->addWidget(next_text_, 1);
  right_->addWidget(commands.button(next_));
  auto* row = new QHBoxLayout;
  row->setContentsMargins(16, 0, 16, 0);
  row->setSpacing(12);
  row->addWidget(position_, 1);
  row->addLayout(buttons);
  row->addLayout(right_, 1);
  return row;
}

void TransportPanel::set_sound_peak(const std::optional<double>& db) { volume_->set_peak(db); }

void TransportPanel::set_transition(QWidget* choice) {
  transition_ = choice;
  right_->insertWidget(1, choice);
  choice->setVisible(width() >= transition_from_width);
}

void TransportPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (transition_ != nullptr) transition_->setVisible(width() >= transition_from_width);
}

double TransportPanel::frames_per_second() const {
  return rate_number(QString::fromStdString(state_.frame_rate.value_or("1")));
}

int TransportPanel::last_frame() const {
  return state_.out ? static_cast<int>(*state_.out) : std::max(0, frame_count() - 1);
}

void TransportPanel::ask_for_loop(const LoopRequest& request) { link_.call("loop", request); }

void TransportPanel::change_loop(const LoopRequest& request, const QString& words) {
  const LoopEdit::Points before{state_.in, state_.out};
  const LoopEdit::Points after{request.in, request.out};
  link_.call("loop", request,
             [this, words, name = state_.name, before, after](const QJsonValue&, const QString& error) {
               if (error.isEmpty() && name && before != after)
                 commands_.remember(new LoopEdit(*this, words, *name, before, after));
             });
}

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
  for (auto* action : {first_, last_}) permit(action, link_, "seek");
  for (auto* action : {backwards_, forwards_}) permit(action, link_, "rate");
  for (auto* action : {set_in_, set_out_}) permit(action, link_, "loop", frame_count() > 0);
  permit(clear_loop_, link_, "loop", state_.in.has_value());
  permit(range_button_, link_, "loop", frame_count() > 0);
  permit(next_, link_, "next", !state_.playlist.empty());
  permit(timeline_, link_, "seek");
  permit(rate_, link_, "rate");
  permit(rate_button_, link_, "rate");
  volume_->set_state(state_);
}

void TransportPanel::set_connected(bool connected) {
  enable();
  if (connected) return;
  end_waits([](const Wait&) { return true; });
  shown_.reset();
  timeline_->set_shown({});
  next_text_->set_text(tr("Not connected"));
  texts_.now();
}

void TransportPanel::set_strip(const QPixmap& strip, int thumbnails) { timeline_->set_strip(strip, thumbnails); }

void TransportPanel::set_state(const StateMessage& state, const TitleOf& title_of) {
  state_ = state;
  applying_state_ = true;
  const bool playing = state.status == PlayStatus::playing;
  if (const auto text = playing ? tr("Pause") : tr("Play"); text != play_->text()) {
    play_->setText(text);
    play_->setIcon(icon(playing ? Icon::pause : Icon::play));
  }
  play_button_->set_playing(playing);
  marks_.follow(QString::fromStdString(state.name.value_or("")), frames_per_second() * state.rate);
  timeline_->set_frames(frame_count(), frames_per_second());
  timeline_->set_asked(asked_frame());
  timeline_->set_loop(state.in ? std::optional(Frames{first_frame(), last_frame()}) : std::nullopt);
  timeline_->refresh();
  show_next(title_of);
  enable();
  rate_->setValue(state.rate);
  rate_button_->setText(play_rate_text(state.rate));
  for (auto* action : rates_) action->setChecked(action->data().toDouble() == state.rate);
  loop_->setChecked(state.loop);
  range_button_->setChecked(state.in.has_value());
  applying_state_ = false;
  end_waits([&](const Wait& wait) { return wait.done(state_); });
  texts_.ask();
}

void TransportPanel::show_next(const TitleOf& title_of) {
  const auto title = [&](const std::string& name) { return title_of(QString::fromStdString(name)); };
  const auto fade = [](const QString& text, std::optional<std::int64_t> ms) {
    return ms ? tr("%1 \u00b7 fade %2 s").arg(text).arg(static_cast<double>(*ms) / 1000) : text;
  };
  if (state_.coming)
    next_text_->set_text(tr("Fading to %1").arg(title(state_.coming->name)));
  else if (state_.playlist.empty())
    next_text_->set_text(state_.status == PlayStatus::stopped ? tr("Stopped") : QString());
  else
    next_text_->set_text(fade(tr("Next: %1").arg(title(state_.playlist[0].name)),
                              state_.playlist[0].transition.kind == TransitionKind::fade
                                  ? std::optional(state_.playlist[0].transition.fade_ms.value_or(fade_usual.count()))
                                  : std::nullopt));
  next_->setToolTip(state_.playlist.empty() ? tr("Nothing follows: the playlist is empty")
                                            : tr("Next: %1 (N)").arg(title(state_.playlist[0].name)));
}

void TransportPanel::show_position() {
  const double rate = frames_per_second();
  PositionText::Words words;
  if (link_.state() != ControlLink::State::ready && !shown_) return position_->show_words({});
  if (state_.status != PlayStatus::stopped && rate > 0 && frame_count() > 0) {
    words.time = media_time(asked_frame() / rate);
    words.length = media_time(frame_count() / rate);
    words.frame = tr("frame %1 of %2").arg(asked_frame()).arg(frame_count());
  }
  if (shown_ && shown_->last - shown_->first > 1)
    words.warning = tr("Tiles are %1 frames apart").arg(shown_->last - shown_->first);
  position_->show_words(words);
}

void TransportPanel::take(const FlowHistory& history) {
  marks_.add(history);
  // States are rare: without this, the requested frame would lag behind the frame shown.
  if (const auto frame = history.wall().frame) {
    state_.frame = *frame;
    timeline_->set_asked(*frame);
  }
  shown_ = state_.status == PlayStatus::stopped ? std::nullopt : shown_by_tiles(history);
  timeline_->set_shown(shown_);
  timeline_->refresh();
  texts_.ask();
}

}  // namespace lw
