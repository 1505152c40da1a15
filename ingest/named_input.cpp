#include "ingest/named_input.h"

extern "C" {
#include <libavutil/dict.h>
}

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "ingest/video_input.h"

namespace lw {
namespace {

// Address schemes that name one file, and the protocols that fetch it. A redirection cannot use others.
struct Scheme {
  std::string_view prefix;
  const char* protocols;
};
constexpr std::array<Scheme, 4> schemes{{{"http://", "http,https,tcp,tls,httpproxy"},
                                         {"https://", "http,https,tcp,tls,httpproxy"},
                                         {"ftp://", "ftp,tcp"},
                                         {"sftp://", "sftp"}}};

constexpr std::string_view file_scheme = "file://";
// Matches no protocol: neither the demuxer nor the demuxers that it starts can open anything.
constexpr const char* no_protocol = "none";

// Demuxers for files that only refer to other files.
constexpr std::array<std::string_view, 9> playlists{"concat", "hls", "dash",  "webm_dash_manifest", "imf", "sdp",
                                                    "rtsp",   "rtp", "vobsub"};
// Demuxers that run scripts with the user's rights.
constexpr std::array<std::string_view, 3> scripts{"avisynth", "vapoursynth", "lavfi"};

// Of one of a demuxer's comma-separated names.
template <std::size_t Count>
bool is_one_of(std::string_view names, const std::array<std::string_view, Count>& wanted) {
  while (!names.empty()) {
    const auto name = names.substr(0, names.find(','));
    if (std::ranges::find(wanted, name) != wanted.end()) return true;
    names.remove_prefix(std::min(names.size(), name.size() + 1));
  }
  return false;
}

Result<void> check_format(const AVInputFormat& format, const std::string& name) {
  // FFmpeg would render any text file as a terminal screen, which nobody intends.
  if (std::string_view(format.name) == "tty") return Error{name + " is a text file, not a video or image", not_media};
  if (is_one_of(format.name, playlists))
    return Error{name + " is a playlist (" + format.name + "), which refers to other files",
                 "import those files; to join them into one: ffmpeg -i " + name + " -c copy joined.mkv"};
  if (is_one_of(format.name, scripts))
    return Error{name + " is a script (" + format.name + "), not a video or image", not_media};
  return {};
}

}  // namespace

Result<NamedInput::Io> NamedInput::open_io(const std::string& name) {
  std::error_code error;
  std::string url = name;
  const char* protocols = nullptr;
  if (std::filesystem::exists(name, error)) {
    url = "file:" + name;  // even if the name looks like an address
    protocols = "file";
  } else if (name.starts_with(file_scheme) && std::filesystem::exists(name.substr(file_scheme.size()), error)) {
    protocols = "file";
  } else {
    const auto scheme =
        std::ranges::find_if(schemes, [&](const Scheme& known) { return name.starts_with(known.prefix); });
    if (scheme == schemes.end())
      return Error{"cannot open " + name + ": neither a file nor an http, https, ftp or sftp address",
                   "copy or record it into a file first"};
    protocols = scheme->protocols;
  }
  AVDictionary* options = nullptr;
  av_dict_set(&options, "protocol_whitelist", protocols, 0);
  AVIOContext* io = nullptr;
  const int failed = avio_open2(&io, url.c_str(), AVIO_FLAG_READ, nullptr, &options);
  av_dict_free(&options);
  if (failed < 0) return Error{"cannot open " + name + ": " + av::words(failed), not_media};
  return Io(io);
}

Result<NamedInput> NamedInput::open(const std::string& name) {
  NamedInput input;
  input.name_ = name;
  auto io = open_io(name);
  if (!io) return io.error();
  input.io_ = std::move(*io);
  if (const int failed = av_probe_input_buffer2(input.io_.get(), &input.format_, name.c_str(), nullptr, 0, 0);
      failed < 0)
    return Error{"cannot open " + name + ": " + av::words(failed), not_media};
  if (auto checked = check_format(*input.format_, name); !checked) return checked.error();
  return input;
}

// For demuxers that open their file themselves, such as the one for images without a signature.
int NamedInput::open_again(AVFormatContext* context, AVIOContext** io, const char* url, int /*flags*/,
                           AVDictionary** /*options*/) {
  const auto& name = static_cast<const NamedInput*>(context->opaque)->name_;
  if (name != url) return AVERROR(EPERM);
  auto opened = open_io(name);
  if (!opened) return AVERROR(ENOENT);
  *io = opened->release();
  return 0;
}

Result<av::Format> NamedInput::demux() {
  AVFormatContext* raw = avformat_alloc_context();
  raw->opaque = this;
  raw->io_open = open_again;
  if ((format_->flags & AVFMT_NOFILE) == 0) raw->pb = io_.get();
  AVDictionary* options = nullptr;
  av_dict_set(&options, "protocol_whitelist", no_protocol, 0);
  av_dict_set(&options, "pattern_type", "none", 0);  // for images: a '%' or '*' is part of the file name
  const int failed = avformat_open_input(&raw, name_.c_str(), format_, &options);
  av_dict_free(&options);
  if (failed < 0) return Error{"cannot open " + name_ + ": " + av::words(failed), not_media};
  return av::Format(raw);
}

}  // namespace lw
