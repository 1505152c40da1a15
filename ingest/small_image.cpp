#include "ingest/small_image.h"

#include <cstring>

namespace lw {

av::Frame new_frame(AVPixelFormat format, unsigned width, unsigned height) {
  av::Frame frame(av_frame_alloc());
  frame->format = format;
  frame->width = static_cast<int>(width);
  frame->height = static_cast<int>(height);
  av_frame_get_buffer(frame.get(), 64);
  // The encoder also reads beside the image, up to whole blocks.
  for (const auto* buffer : frame->buf)
    if (buffer != nullptr) std::memset(buffer->data, 0, buffer->size);
  return frame;
}

std::string jpeg_of(const AVFrame& rgb) {
  auto yuv = new_frame(AV_PIX_FMT_YUVJ444P, static_cast<unsigned>(rgb.width), static_cast<unsigned>(rgb.height));
  SwsContext* scaler = sws_getContext(rgb.width, rgb.height, AV_PIX_FMT_RGB24, rgb.width, rgb.height,
                                      AV_PIX_FMT_YUVJ444P, SWS_ACCURATE_RND, nullptr, nullptr, nullptr);
  if (scaler == nullptr) return {};
  const int* bt601 = sws_getCoefficients(SWS_CS_ITU601);  // what JPEG (JFIF) means
  sws_setColorspaceDetails(scaler, bt601, 1, bt601, 1, 0, 1 << 16, 1 << 16);
  sws_scale(scaler, rgb.data, rgb.linesize, 0, rgb.height, yuv->data, yuv->linesize);
  sws_freeContext(scaler);
  const AVCodec* codec = avcodec_find_encoder(AV_CODEC_ID_MJPEG);
  av::Codec encoder(avcodec_alloc_context3(codec));
  encoder->width = rgb.width;
  encoder->height = rgb.height;
  encoder->pix_fmt = AV_PIX_FMT_YUVJ444P;
  encoder->time_base = {1, 1};
  encoder->flags |= AV_CODEC_FLAG_QSCALE;
  encoder->global_quality = 4 * FF_QP2LAMBDA;
  yuv->quality = encoder->global_quality;
  av::Packet packet(av_packet_alloc());
  if (codec == nullptr || avcodec_open2(encoder.get(), codec, nullptr) < 0 ||
      avcodec_send_frame(encoder.get(), yuv.get()) < 0 || avcodec_receive_packet(encoder.get(), packet.get()) < 0)
    return {};
  return {reinterpret_cast<const char*>(packet->data), static_cast<std::size_t>(packet->size)};
}

}  // namespace lw
