// Where the kernel is to put the next packets of a flow. A flow of our own sender is cut into packets the same way for
// every frame, so the receiver knows what comes next, and lets recvmmsg scatter it: headers into slots, pixels straight
// to their place in the band. What comes otherwise (loss, reordering, other people's senders) is gathered again and
// goes the general way (BandAssembler::place), which copies.
//
//   aim() -> receive -> for each datagram: frame begins / goes on as forecast?  -> else rescue() the rest of the batch
//
// A forecast may be wrong, and the kernel has written before anybody looks. So it is never aimed at pixels that have
// come (sent again, rebuilt, or out of order): those count as complete, and nothing would correct them.
//
// One thread (the flow's). Allocates when the pixel format of the flow changes, else never.
#pragma once

#include "common/net/datagram_receiver.h"
#include "common/pixel/pixel_format.h"
#include "common/wire/media_packet.h"
#include "wall-client/assemble/coverage.h"

#include <sys/uio.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lw {

class Forecast {
public:
  Forecast(unsigned width, unsigned rows, std::size_t udp_payload_bytes, unsigned burst_packets);

  // The pieces for the next batch. `current`: pixels of the band that is coming, and `coverage`: what has come of it
  // (nullptr: it is over); `next`: of the one that will be opened after it (nullptr: there is none). Valid until the
  // next call of aim or follow.
  std::span<const std::span<iovec>> aim(std::byte* current, const Coverage* coverage, std::byte* next);

  // Whether datagram `index` of message `message` is the first packet of a frame, and lies where it was aimed: fills in
  // `packet`. Once that is found to be of the flow's stream, begin() goes on from it.
  bool begins_frame(unsigned message, std::size_t index, std::size_t bytes, MediaPacket& packet) const;
  void begin(unsigned message, std::size_t index, const MediaPacket& packet);
  // How many datagrams of the message from `index` on continue the frame as forecast, and lie where they were aimed:
  // pixels [first_byte, last_byte) of the band, numbered from first_sequence. 0 where the forecast failed.
  struct Stretch {
    std::size_t datagrams = 0;
    std::uint32_t first_sequence = 0;
    std::size_t first_byte = 0;
    std::size_t last_byte = 0;
  };
  Stretch continues_frame(unsigned message, std::size_t index, const ReceivedRun& run);
  // Pixels of the band that the datagram was aimed at; nullptr where it was not aimed at any.
  [[nodiscard]] const std::byte* band_of(unsigned message, std::size_t index) const;
  // Of the frame that is coming.
  [[nodiscard]] std::uint32_t ssrc() const { return frame_header().ssrc.value(); }
  [[nodiscard]] std::uint32_t timestamp() const { return frame_header().timestamp.value(); }

  // Gathers the messages from `first` on, of this batch, into memory of their own, before the general way overwrites
  // what was aimed wrongly. After it, datagram() gives their datagrams in one piece.
  void rescue(unsigned first, std::span<const ReceivedRun> runs);
  [[nodiscard]] std::span<std::byte> datagram(unsigned message, std::size_t index, const ReceivedRun& run);

  // A packet of the flow's stream that went the general way: forecasts from it if our own sender made it, else no more.
  void follow(std::span<const std::byte> datagram, const MediaPacket& packet);
  // How many datagrams a message brought: the next are aimed as long.
  void learn_run(unsigned message, std::size_t datagrams);

private:
  // A packet to come: of the frame that is coming (0) or the one after it (1).
  struct Place {
    unsigned frame = 0;
    std::size_t packet = 0;
  };
  struct Message {
    bool aimed = false;
    Place start;
    std::size_t packets = 0;  // that are aimed
    std::vector<iovec> pieces;
  };

  bool lay_out(PixelFormat format);
  void aim_message(unsigned message, Place start, std::size_t packets_max, const Coverage* coverage);
  void aim_plain(unsigned message);
  [[nodiscard]] Place advanced(Place place, std::size_t packets) const;
  [[nodiscard]] bool has_come(Place place, const Coverage& coverage) const;
  [[nodiscard]] std::size_t expected_run(Place start) const;
  [[nodiscard]] const wire::RtpHeader& frame_header() const;
  [[nodiscard]] std::byte* slot(unsigned message, std::size_t index) const;
  std::optional<std::size_t> number_of(std::span<const std::byte> datagram, const MediaPacket& packet);
  void start_frame(const std::byte* header, std::uint32_t first_sequence, std::size_t next_packet);

  const unsigned width_;
  const unsigned rows_;
  const std::size_t udp_payload_bytes_;
  const unsigned burst_packets_;

  std::optional<PixelFormat> format_;  // that templates_ and slots_ are for
  PacketTemplates templates_;
  std::vector<std::byte> slots_;  // headers, each with room for the padding of the packet before it
  std::size_t slot_bytes_ = 0;
  std::size_t slots_per_message_ = 0;

  bool known_ = false;                // where in the stream we are
  std::size_t next_packet_ = 0;       // of the frame that is coming; all of them: the next frame begins
  std::uint32_t first_sequence_ = 0;  // of that frame
  std::array<std::byte, wire::fixed_bytes> first_header_{};  // of that frame

  std::size_t run_packets_ = 0;  // that a message brought, lately
  unsigned steady_ = 0;          // messages in a row that were as long as expected
  unsigned batch_ = 0;           // messages of the batch before: aiming costs, and most calls bring few

  std::vector<std::byte> staging_;   // a run for each message, gathered
  std::vector<std::byte> overflow_;  // what came beyond what was aimed
  std::array<Message, DatagramReceiver::batch_max> messages_;
  std::array<std::span<iovec>, DatagramReceiver::batch_max> targets_;
  std::array<std::byte*, 2> bands_{};  // of the aim before
};

}  // namespace lw
