#include "ingest/pipeline_plan.h"

#include <algorithm>

namespace lw {
namespace {

constexpr unsigned cores_per_splitter = 4;  // splitting costs less than a quarter of decoding and scaling
constexpr unsigned spare = 2;

}  // namespace

PipelinePlan plan_pipeline(const HostShare& share, const FrameSizes& sizes) {
  const auto bytes = sizes.decoded + sizes.fitted + sizes.tiles;
  const auto each = share.room_for(bytes, share.threads + spare);
  PipelinePlan plan;
  plan.decoded = each;
  plan.splitters = std::min(each, (share.threads + cores_per_splitter - 1) / cores_per_splitter);
  plan.fitted = plan.tiles = std::max(1U, each / plan.splitters);
  return plan;
}

}  // namespace lw
