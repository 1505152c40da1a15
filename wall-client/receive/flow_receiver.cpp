#include "wall-client/receive/flow_receiver.h"

#include "common/concurrency/pinned_thread.h"
#include "common/metrics/traffic_class.h"
#include "common/plan/buffers.h"
#include "common/wall/burst.h"
#include "common/wall/flow_routes.h"
#include "common/wall/tile_slots.h"

#include <spdlog/spdlog.h>

#include <cassert>
#include <utility>

namespace lw {
namespace {

// Often, so that the rate between two readings is accurate.
constexpr std::chrono::milliseconds publish_interval{10};
constexpr std::chrono::milliseconds refused_interval{500};  // because the kernel is asked
constexpr std::chrono::seconds receiving_within{1};

unsigned buffers_for(const Wall& wall) {
  return static_cast<unsigned>(client_bands_per_flow(wall.streaming, wall.frame_rate));
}

// At most: its pixels are cut where rows end, where slots do, and where the kernel has cut it.
std::size_t pieces_of(const MediaPacket& packet, std::size_t scattered) {
  constexpr std::size_t pixels_of_slot_least = 256;
  return packet.rows.size() + packet.pixels.size() / pixels_of_slot_least + scattered + 2;
}

BandGeometry geometry_of(const Wall& wall, const Band& band) {
  return {band.flow, wall.tile(band.tile).place.width, band.first_row, band.rows};
}

}  // namespace

Result<std::unique_ptr<FlowReceiver>> FlowReceiver::start(const Wall& wall, const Band& band, int cpu,
                                                          BellBoard* presenter, ClockKeeper* clock,
                                                          ArrivalRecorder* recorder) {
  auto ports = open_receiver_ports(wall, band);
  if (!ports) return ports.error();
  ports->presenter = presenter;
  auto receiver = make(wall, band, cpu, std::move(*ports), clock, recorder);
  if (!receiver) return receiver;
  auto& flow = **receiver;
  auto runner = Runner::start({"recv-" + std::to_string(band.flow), cpu, wall.streaming.realtime_priority}, {&flow});
  if (!runner) return runner.error();
  flow.runner_ = std::move(*runner);
  return receiver;
}

Result<std::unique_ptr<FlowReceiver>> FlowReceiver::make(const Wall& wall, const Band& band, int cpu,
                                                         ReceiverPorts ports, ClockKeeper* clock,
                                                         ArrivalRecorder* recorder) {
  const auto key = load_media_key(wall.streaming.srtp_key_file);
  if (!key) return key.error();
  auto memory = std::move(ports.memory);
  std::unique_ptr<FlowReceiver> receiver(new FlowReceiver(wall, band, std::move(ports), *key, clock, recorder));
  if (const auto allocated = receiver->allocate(wall, std::move(memory), cpu); !allocated) return allocated.error();
  return receiver;
}

FlowReceiver::FlowReceiver(const Wall& wall, const Band& band, ReceiverPorts&& ports,
                           const std::optional<MediaKey>& key, ClockKeeper* clock, ArrivalRecorder* recorder)
    : geometry_(geometry_of(wall, band)),
      cut_(packet_cut(wall, band.tile)),
      port_(std::move(ports.media)),
      host_(std::move(ports.clock)),
      may_wait_(ports.waits),
      waits_(ports.waits ? Waits::always : Waits::never),
      nap_(wall, ports.receive_buffer_bytes, band_rate_max(wall, band)),
      receive_buffer_bytes_(ports.receive_buffer_bytes),
      dscp_(wall.streaming.dscp),
      receiver_(*port_, wall.streaming.busy_poll, ports.counts_drops, std::move(ports.card), Forecast::batch_max),
      forecast_(geometry_.width, {band.first_row, band.rows}, cut_, burst_packets(wall, band)),
      copies_(DatagramReceiver::run_bytes_max * Forecast::batch_max),
      source_(sending_hosts(wall, band.tile), paths_to(wall, band.tile)),
      signalling_(wall, band.tile, std::move(ports.control), ports.ssrc, key, clock, source_, ports.holdings),
      ledger_(band.flow, wall.streaming.measure, recorder, ports.keeps_out),
      varying_(geometry_.width, geometry_.rows, cut_,
               [this](std::int64_t last) {
                 signalling_.miss_before(last + 1, ledger_.sequences(), missed_of_, receiver_.returned_at().wall);
               }),
      numbers_parity_(wall.servers.size() > 1),
      counted_(ledger_.counts()),
      recorder_(recorder),
      finished_(buffers_for(wall)),
      returned_(buffers_for(wall)) {
  if (key) {
    opener_.emplace(*key);
    counted_.unauthentic = 0;
  }
  if (const auto second = second_route(wall, band)) {
    counted_.second_path = 0;
    second_source_ = Address::parse(second->from, 0).value();
  }
  if (wall.streaming.fec != FecUse::never)
    parity_.emplace(wall.streaming.fec_strength, geometry_.width, RowRange{band.first_row, band.rows}, cut_,
                    client_bands_open(wall.streaming, wall.frame_rate),
                    [this](std::int64_t sequence) { take_rebuilt(sequence); });
  if (receiver_.counts_drops()) {
    counted_.kernel_drops = counted_.kernel_drops_settled = 0;
    counted_.parity_drops = counted_.resend_drops = 0;
  }
  if (ports.presenter != nullptr) presenter_.hang(*ports.presenter, band.flow);
  descriptors_ = signalling_.descriptors();
  descriptors_.insert(descriptors_.begin(), port_->descriptor());
  published_.publish(counted_);
}

std::size_t FlowReceiver::memory_bytes(const Wall& wall, const Band& band) {
  const auto width = wall.tile(band.tile).place.width;
  return band_memory_bytes(width, band.rows, packet_cut(wall, band.tile)) * buffers_for(wall);
}

Result<void> FlowReceiver::allocate(const Wall& wall, Pages memory, int cpu) {
  const auto buffers = buffers_for(wall);
  const auto bytes = band_memory_bytes(geometry_.width, geometry_.rows, cut_) * buffers;
  assert(memory.data() == nullptr || memory.bytes() >= bytes);
  memory_ = std::move(memory);
  if (memory_.data() == nullptr) {
    auto pages = Pages::allocate(bytes, cpu);
    if (!pages) return pages.error();
    memory_ = std::move(*pages);
  }
  assembler_ = std::make_unique<BandAssembler>(geometry_, cut_, memory_.data(), buffers,
                                               client_bands_open(wall.streaming, wall.frame_rate));
  return {};
}

void FlowReceiver::give_back(unsigned buffer) {
  // Never full: it has room for all buffers.
  [[maybe_unused]] const bool pushed = returned_.try_push(buffer);
}

void FlowReceiver::begin(Nanoseconds shortest_sleep) {
  nap_.set_shortest(shortest_sleep);
  counted_.cpu = current_cpu_pin();
  changed_ = true;
}

void FlowReceiver::end() { signalling_.say_goodbye(port_->now().wall, ledger_); }

Wait FlowReceiver::step(const Moment& called) {
  // Before memory is given to the next packets, which may include some of these buffers.
  unsigned buffer = 0;
  while (returned_.try_pop(buffer)) assembler_->give_back(buffer);
  const auto runs = receive();
  take_batch(runs);
  const auto now = port_->now();
  signalling_.keep_clock(now.local);
  if (const auto steps = host_->wall_clock_steps(); steps != std::exchange(clock_steps_, steps)) ledger_.forget_times();
  // A socket returns packets in order of arrival: after a stall of this thread, a band must not be dropped while the
  // packets it misses are behind those just taken.
  hand_out(runs.empty() ? now.wall : runs.back().arrival, now.wall);
  const bool watched = waits_ != Waits::always;
  if (signalling_.step(now, ledger_, watched, watched && !comes_ && may_read())) presenter_.ring();
  changed_ = changed_ || !runs.empty();
  publish(now.local);
  if (naps_ > Nanoseconds{0}) return {std::min(next_wait(now).until, now.local + naps_), {}, false};
  return waits_here() ? Wait{called.local, {}, false} : next_wait(now);
}

std::span<const ReceivedRun> FlowReceiver::receive() {
  const auto current = forecast_.timestamp();
  const auto targets =
      forecast_.aim(assembler_->memory_of(current), assembler_->coverage_of(current), assembler_->next_memory());
  const auto runs = receiver_.receive(targets, waits_here() && blocks_);
  comes_ = !runs.empty();
  naps_ = Nanoseconds{0};
  if (waits_ == Waits::never) return runs;
  for (const auto& run : runs) nap_.took(run.bytes);
  const bool emptied = runs.size() < targets.size();
  if (emptied) naps_ = nap_.next();
  comes_ = comes_ || naps_ > Nanoseconds{0};
  blocks_ = emptied && naps_ == Nanoseconds{0};
  return runs;
}

// Waits for packets, and for what is due without any.
Wait FlowReceiver::next_wait(const Moment& now) {
  const auto listening = signalling_.listen(now);
  auto until = listening.until;
  const auto deadline = assembler_->next_deadline([&](WallTime time) { return signalling_.deadline_of(time); });
  if (deadline != WallTime::max()) until = std::min(until, local_of(deadline, now) + Nanoseconds{1});
  if (changed_) until = std::min(until, next_publish_);
  if (counted_.receiving) until = std::min(until, std::max(next_publish_, source_.last_heard() + receiving_within));
  return {until, listening.hears ? std::span<const int>(descriptors_) : std::span(descriptors_).first(1)};
}

// Most messages arrive as forecast and are only counted. The others take the general path. Their pixels stay where the
// kernel has put them until all messages have been looked at, because their places may be where others lie.
void FlowReceiver::take_batch(std::span<const ReceivedRun> runs) {
  batch_time_ = receiver_.returned_at().local;
  runs_ = runs;
  for (message_ = 0; message_ < runs.size(); ++message_) {
    const auto& run = runs[message_];
    const std::size_t datagrams = run.datagrams();
    ledger_.begin_message(run.dropped_before, batch_time_);
    counted_.packets += datagrams;
    counted_.bytes += run.bytes;
    if (second_source_ && run.source.same_host(*second_source_)) *counted_.second_path += datagrams;
    copies_.begin_packet({});
    std::size_t index = take_as_forecast(message_, run);
    forecast_.learn_run(message_, datagrams);
    for (; index < datagrams; ++index) {
      const auto datagram = forecast_.datagram(message_, index, run);
      copies_.begin_packet(forecast_.scattered());
      take_packet(datagram, run);
    }
    if (run.traffic_class && source_.comes_from(run.source))
      count_traffic_class(counted_, *run.traffic_class, datagrams, dscp_);
    ledger_.end_message(batch_time_);
  }
  copies_.make();
  if (parity_) parity_->rebuild(*assembler_);
}

// In the middle of a batch: for what cannot wait for its end. What the kernel has put into bands is saved first.
void FlowReceiver::put_in_place() {
  if (!forecast_.is_aimed()) return;
  forecast_.rescue(message_, runs_);
  copies_.make();
}

// How many datagrams of the message, from its first on, were in their place.
std::size_t FlowReceiver::take_as_forecast(unsigned message, const ReceivedRun& run) {
  std::size_t index = 0;
  while (index < run.datagrams()) {
    const std::size_t before = index;
    if (take_first_packet(message, index, run)) ++index;
    index += take_stretch(message, index, run);
    if (index == before) break;
  }
  return index;
}

bool FlowReceiver::take_first_packet(unsigned message, std::size_t index, const ReceivedRun& run) {
  MediaPacket packet;
  if (!forecast_.begins_frame(message, index, run.bytes_of(index), packet)) return false;
  if (take_media(packet, run)) forecast_.begin(message, index, packet);
  record_packet(packet, run.bytes_of(index), run);
  return true;
}

std::size_t FlowReceiver::take_stretch(unsigned message, std::size_t index, const ReceivedRun& run) {
  if (index >= run.datagrams()) return 0;
  const auto* band = forecast_.band_of(message, index);
  if (band == nullptr || band != assembler_->memory_of(forecast_.timestamp()) || source_.ssrc() != forecast_.ssrc())
    return 0;
  const auto stretch = forecast_.continues_frame(message, index, run);
  // A forecast covers only packets with the headers of its stream.
  if (stretch.datagrams == 0 || !is_ours(forecast_.ssrc(), run)) return 0;
  // Some of it may have arrived another way since the kernel got its target: then each packet is examined.
  if (assembler_->has_any(forecast_.timestamp(), stretch.first_byte, stretch.last_byte)) return 0;
  const auto sequence = source_.unroll_run(stretch.first_sequence, stretch.datagrams);
  signalling_.miss_before(sequence, ledger_.sequences(), run.arrival);
  // Reordered: they were missing, and may have been requested.
  const auto end = sequence + static_cast<std::int64_t>(stretch.datagrams);
  for (auto missed = sequence; missed < end && missed <= ledger_.sequences().highest(); ++missed)
    signalling_.found(missed, false, run.arrival);
  ledger_.sequences().take_run(sequence, static_cast<std::int64_t>(stretch.datagrams));
  assembler_->take_in_place(forecast_.timestamp(), stretch.first_byte, stretch.last_byte);
  if (parity_) parity_->note(forecast_.timestamp(), sequence, end);
  counted_.used += stretch.datagrams;
  counted_.in_place += stretch.datagrams;
  record_stretch(stretch, index, run);
  return stretch.datagrams;
}

void FlowReceiver::record_stretch(const Forecast::Stretch& stretch, std::size_t index, const ReceivedRun& run) {
  if (recorder_ == nullptr || !recorder_->takes_packets()) return;
  PacketRecord packet{run.arrival.time_since_epoch().count(), stretch.first_sequence, forecast_.timestamp(),
                      geometry_.flow};
  for (std::size_t i = 0; i < stretch.datagrams; ++i, ++packet.sequence) {
    packet.bytes = static_cast<std::uint16_t>(run.bytes_of(index + i));
    recorder_->add(packet);
  }
}

// Encrypted packets take the general path: their place is known only after decryption, so nothing is forecast.
void FlowReceiver::take_packet(std::span<std::byte> datagram, const ReceivedRun& run) {
  const auto bytes = datagram.size();
  if (opener_ && !open(datagram, run)) return;
  if (parity_ && is_parity(datagram)) return take_parity(datagram, run);
  MediaPacket packet;
  if (!parse_media_packet(datagram, packet).empty()) return refuse(run);
  if (packet.resent) return take_resent(packet, run);
  if (take_media(packet, run) && !opener_) {
    if (forecast_.is_new_format(packet)) put_in_place();
    forecast_.follow(datagram, packet);
  }
  record_packet(packet, bytes, run);
}

// False if there is nothing more to do with the packet.
bool FlowReceiver::open(std::span<std::byte>& datagram, const ReceivedRun& run) {
  switch (opener_->open(datagram, batch_time_)) {
    case PacketOpener::Fate::done:
      return true;
    case PacketOpener::Fate::repeated:
      ++counted_.duplicates;
      return false;
    case PacketOpener::Fate::too_old:
      ++counted_.late;
      return false;
    case PacketOpener::Fate::refused:
      refuse_unauthentic(run);
      return false;
  }
  return false;
}

void FlowReceiver::refuse_unauthentic(const ReceivedRun& run) {
  refuse(run);
  // Logged once, because it may be a flood.
  if ((*counted_.unauthentic)++ == 0)
    spdlog::warn(
        "flow {}: packets from {} are not encrypted with this wall's key; if it is the server that sends them: is "
        "[streaming] srtp_key_file the same there and here?",
        geometry_.flow, run.source.text());
}

// A packet that cannot be used. Packets that the flow's sender did not send are also counted as such.
void FlowReceiver::refuse(const ReceivedRun& run, std::optional<std::uint32_t> ssrc) {
  ++counted_.invalid;
  if (!source_.comes_from(run.source) || (ssrc && ssrc != source_.ssrc())) ++counted_.strangers;
}

void FlowReceiver::record_packet(const MediaPacket& packet, std::size_t bytes, const ReceivedRun& run) {
  if (recorder_ == nullptr || !recorder_->takes_packets() || packet.ssrc != source_.ssrc()) return;
  recorder_->add(PacketRecord{
      run.arrival.time_since_epoch().count(), std::uint32_t{packet.sequence_upper} << 16U | packet.sequence,
      packet.timestamp, geometry_.flow, static_cast<std::uint16_t>(bytes), static_cast<std::uint16_t>(packet.marker)});
}

bool FlowReceiver::is_ours(std::uint32_t ssrc, const ReceivedRun& run) {
  switch (source_.judge(run.source, ssrc, batch_time_)) {
    case StreamSource::Verdict::refused:
      return false;
    case StreamSource::Verdict::changed:
      restart(ssrc);
      return true;
    case StreamSource::Verdict::ours:
      return true;
  }
  return false;
}

void FlowReceiver::restart(std::uint32_t ssrc) {
  ledger_.restart(ssrc);
  varying_.forget();
  signalling_.restart(ledger_.sequences());
  if (parity_) parity_->restart();
  assembler_->reset();
  newest_generation_.reset();
  told_far_ahead_ = false;
}

// Counts and places a packet. True if it belonged to the flow's stream, was new, and came in time.
bool FlowReceiver::take_media(const MediaPacket& packet, const ReceivedRun& run) {
  if ((lacks_stamp(packet) && !begins_without_stamps(packet)) || !is_ours(packet.ssrc, run)) {
    refuse(run, packet.ssrc);
    return false;
  }
  if (packet.stamp && !newest_generation_.takes(*packet.stamp, run.arrival)) {
    ++counted_.late;
    return false;
  }
  const auto number = source_.unroll_sequence(packet);
  if (!number) {
    refuse(run, packet.ssrc);
    return false;
  }
  const auto sequence = *number;
  ledger_.note_stamp(packet);
  auto& sequences = ledger_.sequences();
  if (packet.stamp) missed_of_ = signalling_.first_missed(*packet.stamp);
  varying_.come(packet, sequence, sequences);
  if (signalling_.requests() && packet.stamp && (sequences.empty() || sequence > sequences.highest())) {
    signalling_.miss_before(sequence, sequences, signalling_.first_missed(*packet.stamp), run.arrival);
    signalling_.reach(*packet.stamp);
  }
  switch (sequences.take(sequence)) {
    case SequenceTracker::Verdict::duplicate:
      ++counted_.duplicates;
      return false;
    case SequenceTracker::Verdict::repaired:
      ++counted_.late;
      // When it arrived is what jitter and delay are about, though its pixels came before.
      if (packet.begins_frame()) ledger_.begin_frame(packet, run.arrival);
      return false;
    case SequenceTracker::Verdict::too_old:
      ++counted_.late;
      return false;
    case SequenceTracker::Verdict::in_order:
      break;
    case SequenceTracker::Verdict::reordered:
      signalling_.found(sequence, false, run.arrival);
      break;
  }
  const auto fate = place(packet, run.arrival);
  if (fate != PacketFate::invalid && packet.begins_frame()) ledger_.begin_frame(packet, run.arrival);
  if (parity_ && packet.stamp) parity_->note(packet.timestamp, sequence, sequence + 1);
  return fate == PacketFate::used;
}

PacketFate FlowReceiver::place(const MediaPacket& packet, WallTime arrival) {
  if (packet.media_time && is_far_ahead(*packet.media_time, receiver_.returned_at().wall)) {
    ++counted_.invalid;
    return PacketFate::invalid;
  }
  if (copies_.room() < pieces_of(packet, forecast_.scattered().size())) put_in_place();
  const auto put = [&] { return assembler_->place(packet, arrival, forecast_.is_aimed() ? &copies_ : nullptr); };
  auto fate = put();
  if (assembler_->must_make_room()) {
    put_in_place();
    hand_out(WallTime{}, receiver_.returned_at().wall);
    fate = put();
  }
  counted_.used += fate == PacketFate::used;
  counted_.late += fate == PacketFate::late;
  counted_.invalid += fate == PacketFate::invalid;
  if (fate == PacketFate::late && packet.media_time) ledger_.complete(*packet.media_time, arrival);
  return fate;
}

// The check of a header comes with the stamp. A packet without stamp, in a stream whose other packets have them, was
// changed on the way, and nothing proves its header.
bool FlowReceiver::lacks_stamp(const MediaPacket& packet) const { return ledger_.has_stamps() && !packet.stamp; }

// Another sender's, after one whose packets had stamps.
bool FlowReceiver::begins_without_stamps(const MediaPacket& packet) {
  return packet.ssrc != source_.ssrc() && source_.follows_unproven(packet);
}

// A packet resent by the sender: used only if it is missing. It does not undo the loss on the network.
void FlowReceiver::take_resent(MediaPacket packet, const ReceivedRun& run) {
  if (lacks_stamp(packet)) return refuse(run);
  const auto sequence =
      signalling_.requests()
          ? source_.sequence_of(std::uint32_t{packet.sequence_upper} << 16U | packet.sequence, run.source)
          : std::nullopt;
  if (!sequence) return refuse(run);
  if (ledger_.resends().take(packet.ssrc, packet.resend_sequence) == SequenceTracker::Verdict::duplicate) {
    ++counted_.duplicates;
    return;
  }
  ++counted_.resent;
  if (packet.stamp && !newest_generation_.takes(*packet.stamp, run.arrival)) {
    ++counted_.late;
    return;
  }
  if (!signalling_.found(*sequence, true, run.arrival)) {
    // It arrived before, or its band was dropped.
    const bool late = ledger_.sequences().is_missing(*sequence);
    ++(late ? counted_.late : counted_.duplicates);
    if (late && packet.media_time) ledger_.complete(*packet.media_time, run.arrival);
    return;
  }
  packet.ssrc = *source_.ssrc();
  if (place(packet, run.arrival) != PacketFate::used) return;
  ledger_.sequences().repair(*sequence);
  ++counted_.repaired;
  if (parity_) parity_->note(packet.timestamp, *sequence, *sequence + 1);
}

// A packet of forward error correction. It also shows how far the sender is, so that a missing end of a frame is
// noticed before the next frame begins.
void FlowReceiver::take_parity(std::span<const std::byte> datagram, const ReceivedRun& run) {
  ParityPacket packet;
  if (!parse_parity_packet(datagram, packet).empty()) return refuse(run);
  if (!source_.judge_beside(run.source, packet.media_ssrc, batch_time_)) return refuse(run, packet.media_ssrc);
  const auto first = source_.sequence_of(packet.first_sequence, run.source);
  if (!first || packet.packets > SequenceTracker::window) return refuse(run, packet.media_ssrc);
  const auto last = *first + static_cast<std::int64_t>(packet.packets) - 1;
  missed_of_ = packet.media_time;
  varying_.come(packet, *first, ledger_.sequences());
  signalling_.miss_before(last + 1, ledger_.sequences(), packet.media_time, run.arrival);
  ledger_.sequences().know_sent(last);
  if (count_parity(packet) == SequenceTracker::Verdict::duplicate) {
    ++counted_.duplicates;
    return;
  }
  const auto fate = parity_->take(packet, *first, *assembler_);
  ++(fate == ParityDecoder::Fate::invalid ? counted_.invalid : counted_.parity);
}

// One server numbers the parity packets that it sends. Of several, each gives a frame the numbers of the longest one.
SequenceTracker::Verdict FlowReceiver::count_parity(const ParityPacket& packet) {
  const auto numbers = numbers_parity_ ? parity_->numbers_of(packet) : std::nullopt;
  if (!numbers) return ledger_.parity().take(packet.ssrc, packet.sequence);
  return ledger_.parity().take(packet.ssrc, packet.sequence, numbers->index, numbers->packets, numbers->numbers);
}

void FlowReceiver::take_rebuilt(std::int64_t sequence) {
  counted_.rebuilt += ledger_.sequences().is_missing(sequence);
  ledger_.sequences().repair(sequence);
  signalling_.forget(sequence);
}

// Hands out complete bands, and incomplete ones that are overdue although everything up to `received_up_to` has been
// taken. After the clock was set back, also those whose deadline would be much later.
void FlowReceiver::hand_out(WallTime received_up_to, WallTime now) {
  const auto deadline_passed = [&](WallTime media_time) {
    return received_up_to > signalling_.deadline_of(media_time) || signalling_.is_far_ahead(media_time, now);
  };
  while (auto band = assembler_->take_finished(deadline_passed)) {
    const unsigned buffer = band->buffer;
    band->finished = now;
    if (band->whole) signalling_.complete(band->media_time);
    const bool holds = band->whole && band->has_stamp;
    if (holds && received_up_to != WallTime{}) ledger_.complete(band->media_time, received_up_to);
    const auto tick = band->tick;
    const bool room = finished_.try_push(*band);
    ledger_.finish(*band, room);
    if (!room)
      assembler_->give_back(buffer);
    else if (holds)
      signalling_.hold(tick);
    if (room) presenter_.ring();
  }
}

bool FlowReceiver::is_far_ahead(WallTime media_time, WallTime now) {
  if (!signalling_.is_far_ahead(media_time, now)) return false;
  if (!told_far_ahead_)
    spdlog::warn(
        "flow {}: a frame is stamped {} s ahead of this host's clock; is the clock of server and node kept by PTP, "
        "chrony "
        "or [clock] source = \"wall\"?",
        geometry_.flow, std::chrono::duration_cast<std::chrono::seconds>(media_time - now).count());
  told_far_ahead_ = true;
  return true;
}

void FlowReceiver::publish(LocalTime now) {
  if (now < next_publish_) return;
  next_publish_ = now + publish_interval;
  auto& figures = ledger_.figures(now);
  if (now >= next_refused_) {
    next_refused_ = now + refused_interval;
    figures.rtcp_refused = signalling_.refused();
  }
  figures.calls = receiver_.calls();
  figures.card_stamped = receiver_.card_stamped();
  figures.card_error = receiver_.card_error();
  if (const auto used = charged_cpu_s()) figures.cpu_s = *used;
  figures.bands_whole = assembler_->bands_whole();
  figures.bands_incomplete = assembler_->bands_incomplete();
  figures.bands_dropped = assembler_->bands_dropped();
  figures.receiving = source_.ssrc() && now - source_.last_heard() < receiving_within;
  published_.publish(figures);
  changed_ = false;
}

}  // namespace lw
