// Sound by a sink of PipeWire. Its library has a thread with real-time priority that asks for samples; the stream's
// times say when they will be heard.
#pragma once

#include "common/base/result.h"
#include "wall-client/sound/device_feed.h"
#include "wall-client/sound/device_lead.h"
#include "wall-client/sound/sound_output.h"

#include <atomic>
#include <memory>
#include <string>

struct pw_stream;
struct pw_thread_loop;

namespace lw {

class PipewireOutput final : public SoundOutput {
public:
  // `sink`: its name, empty for the default. Fails if PipeWire does not run.
  static Result<std::unique_ptr<SoundOutput>> open(const std::string& sink);
  ~PipewireOutput() override;

  void play(const PlayedSound& part) override;
  [[nodiscard]] Nanoseconds lead() const override { return lead_.now(); }
  void put_figures(SoundNodeStats& into) const override { feed_->put_figures(into); }
  [[nodiscard]] std::string text() const override;

  // PipeWire's thread: what its library calls.
  void process();
  void changed(bool failed, const char* problem);

private:
  explicit PipewireOutput(std::string sink);
  // As many channels as the sound has. The stream of before ends.
  Result<void> open_stream(unsigned channels);
  void close_stream();

  const std::string sink_;
  pw_thread_loop* loop_ = nullptr;
  pw_stream* stream_ = nullptr;
  std::unique_ptr<DeviceFeed> feed_;
  WallTime tried_{};  // to open it
  std::atomic<bool> failed_{false};
  DeviceLead lead_;
};

}  // namespace lw
