"""The defects that mutations.py puts back or in: each a small change of one file. A change of the code that moves one of the texts moves it here, too."""
from typing import NamedTuple


class Mutation(NamedTuple):
    name: str
    file: str
    old: str
    new: str
    breaks: str


SEND, PLAY, SYNC = "server/send/", "server/play/", "server/sync/"
RECEIVE, ASSEMBLE, PLAYOUT = "wall-client/receive/", "wall-client/assemble/", "wall-client/playout/playout_buffer.cpp"
PRESENT = "wall-client/present/presenter.cpp"

# That were there once, and were mended.
KNOWN = [
    Mutation("aims-at-what-came", RECEIVE + "forecast.cpp", "  if (place.frame != 0) return false;", "  if (place.frame != 0 || format_) return false;",
             "the kernel puts parity and resent packets over pixels that came or were rebuilt"),
    Mutation("window-beyond-delay", "common/wall/send_window.cpp", "return std::min(asked(interval), longest_);", "return asked(interval);",
             "a frame is sent for longer than the playout delay lasts"),
    Mutation("deadline-never-resets", RECEIVE + "receiver_signalling.h", "{ newest_media_time_ = media_time; }",
             "{ newest_media_time_ = std::max(newest_media_time_, media_time); }", "after a clock that was ahead no loss is asked for"),
    Mutation("seek-tells-frame-before", PLAY + "playback.cpp", "  timeline_.seek(seek.frame);\n  counted_.frame = timeline_.frame();\n",
             "  timeline_.seek(seek.frame);\n", "after a seek the frame before it is told"),
    Mutation("never-segments-again", "common/net/datagram_sender.cpp", "if (!segmented_ && ++runs_unsegmented_ == segment_again_after) segment(datagram_bytes_);",
             "", "a path that refused segmentation is never tried again"),
    Mutation("held-up-gives-up", SEND + "send_schedule.cpp", "std::max(std::min<Nanoseconds>(of_use, behind_most), 2 * interval)",
             "std::min(std::min<Nanoseconds>(of_use, behind_most), 2 * interval)", "a flow that was held up gives up what could still be shown"),
    Mutation("measures-by-another-clock", RECEIVE + "receiver_signalling.cpp", "  if (keeps_late_) return WallTime::max();\n", "",
             "who measures a path gives bands up by another host's clock"),
]

