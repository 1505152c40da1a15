// Tiles in GLFW windows, drawn with OpenGL 4.5. A tile's bytes go through a persistently mapped buffer into a texture of raw
// bytes; a shader makes RGB of them in a framebuffer of exactly the tile's size, which is what a dump reads back; a blit
// brings it into the window. All windows share one context's objects.
#include "common/wall/geometry.h"
#include "shaders.h"
#include "wall-client/present/card_painter.h"
#include "wall-client/present/display.h"

#include <epoxy/gl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

namespace lw {
namespace {

constexpr unsigned slices = 3;  // of the upload buffer: one filled, one on its way, one to spare

std::string glfw_problem() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text != nullptr ? text : "unknown reason";
}

// How a format's raw bytes lie in a texture.
struct TextureLayout {
  GLenum internal_format;
  GLenum format;
  unsigned texels_per_row;
};

TextureLayout texture_layout(PixelFormat format, unsigned width) {
  switch (format) {
    case PixelFormat::ycbcr422_8: return {GL_RGBA8UI, GL_RGBA_INTEGER, width / 2};
    case PixelFormat::ycbcr422_10: return {GL_R8UI, GL_RED_INTEGER, width / 2 * 5};
    case PixelFormat::rgb8: break;
  }
  return {GL_RGB8, GL_RGB, width};
}

GLuint compile(GLenum kind, const char* source) {
  const GLuint shader = glCreateShader(kind);
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  GLint compiled = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  if (compiled == 0) {
    std::array<char, 2048> log{};
    glGetShaderInfoLog(shader, log.size(), nullptr, log.data());
    spdlog::error("a shader does not compile: {}", log.data());
  }
  return shader;
}

GLuint link(const char* fragment_source) {
  const GLuint program = glCreateProgram();
  const GLuint vertex = compile(GL_VERTEX_SHADER, shaders::tile_vert);
  const GLuint fragment = compile(GL_FRAGMENT_SHADER, fragment_source);
  glAttachShader(program, vertex);
  glAttachShader(program, fragment);
  glLinkProgram(program);
  glDeleteShader(vertex);
  glDeleteShader(fragment);
  return program;
}

// A picture painted by the CPU, in a texture.
struct CardTexture {
  GLuint texture = 0;
  void set(const Card& card) {
    if (texture == 0) {
      glCreateTextures(GL_TEXTURE_2D, 1, &texture);
      glTextureStorage2D(texture, 1, GL_RGBA8, static_cast<GLsizei>(card.width()), static_cast<GLsizei>(card.height()));
    }
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTextureSubImage2D(texture, 0, 0, 0, static_cast<GLsizei>(card.width()), static_cast<GLsizei>(card.height()), GL_RGBA, GL_UNSIGNED_BYTE, card.pixels());
  }
};

struct Tile {
  CardFacts facts;
  GLFWwindow* window = nullptr;
  // Upload: a persistently mapped ring.
  GLuint upload_buffer = 0;
  std::byte* mapped = nullptr;
  std::size_t slice_bytes = 0;
  unsigned slice = 0;
  std::array<GLsync, slices> fences{};
  // Picture
  bool has_picture = false;
  PixelFormat format = PixelFormat::rgb8;
  GLuint texture = 0;
  GLuint framebuffer = 0;   // in the context of the tile's window: framebuffers are not shared
  GLuint rendered = 0;      // texture of the framebuffer
  GLuint vertex_array = 0;  // likewise not shared
  bool sixteen_bits = false;
  // What the node paints itself
  TileOverlay overlay;
  CardTexture waiting;
  CardTexture pattern;
  CardTexture label;
  std::uint64_t animation = 0;
};

class GlDisplay final : public Display {
public:
  GlDisplay(const Wall& wall, bool vsync) : width_(static_cast<GLsizei>(wall.tile_width)), height_(static_cast<GLsizei>(wall.tile_height)), vsync_(vsync) {}
  ~GlDisplay() override;
  GlDisplay(const GlDisplay&) = delete;
  GlDisplay& operator=(const GlDisplay&) = delete;

  Result<void> open(const Wall& wall, const WallNode& node);

