#include "wall-client/decode/tile_decoder.h"

#include <algorithm>
#include <cassert>

namespace lw {

Result<std::unique_ptr<TileDecoder>> TileDecoder::make(unsigned width, const std::vector<Flow>& flows,
                                                       std::size_t buffers, DecodeWorkers& workers, BellBoard& done) {
  std::size_t bytes = 0;
  for (const auto& flow : flows) bytes += frame_bytes(PixelFormat::rgb8, width, flow.rows) * buffers;
  auto memory = Pages::allocate(bytes);
  if (!memory) return memory.error();
  std::unique_ptr<TileDecoder> decoder(new TileDecoder(workers, std::move(*memory)));
  auto* at = decoder->memory_.data();
  for (const auto& flow : flows) {
    auto& lane = *decoder->lanes_.emplace_back(std::make_unique<Lane>());
    lane.flow = flow.flow;
    for (unsigned buffer = 0; buffer < buffers; ++buffer, at += frame_bytes(PixelFormat::rgb8, width, flow.rows)) {
      lane.jobs.push_back(std::make_unique<BandJob>());
      lane.jobs.back()->reserve(width, flow.rows, at);
      lane.free.push_back(buffer);
    }
    lane.done.hang(done, flow.flow);
  }
  decoder->under_way_.reserve(buffers * flows.size());
  return decoder;
}

bool TileDecoder::add(const ReceivedBand& band) {
  const auto lane = std::ranges::find(lanes_, band.flow, [](const auto& one) { return one->flow; });
  assert(lane != lanes_.end());
  auto& free = (*lane)->free;
  if (free.empty()) return false;
  const auto buffer = free.back();
  free.pop_back();
  under_way_.push_back({lane->get(), buffer});
  workers_.decode({(*lane)->jobs[buffer].get(), &(*lane)->done}, band);
  return true;
}

std::optional<TileDecoder::Decoded> TileDecoder::take() {
  const auto done =
      std::ranges::find_if(under_way_, [](const UnderWay& one) { return one.lane->jobs[one.buffer]->is_done(); });
  if (done == under_way_.end()) return std::nullopt;
  auto& job = *done->lane->jobs[done->buffer];
  Decoded decoded{job.source(), job.result()};
  decoded.rgb.buffer = done->buffer;
  decoded.rgb.decoded = true;
  under_way_.erase(done);
  return decoded;
}

void TileDecoder::give_back(unsigned flow, unsigned buffer) {
  const auto lane = std::ranges::find(lanes_, flow, [](const auto& one) { return one->flow; });
  assert(lane != lanes_.end());
  (*lane)->free.push_back(buffer);
}

}  // namespace lw