# One line each, by area.
SENDER = [
    Mutation("sequence-one-short", SEND + "flow_sender.cpp", "std::min(next_, packets_.media_count()));", "std::min(next_, packets_.media_count()) - 1);",
             "the last number of a frame is given twice"),
    Mutation("buffer-never-released", SEND + "flow_sender.cpp", "  } else {\n    frame_.buffer->release();\n  }\n  phase_", "  }\n  phase_",
             "a sent frame keeps its buffer"),
    Mutation("refused-offer-sent", SEND + "sent_frames.h", "    frame.buffer->add_users(1);\n", "", "kept frames are overwritten while they may be sent again"),
    Mutation("finds-one-too-many", SEND + "sent_frames.h", "sequence - frame.first_sequence < frame.packets", "sequence - frame.first_sequence <= frame.packets",
             "the packet behind a frame is looked for in it"),
    Mutation("forgets-newest", SEND + "sent_frames.h", "frames_.front().stamp.media_time < media_time) forget_oldest", "frames_.front().stamp.media_time > media_time) forget_oldest",
             "frames are forgotten as soon as they are sent"),
    Mutation("format-keeps-frames", SEND + "flow_sender.cpp", "    signalling_.forget_frames();  // their packets were cut otherwise\n", "",
             "packets of another format are sent again from frames of the one before"),
    Mutation("resends-other-frame", SEND + "resender.cpp", "templates.write_resend(packet, frame->stamp, sequence, ssrc_,", "templates.write_resend(packet, frame->stamp, sequence + 1, ssrc_,",
             "a resent packet carries the next number"),
    Mutation("resends-without-band", SEND + "resender.cpp", "frame->buffer->data + band + packet.pixel_offset", "frame->buffer->data + 0 * band + packet.pixel_offset",
             "a lower band is sent again with the pixels of the upper"),
    Mutation("resend-budget-zero", SEND + "rate_budget.h", "std::min(depth_bytes_, available_ + passed)", "std::max(depth_bytes_, available_ + passed)",
             "the budget of resends grows without bound"),
    Mutation("resend-budget-not-filled", SEND + "rate_budget.h", "filled_ == WallTime{} ? depth_bytes_ :", "filled_ == WallTime{} ? 0.0 * depth_bytes_ :",
             "the budget of resends begins empty"),
    Mutation("parity-too-early", SEND + "parity_encoder.cpp", "groups_.count() * packets_sent / groups_.packets()", "groups_.count() * packets_sent / (groups_.packets() + 1)",
             "the last group's parity is that of the frame before"),
    Mutation("parity-number", SEND + "parity_encoder.cpp", "  first_sequence_ = first_sequence;\n", "  first_sequence_ = first_sequence + 1;\n", "parity tells of packets one off"),
    Mutation("parity-of-other-band", SEND + "frame_packets.cpp", "parity_->begin(stamp, sequence, pixels_);", "parity_->begin(stamp, sequence, buffer.data);",
             "parity of a lower band is of the upper one's pixels"),
    Mutation("band-offset", SEND + "frame_packets.cpp", "row_bytes(format, width_) * band_.first_row", "row_bytes(format, width_) * (band_.first_row + 1)",
             "a band begins a row too late"),
    Mutation("stamp-first-run", SEND + "frame_packets.cpp", "sequence_ + static_cast<std::uint32_t>(first), first, count", "sequence_ + static_cast<std::uint32_t>(first), first, count - 1",
             "a run's last packet keeps the stamp of the frame before"),
    Mutation("waits-when-clock-set-back", SEND + "send_schedule.cpp", "  if (due - now > due_within) return {Verdict::give_up, {}, due};\n", "",
             "a server's clock that is set back stops the flow for as long"),
    Mutation("not-before-stays", SEND + "send_schedule.cpp", "  if (not_before_ - due > due_within) not_before_ = due;\n", "", "the same, by the pacer"),
    Mutation("tells-commit-once", SEND + "sender_signalling.cpp", "constexpr unsigned tells_again = 8;", "constexpr unsigned tells_again = 0;", "nobody hears what is committed"),
    Mutation("older-path-feedback", SEND + "sender_signalling.cpp", "if (feedback.heard >= newest.heard) newest = feedback;", "if (feedback.heard < newest.heard) newest = feedback;",
             "what receivers say is not heard"),
    Mutation("held-of-nobody", SEND + "rtcp_reporter.cpp", "    feedback_.held = contents.held->ticks;\n", "", "what receivers hold is not heard"),
    Mutation("window-paced-double", SEND + "pacer.h", "media_time + share_of(window_.of(interval), packet, packets)", "media_time + 2 * share_of(window_.of(interval), packet, packets)",
             "packets leave over twice the window"),
    Mutation("late-piles-up", SEND + "pacer.h", "std::max(before, now - grace)", "std::max(before, now + grace)", "each run is delayed by the one before"),
]
SERVER_PLAY = [
    Mutation("pending-not-released", PLAY + "playback.cpp", "    first.buffer->release();\n    tile.pending.pop_front();", "    tile.pending.pop_front();", "a frame handed over keeps its buffer"),
    Mutation("read-not-used", PLAY + "playback.cpp", "                  .fate = FrameFate::whole};\n  buffer->add_users(1);\n", "                  .fate = FrameFate::whole};\n",
             "a buffer is free while it is read into"),
    Mutation("refused-offer-kept", PLAY + "playback.cpp", "frame.interval, asked, in_memory}))\n      frame.buffer->release();", "frame.interval, asked, in_memory}))\n      continue;",
             "a frame that a flow refuses keeps its buffer"),
    Mutation("newest-kept-at-load", PLAY + "playback.cpp", "  for (auto& tile : tiles_)\n    if (tile.newest != nullptr) std::exchange(tile.newest, nullptr)->release();\n  if (store_) retired_",
             "  if (store_) retired_", "the first frame of a visualization is that of the one before"),
    Mutation("failed-read-shown", PLAY + "playback.cpp", "done[i].error == 0 ? BufferState::ready : BufferState::failed", "done[i].error >= 0 ? BufferState::ready : BufferState::failed",
             "what could not be read is sent"),
    Mutation("failed-read-stays", PLAY + "playback.cpp", " || tile.newest->state == BufferState::failed;", ";", "a paused frame that could not be read is never read again"),
    Mutation("late-read-blocks", PLAY + "playback.cpp", "if (now < first.stamp.media_time + first.interval) return;", "if (now < first.stamp.media_time + 100 * first.interval) return;",
             "frames wait behind a slow read"),
    Mutation("clock-not-followed", PLAY + "playback.cpp", "  timeline_.shift(now - next);\n", "  timeline_.shift(next - now);\n", "the timeline goes the other way when the clock is set"),
    Mutation("held-command-lost", PLAY + "playback.cpp", "  if (held_) held_->not_before = now;\n", "", "a command waits for a time of the clock before"),
    Mutation("skipped-tick-read", PLAY + "playback.cpp", "stamp.media_time + timeline_.interval() < now", "stamp.media_time + timeline_.interval() > now", "what is in time is skipped"),
    Mutation("generation-same", PLAY + "playback.cpp", "  timeline_.set_paused(load.paused);\n  counted_.frame = timeline_.frame();\n  ++counted_.generation;",
             "  timeline_.set_paused(load.paused);\n  counted_.frame = timeline_.frame();", "a load looks like no change"),
    Mutation("tick-stands", PLAY + "playback.cpp", "counted_.generation, tick_++};", "counted_.generation, tick_};", "all frames have the same tick"),
    Mutation("loop-backwards", PLAY + "timeline.cpp", "std::fmod(std::fmod(next - first, count) + count, count)", "std::fmod(next - first, count)", "playing backwards leaves the range"),
    Mutation("range-end", PLAY + "timeline.cpp", "range_.last - first + 1;", "range_.last - first + 2;", "a frame behind the last is played"),
    Mutation("range-not-left", PLAY + "timeline.cpp", "range_ = {0, frame_count - 1};", "range_ = {0, frame_count};", "the last frame is one too many"),
    Mutation("seek-unclamped", PLAY + "timeline.cpp", "position_ = std::clamp(frame, range_.first, range_.last);", "position_ = std::max(frame, range_.first);", "a seek goes beyond the last frame"),
    Mutation("ended-stays", PLAY + "timeline.cpp", "if (std::exchange(ended_, false)) rounds_ = 0;", "if (ended_) rounds_ = 0;", "what ended once counts as ended for ever"),
]
SERVER_SYNC = [
    Mutation("commits-what-anybody-holds", SYNC + "wall_sync.cpp", "all = all && flows[i].held", "all = all || flows[i].held", "a frame is shown by some tiles only"),
    Mutation("commits-too-late", SYNC + "wall_sync.cpp", "now > frame.media_time + delay_.at(frame.media_time) - reach", "now > frame.media_time + delay_.at(frame.media_time) + 4 * reach",
             "a commitment does not reach everybody"),
    Mutation("silent-for-ever", SYNC + "wall_sync.cpp", "  missing_.reset();\n", "", "a node that was silent once is left out for ever"),
    Mutation("silent-node-waited-for", SYNC + "wall_sync.cpp", "(waits_ || !missing_[node])", "(waits_ || missing_[node])", "who is there is not waited for"),
    Mutation("ramp-decided-before-clock", SYNC + "playout_control.cpp", "  if (delay_.start > now + begins_within) delay_ = PlayoutRamp::constant(delay_.to);\n", "",
             "after a clock that was set back the delay stays for as long"),
    Mutation("delay-never-grows", SYNC + "playout_control.cpp", "if (want && *want > delay_.to) {", "if (want && *want > most_) {", "the playout delay is not adapted"),
    Mutation("delay-old-news", SYNC + "playout_control.cpp", "now - *flows[i].heard > heard_within", "now - *flows[i].heard < heard_within", "only what is old counts"),
    Mutation("delay-jumps", SYNC + "playout_control.cpp", "constexpr int grow_over = 10;", "constexpr int grow_over = 1;", "frames change their order while the delay grows"),
]
RECEIVER = [
    Mutation("stretch-over-what-came", RECEIVE + "flow_receiver.cpp", "stretch.datagrams == 0 || assembler_->has_any(", "stretch.datagrams == 0 || !assembler_->has_any(",
             "a stretch in place is taken only where something came before"),
    Mutation("gap-one-early", RECEIVE + "receiver_signalling.cpp", "requester_->miss(sequences.highest() + 1, sequence - 1,", "requester_->miss(sequences.highest() + 2, sequence - 1,",
             "the first of what is lost is not asked for"),
    Mutation("ledger-invalid", RECEIVE + "flow_receiver.cpp", "  counted_.invalid += fate == PacketFate::invalid;\n", "", "a packet of no use is not counted"),
    Mutation("restart-keeps-sequences", RECEIVE + "stream_ledger.cpp", "  sequences_ = SequenceTracker{};\n", "", "a new stream is judged by the numbers of the one before"),
    Mutation("restart-keeps-parity", RECEIVE + "flow_receiver.cpp", "  if (parity_) parity_->restart();\n", "", "parity of the stream before is used"),
    Mutation("restart-keeps-bands", RECEIVE + "flow_receiver.cpp", "  assembler_->reset();\n", "", "bands of the stream before are completed"),
    Mutation("no-band-full-ring", RECEIVE + "flow_receiver.cpp", "    if (!room)\n      assembler_->give_back(buffer);\n    else if (holds)", "    if (room && holds)", "a band for which there is no room keeps its buffer"),
    Mutation("gives-up-early", RECEIVE + "receiver_signalling.cpp", "media_time + delay_.at(media_time) - drop_before;", "media_time + delay_.at(media_time) - 10 * drop_before;",
             "bands are given up while their packets are under way"),
    Mutation("gives-up-never", RECEIVE + "flow_receiver.cpp", "return received_up_to > signalling_.deadline_of(media_time);", "return received_up_to < signalling_.deadline_of(media_time);", "bands are given up at once"),
    Mutation("held-though-not-whole", RECEIVE + "flow_receiver.cpp", "const bool holds = band->whole && band->has_stamp;", "const bool holds = band->has_stamp;",
             "a receiver says that it holds what misses packets"),
    Mutation("rescue-skips-first", RECEIVE + "forecast.cpp", "for (unsigned i = first; i < runs.size(); ++i) {", "for (unsigned i = first + 1; i < runs.size(); ++i) {",
             "a surprise is read from where it was not rescued to"),
    Mutation("stretch-one-more", RECEIVE + "forecast.cpp", "stretch.last_byte = final.pixel_offset + final.pixel_bytes;", "stretch.last_byte = final.pixel_offset + 2 * final.pixel_bytes;",
             "a stretch covers more than came"),
    Mutation("follows-reordered", RECEIVE + "forecast.cpp", "same_frame ? std::max(next_packet_, *number + 1) : *number + 1", "same_frame ? *number + 1 : *number + 1",
             "a reordered packet sets the forecast back"),
    Mutation("next-aimed-twice", RECEIVE + "forecast.cpp", "place = advanced(place, run);", "place = advanced(place, run - 1);", "two messages are aimed at the same place"),
    Mutation("resend-never-repeated", RECEIVE + "resend_requester.cpp", "  missing.ask_at = now + time_to_next(missing, now);", "  missing.ask_at = never;", "a lost request is not repeated"),
    Mutation("resend-not-found", RECEIVE + "resend_requester.cpp", "  if (now > place->deadline) return false;", "  if (now < place->deadline) return false;", "only late answers count"),
    Mutation("source-never-changes", RECEIVE + "stream_source.cpp", "(ssrc_ && now - last_heard_ < silence_before_change)", "ssrc_", "a server that was started again is not heard"),
    Mutation("source-keeps-newest", RECEIVE + "stream_source.cpp", "  newest_.reset();\n", "", "numbers of a new stream are unrolled by those of the old one"),
    Mutation("jump-believed", RECEIVE + "stream_source.cpp", "sequence - *newest_ > jump_max && jumped_to_ != sequence - 1", "sequence - *newest_ > jump_max && jumped_to_ == sequence",
             "a changed number is believed"),
]
ASSEMBLER = [
    Mutation("whole-one-short", ASSEMBLE + "band_assembler.h", "groups_per_row(band.format) * geometry_.rows;", "groups_per_row(band.format) * geometry_.rows - 1 || band.coverage.count() + 9 > groups_per_row(band.format) * geometry_.rows;",
             "a band that misses some pixels is whole"),
    Mutation("coverage-not-cleared", ASSEMBLE + "band_assembler.cpp", "  place->coverage.clear();\n", "", "a new band has what the one before had"),
    Mutation("buffer-not-taken", ASSEMBLE + "band_assembler.cpp", "  free_.pop_back();\n", "", "two bands share a buffer"),
    Mutation("stamps-mixed", ASSEMBLE + "band_assembler.cpp", "(packet.stamp && *packet.stamp != band->stamp)", "(packet.stamp && false)", "packets of two frames of the same moment make one picture"),
    Mutation("row-present-any", ASSEMBLE + "band_assembler.cpp", "band.coverage.all(row * row_groups, (row + 1) * row_groups)", "band.coverage.any(row * row_groups, (row + 1) * row_groups)",
             "a row of which a part came is shown"),
    Mutation("rows-not-reset", ASSEMBLE + "band_assembler.cpp", "    std::ranges::fill(present, 0U);\n", "", "rows of the frame before count as present"),
    Mutation("over-forgotten", ASSEMBLE + "band_assembler.cpp", "  over_[over_count_++ % over_.size()] = band.timestamp;\n", "", "a late packet opens its band again"),
    Mutation("gives-up-newest", ASSEMBLE + "band_assembler.cpp", "const auto oldest = std::ranges::min_element(", "const auto oldest = std::ranges::max_element(", "the newest band makes room, not the oldest"),
    Mutation("gap-closed-early", ASSEMBLE + "coverage.cpp", "    prefix_ = last;\n    close_gap();", "    prefix_ = last;", "what lies behind a gap is forgotten"),
    Mutation("coverage-counts-twice", ASSEMBLE + "coverage.cpp", "std::popcount(mask & ~bits_[word])", "std::popcount(mask)", "pixels that come twice count twice"),
    Mutation("rebuilds-with-too-few", ASSEMBLE + "parity_decoder.cpp", "missing_.size() > parity_.size()", "missing_.size() > parity_.size() + 1", "more is rebuilt than parity allows"),
    Mutation("old-parity-present", ASSEMBLE + "parity_decoder.cpp", "  std::fill(place->present.begin(), place->present.end(), false);\n", "", "parity of the frame before is used"),
]
SHOWING = [
    Mutation("late-band-shown", PLAYOUT, "band.media_time <= *last_due_ &&", "band.media_time < *last_due_ &&", "a frame is shown twice"),
    Mutation("not-given-back", PLAYOUT, "  for (const auto& band : frames_[0].bands) give_back_(band);\n", "", "receivers get no buffer back"),
    Mutation("whole-with-one-band", PLAYOUT, "place->bands.size() == bands_per_tile_ && std::ranges::all_of", "std::ranges::all_of", "a tile with one of two bands is whole"),
    Mutation("set-back-waits", PLAYOUT, "  if (time - band.media_time < set_back_least) return false;", "  if (time - band.media_time < 10000 * set_back_least) return false;",
             "after a clock that was set back old frames block the tile"),
    Mutation("last-due-stays", PLAYOUT, " && !set_back(*last_due_, last_tick_, band)) return give_back_(band);", ") return give_back_(band);", "after a clock that was set back nothing is shown"),
    Mutation("shown-without-commitment", PLAYOUT, "const bool committed = frame.whole && frame.committed;", "const bool committed = frame.whole;", "a tile shows what others do not"),
    Mutation("not-shown-uncounted", PLAYOUT, "  counts_.not_shown += ticks - 1U;  // not a packet of these frames came\n", "", "frames that did not come are not counted"),
    Mutation("order-lost", PLAYOUT, "return frame.media_time < time;", "return frame.media_time > time;", "frames wait in no order"),
    Mutation("upload-not-noted", PRESENT, "  tile.uploaded_time = frame.media_time;\n", "", "each frame is uploaded again and again"),
    Mutation("swaps-other-frame", PRESENT, "  if (tile.uploaded_time != frame->media_time) upload(tile, *frame);", "  if (tile.uploaded_time == WallTime{}) upload(tile, *frame);",
             "a frame is swapped in that was not uploaded"),
    Mutation("delay-of-first-flow", PRESENT, "delay.start > newest.start) newest = delay;", "delay.start < newest.start) newest = delay;", "the tiles keep to an old delay"),
    Mutation("commitment-not-passed", PRESENT, "  if (mode_ == SyncMode::wall) tile.playout->commit(tile.flows.front()->committed());\n", "", "nodes do not hear what is committed"),
]
MUTATIONS = KNOWN + SENDER + SERVER_PLAY + SERVER_SYNC + RECEIVER + ASSEMBLER + SHOWING