  void upload(TileId id, const AssembledFrame& frame) override;
  WallTime swap(TileId id) override;
  void set_overlay(const TileOverlay& overlay) override;
  bool poll_events() override;
  Picture read_back(TileId id) override;
  [[nodiscard]] std::string renderer() const override { return renderer_; }

private:
  Result<GLFWwindow*> open_window(const Wall& wall, const TilePlacement& placement);
  void make_upload_buffer(Tile& tile);
  void set_format(Tile& tile, PixelFormat format);
  void make_framebuffer(Tile& tile, bool sixteen_bits);
  void wait_for_slice(Tile& tile);
  void upload_rows(const Tile& tile, std::size_t offset, unsigned first_row, unsigned rows) const;
  void draw(Tile& tile);
  void draw_card(const CardTexture& card, bool blend) const;
  void use(const Tile& tile) { glfwMakeContextCurrent(tile.window); }

  GLsizei width_;
  GLsizei height_;
  bool vsync_;
  std::map<TileId, Tile> tiles_;
  std::string renderer_;
  std::array<GLuint, 3> picture_programs_{};  // by PixelFormat
  GLuint card_program_ = 0;
  bool closed_ = false;
};

Result<GLFWwindow*> GlDisplay::open_window(const Wall& wall, const TilePlacement& placement) {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_DECORATED, GLFW_FALSE);
  glfwWindowHint(GLFW_RESIZABLE, GLFW_FALSE);
  glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  const auto title = fmt::format("Lambdawall {} {},{}", wall.name, placement.tile.column, placement.tile.row);
  GLFWwindow* shared = tiles_.empty() ? nullptr : tiles_.begin()->second.window;
  GLFWmonitor* monitor = nullptr;
  int width = width_;
  int height = height_;
  if (placement.monitor) {
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    if (*placement.monitor >= static_cast<unsigned>(count))
      return Error{fmt::format("tile {},{} wants monitor {}, this host has {}", placement.tile.column, placement.tile.row, *placement.monitor, count),
                   "correct monitor in the wall file or connect the monitor"};
    monitor = monitors[*placement.monitor];
    const auto* mode = glfwGetVideoMode(monitor);
    width = mode->width;
    height = mode->height;
  }
  GLFWwindow* window = glfwCreateWindow(width, height, title.c_str(), monitor, shared);
  if (window == nullptr)
    return Error{"cannot open a window with OpenGL 4.5: " + glfw_problem(), "install a driver with OpenGL 4.5 (glxinfo shows what there is), or use --headless"};
  if (monitor == nullptr) glfwSetWindowPos(window, placement.window_x, placement.window_y);
  glfwShowWindow(window);
  return window;
}

Result<void> GlDisplay::open(const Wall& wall, const WallNode& node) {
  if (glfwInit() != GLFW_TRUE) return Error{"no display to open windows on: " + glfw_problem(), "set DISPLAY, start one with xvfb-run, or use --headless"};
  for (const auto& placement : node.tiles) {
    auto window = open_window(wall, placement);
    if (!window) return window.error();
    Tile& tile = tiles_[placement.tile];
    tile.window = *window;
    use(tile);
    if (renderer_.empty()) {
      renderer_ = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
      picture_programs_ = {link(shaders::rgb8_frag), link(shaders::ycbcr422_8_frag), link(shaders::ycbcr422_10_frag)};
      card_program_ = link(shaders::card_frag);
    }
    const auto bands = bands_of(wall, placement.tile);
    const auto first = media_port(wall, bands.front().flow);
    const auto last = media_port(wall, bands.back().flow);
    tile.facts = {wall.name, node.name, placement.tile, wall.columns, wall.rows, wall.tile_width, wall.tile_height,
                  placement.monitor ? fmt::format("monitor {}", *placement.monitor) : fmt::format("window at {}, {}", placement.window_x, placement.window_y),
                  first == last ? fmt::format("UDP {}", first) : fmt::format("UDP {}-{}", first, last)};
    tile.overlay.tile = placement.tile;
    glfwSwapInterval(vsync_ && &placement == &node.tiles.back() ? 1 : 0);
    glCreateVertexArrays(1, &tile.vertex_array);
    make_upload_buffer(tile);
    set_format(tile, wall.streaming.pixel_format);
    tile.waiting.set(paint_waiting(tile.facts));
    tile.label.set(paint_identify_label(tile.facts));
  }
  return {};
}

