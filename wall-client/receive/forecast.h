// Where the kernel should put the next packets of a flow. Our own sender cuts every frame into packets in the same way,
// so the receiver knows what comes next and lets recvmmsg scatter it: headers into their own memory, pixels directly to
// their place in the band. Where the flow's packets have slots, a run of them goes into the band as it is. Anything
// else (loss, reordering, other vendors' senders) is gathered again and takes the general path (BandAssembler::place),
// which copies.
//
//   aim() -> receive -> for each datagram: frame begins / continues as forecast? -> else rescue() the rest of the batch
//
// A forecast may be wrong, and the kernel has written before anybody looks. So it is never aimed at pixels that have
// already arrived (resent, rebuilt, or out of order): they count as complete, and nothing would correct them.
//
// One thread (the flow's). Allocates only when the pixel format of the flow changes.
#pragma once

#include "common/net/datagram_receiver.h"
#include "common/pixel/pixel_format.h"
#include "common/wire/media_packet.h"
#include "wall-client/assemble/coverage.h"
#include "wall-client/assemble/pixel_copies.h"

#include <sys/uio.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lw {

class Forecast {
public:
  // Messages of a call. Those of short runs are many.
  static constexpr unsigned batch_max = 16;

  Forecast(unsigned width, RowRange rows, const PacketCut& cut, unsigned burst_packets);

  // The buffers for the next batch. `current`: memory of the band that is arriving; `coverage`: what has arrived of it
  // (nullptr: it is finished); `next`: memory of the band that will be opened after it (nullptr: none). Valid until the
  // next call of aim or follow.
  std::span<const std::span<iovec>> aim(std::byte* current, const Coverage* coverage, std::byte* next);

  // Whether datagram `index` of message `message` is the first packet of a frame and is where it was aimed: fills in
  // `packet`. If that is found to belong to the flow's stream, call begin() to continue from it.
  bool begins_frame(unsigned message, std::size_t index, std::size_t bytes, MediaPacket& packet) const;
  void begin(unsigned message, std::size_t index, const MediaPacket& packet);
  // How many datagrams of the message from `index` on continue the frame as forecast and are where they were aimed:
  // pixels [first_byte, last_byte) of the band, numbered from first_sequence. 0 if the forecast failed.
  struct Stretch {
    std::size_t datagrams = 0;
    std::uint32_t first_sequence = 0;
    std::size_t first_byte = 0;
    std::size_t last_byte = 0;
  };
  Stretch continues_frame(unsigned message, std::size_t index, const ReceivedRun& run);
  // Memory of the band at which the datagram was aimed; nullptr if it was not aimed at any.
  [[nodiscard]] const std::byte* band_of(unsigned message, std::size_t index) const;
  // Of the frame that is arriving.
  [[nodiscard]] std::uint32_t ssrc() const { return frame_header().ssrc.value(); }
  [[nodiscard]] std::uint32_t timestamp() const { return frame_header().timestamp.value(); }

  // A datagram that takes the general path, as if it lay in one piece. If it was aimed, its header does; its pixels are
  // where scattered() says, until the next call. Datagrams of unknown form are gathered.
  [[nodiscard]] std::span<std::byte> datagram(unsigned message, std::size_t index, const ReceivedRun& run);
  [[nodiscard]] std::span<const ScatteredPiece> scattered() const { return scattered_; }
  // Whether any message of this batch was aimed, and has not been gathered.
  [[nodiscard]] bool is_aimed() const { return is_aimed_; }
  // Gathers the messages of this batch from `first` on, so that the bands' memory may change before all of them have
  // been looked at. Their datagrams then lie where datagram() has said.
  void rescue(unsigned first, std::span<const ReceivedRun> runs);
  // Whether follow() will lay out another format: before that, the batch must be rescued.
  [[nodiscard]] bool is_new_format(const MediaPacket& packet) const;

