// The bands of a tile that are being decoded, and the memory of those that have been: rows of rgb8, as other flows
// deliver them. The presenter's thread; allocates only when it is made, with the first band of such a format.
#pragma once

#include "common/base/result.h"
#include "common/concurrency/doorbell.h"
#include "common/memory/pages.h"
#include "wall-client/assemble/assembled_frame.h"
#include "wall-client/decode/decode_workers.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace lw {

class TileDecoder {
public:
  struct Flow {
    unsigned flow = 0;
    unsigned rows = 0;  // of its band
  };
  // `buffers`: of each flow. When a band is done, its flow is noted on `done`. `workers` and `done` must outlive this
  // object.
  static Result<std::unique_ptr<TileDecoder>> make(unsigned width, const std::vector<Flow>& flows, std::size_t buffers,
                                                   DecodeWorkers& workers, BellBoard& done);

  // False if the flow has no buffer left: the band then still belongs to the caller.
  bool add(const ReceivedBand& band);
  // The next band that is done, in order of adding: `source` as it was added, which the caller gives back, and `rgb`,
  // which it gives back here.
  struct Decoded {
    ReceivedBand source;
    ReceivedBand rgb;
  };
  std::optional<Decoded> take();
  void give_back(unsigned flow, unsigned buffer);
  [[nodiscard]] std::size_t memory_bytes() const { return memory_.bytes(); }

private:
  struct Lane {  // of a flow
    unsigned flow = 0;
    std::vector<std::unique_ptr<BandJob>> jobs;  // each with a buffer
    std::vector<unsigned> free;
    Doorbell done;
  };
  struct UnderWay {
    Lane* lane = nullptr;
    unsigned buffer = 0;
  };
  TileDecoder(DecodeWorkers& workers, Pages memory) : workers_(workers), memory_(std::move(memory)) {}

  DecodeWorkers& workers_;
  Pages memory_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<UnderWay> under_way_;  // in order of adding
};

}  // namespace lw