void GlDisplay::make_upload_buffer(Tile& tile) {
  tile.slice_bytes = row_bytes(PixelFormat::rgb8, static_cast<unsigned>(width_)) * static_cast<std::size_t>(height_);  // the largest format
  constexpr GLbitfield flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  const auto bytes = static_cast<GLsizeiptr>(tile.slice_bytes * slices);
  glCreateBuffers(1, &tile.upload_buffer);
  glNamedBufferStorage(tile.upload_buffer, bytes, nullptr, flags);
  tile.mapped = static_cast<std::byte*>(glMapNamedBufferRange(tile.upload_buffer, 0, bytes, flags));
}

void GlDisplay::set_format(Tile& tile, PixelFormat format) {
  if (tile.texture != 0) glDeleteTextures(1, &tile.texture);
  const auto layout = texture_layout(format, static_cast<unsigned>(width_));
  glCreateTextures(GL_TEXTURE_2D, 1, &tile.texture);
  glTextureStorage2D(tile.texture, 1, layout.internal_format, static_cast<GLsizei>(layout.texels_per_row), height_);
  glTextureParameteri(tile.texture, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTextureParameteri(tile.texture, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  tile.format = format;
  make_framebuffer(tile, format == PixelFormat::ycbcr422_10);
}

void GlDisplay::make_framebuffer(Tile& tile, bool sixteen_bits) {
  if (tile.framebuffer == 0) glCreateFramebuffers(1, &tile.framebuffer);
  if (tile.rendered != 0) glDeleteTextures(1, &tile.rendered);
  tile.sixteen_bits = sixteen_bits;
  glCreateTextures(GL_TEXTURE_2D, 1, &tile.rendered);
  glTextureStorage2D(tile.rendered, 1, sixteen_bits ? GL_RGBA16 : GL_RGBA8, width_, height_);
  glNamedFramebufferTexture(tile.framebuffer, GL_COLOR_ATTACHMENT0, tile.rendered, 0);
}

// The driver may still read the slice that is to be filled next.
void GlDisplay::wait_for_slice(Tile& tile) {
  GLsync& fence = tile.fences[tile.slice];
  if (fence == nullptr) return;
  while (glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, 1'000'000'000) == GL_TIMEOUT_EXPIRED) {
  }
  glDeleteSync(fence);
  fence = nullptr;
}

void GlDisplay::upload(TileId id, const AssembledFrame& frame) {
  Tile& tile = tiles_.at(id);
  use(tile);
  if (frame.format != tile.format) set_format(tile, frame.format);
  wait_for_slice(tile);
  const std::size_t row_size = row_bytes(frame.format, static_cast<unsigned>(width_));
  const std::size_t base = tile.slice * tile.slice_bytes;
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, tile.upload_buffer);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  for (const auto& band : frame.bands) {
    // Runs of rows that came; what lies between keeps the picture before.
    for (unsigned row = 0; row < band.rows;) {
      unsigned end = row;
      while (end < band.rows && (band.whole || band.row_present(end))) end = band.whole ? band.rows : end + 1;
      if (end > row) {
        const std::size_t offset = base + (band.first_row + row) * row_size;
        std::memcpy(tile.mapped + offset, band.pixels + row * row_size, (end - row) * row_size);
        upload_rows(tile, offset, band.first_row + row, end - row);
      }
      row = end + 1;
    }
  }
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  tile.fences[tile.slice] = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  tile.slice = (tile.slice + 1) % slices;
  tile.has_picture = true;
}

void GlDisplay::upload_rows(const Tile& tile, std::size_t offset, unsigned first_row, unsigned rows) const {
  const auto layout = texture_layout(tile.format, static_cast<unsigned>(width_));
  glTextureSubImage2D(tile.texture, 0, 0, static_cast<GLint>(first_row), static_cast<GLsizei>(layout.texels_per_row), static_cast<GLsizei>(rows), layout.format,
                      GL_UNSIGNED_BYTE, reinterpret_cast<const void*>(offset));
}

void GlDisplay::draw_card(const CardTexture& card, bool blend) const {
  if (blend) {
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  }
  glUseProgram(card_program_);
  glUniform2i(0, width_, height_);
  glBindTextureUnit(0, card.texture);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDisable(GL_BLEND);
}

void GlDisplay::draw(Tile& tile) {
  glBindFramebuffer(GL_FRAMEBUFFER, tile.framebuffer);
  glViewport(0, 0, width_, height_);
  glBindVertexArray(tile.vertex_array);
  if (tile.overlay.pattern != Pattern::none) {
    ++tile.animation;
    if (tile.overlay.pattern == Pattern::bar) tile.pattern.set(paint_pattern(Pattern::bar, tile.facts, tile.animation));
    draw_card(tile.pattern, false);
  } else if (!tile.has_picture) {
    draw_card(tile.waiting, false);
  } else {
    glUseProgram(picture_programs_[static_cast<std::size_t>(tile.format)]);
    glUniform2i(0, width_, height_);
    glBindTextureUnit(0, tile.texture);
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }
  if (tile.overlay.identify && tile.overlay.pattern == Pattern::none) draw_card(tile.label, true);
}

WallTime GlDisplay::swap(TileId id) {
  Tile& tile = tiles_.at(id);
  use(tile);
  draw(tile);
  int width = 0;
  int height = 0;
  glfwGetFramebufferSize(tile.window, &width, &height);
  const bool exact = width == width_ && height == height_;
  glBlitNamedFramebuffer(tile.framebuffer, 0, 0, 0, width_, height_, 0, 0, width, height, GL_COLOR_BUFFER_BIT, exact ? GL_NEAREST : GL_LINEAR);
  glfwSwapBuffers(tile.window);
  return WallClock::now();
}

void GlDisplay::set_overlay(const TileOverlay& overlay) {
  const auto found = tiles_.find(overlay.tile);
  if (found == tiles_.end()) return;
  Tile& tile = found->second;
  tile.overlay = overlay;
  if (overlay.pattern == Pattern::none) return;
  use(tile);
  tile.pattern.set(paint_pattern(overlay.pattern, tile.facts, tile.animation));
}

bool GlDisplay::poll_events() {
  glfwPollEvents();
  for (const auto& [id, tile] : tiles_)
    closed_ = closed_ || glfwWindowShouldClose(tile.window) != 0 || glfwGetKey(tile.window, GLFW_KEY_ESCAPE) == GLFW_PRESS;
  return !closed_;
}

Picture GlDisplay::read_back(TileId id) {
  Tile& tile = tiles_.at(id);
  use(tile);
  Picture picture{static_cast<unsigned>(width_), static_cast<unsigned>(height_), tile.sixteen_bits, {}};
  const std::size_t row_size = static_cast<std::size_t>(width_) * 3 * (tile.sixteen_bits ? 2 : 1);
  std::vector<std::byte> upside_down(row_size * static_cast<std::size_t>(height_));
  glBindFramebuffer(GL_READ_FRAMEBUFFER, tile.framebuffer);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGB, tile.sixteen_bits ? GL_UNSIGNED_SHORT : GL_UNSIGNED_BYTE, upside_down.data());
  picture.pixels.reserve(upside_down.size());
  for (std::size_t row = static_cast<std::size_t>(height_); row-- > 0;)
    picture.pixels.insert(picture.pixels.end(), upside_down.begin() + static_cast<std::ptrdiff_t>(row * row_size), upside_down.begin() + static_cast<std::ptrdiff_t>((row + 1) * row_size));
  return picture;
}

GlDisplay::~GlDisplay() {
  for (const auto& [id, tile] : tiles_) glfwDestroyWindow(tile.window);
  glfwTerminate();
}

}  // namespace

Result<std::unique_ptr<Display>> Display::open_windows(const Wall& wall, const WallNode& node, const Options& options) {
  auto display = std::make_unique<GlDisplay>(wall, options.vsync);
  if (const auto opened = display->open(wall, node); !opened) return opened.error();
  return std::unique_ptr<Display>(std::move(display));
}

}  // namespace lw
