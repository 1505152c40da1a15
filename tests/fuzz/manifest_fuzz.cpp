// Any text is a manifest whose frames all have a place, or an error that names the file in one line; and a stripe's
// mark that is read again as it is written, or an error.
#include "common/store/manifest.h"
#include "common/store/stripe_layout.h"
#include "common/store/stripe_mark.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto mark = lw::parse_stripe_mark({reinterpret_cast<const char*>(data), size});
  if (mark && !lw::parse_stripe_mark(lw::to_json_text(*mark))) std::abort();
  const auto manifest = lw::parse_manifest({reinterpret_cast<const char*>(data), size}, "v");
  if (!manifest) {
    if (!manifest.error().what.starts_with("v")) std::abort();
    return 0;
  }
  const lw::StripeLayout layout(*manifest);
  const auto where = layout.locate(manifest->frame_count - 1, {});
  if (where.stripe >= manifest->stripes.size() || where.record >= layout.records_in(where.stripe, {})) std::abort();
  if (layout.record_bytes({}) % lw::store_alignment != 0) std::abort();
  for (const auto tile : manifest->tiles)
    if (tile.value >= manifest->geometry.tile_count() || !manifest->holds(tile)) std::abort();
  const auto again = lw::parse_manifest(lw::to_json_text(*manifest), "v");
  if (!again || again->frame_count != manifest->frame_count || !(again->geometry == manifest->geometry) ||
      again->tiles != manifest->tiles)
    std::abort();
  return 0;
}