  // A packet of the flow's stream that took the general path: forecasts from it if our own sender made it, else stops.
  void follow(std::span<const std::byte> datagram, const MediaPacket& packet);
  // How many datagrams a message contained: the next ones are aimed at the same length.
  void learn_run(unsigned message, std::size_t datagrams);

private:
  // An expected packet: of the frame that is arriving (0) or the one after it (1).
  struct Place {
    unsigned frame = 0;
    std::size_t packet = 0;
  };
  struct Message {
    bool aimed = false;
    bool gathered = false;  // again, after it was aimed
    Place start;
    std::size_t packets = 0;  // aimed
    std::vector<iovec> pieces;
  };

  bool lay_out(PixelFormat format);
  void aim_message(unsigned message, Place start, std::size_t packets_max, const Coverage* coverage);
  std::size_t aim_apart(Message& to, unsigned message, std::size_t packets_max, const Coverage* gaps);
  std::size_t aim_together(Message& to, std::size_t packets_max, const Coverage* gaps);
  void aim_plain(unsigned message);
  void find_pieces(unsigned message, std::size_t first, std::size_t bytes, const std::byte* seen);
  void gather(std::byte* datagram, std::size_t first, std::size_t last) const;
  [[nodiscard]] Place advanced(Place place, std::size_t packets) const;
  // Of a frame that has not begun, the length is not known: it may be the longest.
  [[nodiscard]] std::size_t packets_in(unsigned frame) const {
    return frame == 0 ? aimed_packets_ : templates_.packets().size();
  }
  [[nodiscard]] bool has_come(Place place, const Coverage& coverage) const;
  [[nodiscard]] std::size_t expected_run(Place start) const;
  [[nodiscard]] unsigned messages_at_once() const;
  [[nodiscard]] const wire::RtpHeader& frame_header() const;
  [[nodiscard]] std::byte* head(unsigned message, std::size_t index) const;
  [[nodiscard]] const std::byte* header_of(unsigned message, std::size_t index, Place place) const;
  std::optional<std::size_t> number_of(std::span<const std::byte> datagram, const MediaPacket& packet);
  void start_frame(const std::byte* header, const FrameStamp& stamp, std::uint32_t first_sequence,
                   std::size_t next_packet);

  const unsigned width_;
  const RowRange rows_;
  const PacketCut cut_;
  const unsigned burst_packets_;

  std::optional<PixelFormat> format_;  // for which templates_ and heads_ are laid out
  PacketTemplates templates_;
  std::vector<std::byte> heads_;  // headers, each with room for the padding of the previous packet
  std::size_t head_bytes_ = 0;
  std::size_t padding_room_ = 0;  // as much as any packet's padding, in front of a header
  std::size_t heads_per_message_ = 0;

  bool known_ = false;                // whether the position in the stream is known
  std::size_t next_packet_ = 0;       // of the frame that is arriving; if it equals their number, the next frame begins
  std::size_t packets_ = 0;           // of that frame
  std::uint32_t first_sequence_ = 0;  // of that frame
  std::array<std::byte, wire::before_rows_max> first_header_{};  // of that frame

  std::size_t run_packets_ = 0;  // typical length of a message
  unsigned steady_ = 0;          // messages in a row that had the expected length
  unsigned batch_ = 0;           // messages of the previous batch: aiming has a cost, and most calls bring few

  // Room for a run of each message. Not initialized: what no packet needs takes no memory.
  std::unique_ptr<std::byte[]> staging_;   // gathered, or seen as if it were
  std::unique_ptr<std::byte[]> overflow_;  // for bytes beyond what was aimed
  std::array<Message, batch_max> messages_;
  std::array<std::span<iovec>, batch_max> targets_;
  std::array<std::byte*, 2> bands_{};  // of the previous aim
  std::size_t aimed_packets_ = 0;      // of the first of these bands
  bool is_aimed_ = false;
  std::vector<ScatteredPiece> scattered_;  // of the datagram looked at last
  struct {
    unsigned message = 0;
    std::size_t piece = 0, offset = 0;  // of that piece in the message
  } found_;                             // where that datagram began
};

}  // namespace lw
