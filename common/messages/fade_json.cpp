#include "common/messages/fade_json.h"

#include <algorithm>

namespace lw {
namespace {

constexpr std::chrono::seconds length_max{60};
constexpr std::int64_t us_max = INT64_MAX / 1000;  // that nanoseconds can hold

std::int64_t us_of(WallTime time) {
  return std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count();
}

WallTime time_of(std::int64_t us) { return WallTime{std::chrono::microseconds{us}}; }

std::optional<Fade> fade_of(const Json& json) {
  Params params(json);
  const auto time = [&](const char* name) { return time_of(params.integer(name, 0, us_max)); };
  const Fade fade{time("start_us"), time("black_us"), time("bright_us"), time("end_us")};
  const bool in_order = fade.start <= std::min(fade.black, fade.bright) && fade.bright <= fade.end;
  if (params.problem() || !in_order || fade.end - fade.start > length_max) return std::nullopt;
  return fade;
}

}  // namespace

Json to_json(const Fades& fades) {
  Json list = Json::array();
  for (const auto& fade : fades.newest)
    if (fade != Fade{})
      list.push_back({{"start_us", us_of(fade.start)},
                      {"black_us", us_of(fade.black)},
                      {"bright_us", us_of(fade.bright)},
                      {"end_us", us_of(fade.end)}});
  return {{"fades", std::move(list)}};
}

std::optional<Fades> fades_of(const Json& json) {
  Params params(json);
  const auto list = params.optional_objects("fades");
  Fades fades;
  if (params.problem() || !list || list->size() > fades.newest.size()) return std::nullopt;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const auto fade = fade_of((*list)[i]);
    if (!fade) return std::nullopt;
    fades.newest[i] = *fade;
  }
  return fades;
}

}  // namespace lw
