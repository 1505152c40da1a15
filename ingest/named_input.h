// Opens for FFmpeg exactly the file or address that the user named. A file can ask FFmpeg to open others (playlists,
// external tracks, patterns in its name); all files except the named one are refused.
#pragma once

#include <string>

#include "common/base/result.h"
#include "ingest/av.h"

namespace lw {

class NamedInput {
public:
  // `name`: a file, or an http, https, ftp or sftp address. A playlist is an error, whatever its file is called.
  static Result<NamedInput> open(const std::string& name);

  // FFmpeg's demuxer on it. This object must outlive it.
  Result<av::Format> demux();

private:
  struct CloseIo {
    void operator()(AVIOContext* io) const { avio_closep(&io); }
  };
  using Io = std::unique_ptr<AVIOContext, CloseIo>;

  static Result<Io> open_io(const std::string& name);
  static int open_again(AVFormatContext* context, AVIOContext** io, const char* url, int flags, AVDictionary** options);

  std::string name_;
  Io io_;
  const AVInputFormat* format_ = nullptr;
};

}  // namespace lw
