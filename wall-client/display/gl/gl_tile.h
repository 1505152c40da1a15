// One tile's image in OpenGL: from received rows to a framebuffer of exactly the tile's size, which a window shows and
// a dump reads back. Everything is drawn when a frame is uploaded, so that the swap at its presentation time only has
// to copy it.
//
// Belongs to the context of the tile's window, which must be current for every call, including the destructor.
#pragma once

#include "wall-client/display/cards/card_painter.h"
#include "wall-client/display/cards/conceal_mark.h"
#include "wall-client/display/display.h"
#include "wall-client/display/gl/gl_output.h"
#include "wall-client/display/gl/gl_preview.h"
#include "wall-client/display/gl/gl_program.h"
#include "wall-client/display/gl/gl_target.h"
#include "wall-client/display/gl/raw_texture.h"

#include <epoxy/gl.h>

#include <optional>

namespace lw {

class GlTile {
public:
  // `bits`: of the window's channels.
  GlTile(TileFacts facts, const GlPrograms& programs, const Uploads& uploads, OutputStage output, unsigned bits);
  ~GlTile();
  GlTile(const GlTile&) = delete;
  GlTile& operator=(const GlTile&) = delete;

  // For bands, see RawTexture.
  const Pages* add_memory(std::size_t bytes, int cpu) { return raw_.add_memory(bytes, cpu); }
  [[nodiscard]] std::size_t unread() { return raw_.unread(); }
  // Into the next image; the image being shown stays.
  void upload(const AssembledFrame& frame);
  // Makes the uploaded image the one that is shown.
  void flip();
  void set_brightness(double brightness) { brightness_ = static_cast<GLfloat>(brightness); }
  void set_overlay(const TileOverlay& overlay);
  // The framebuffer to show now: the frame, with what is drawn over or instead of it, as the tile's panel needs it.
  GLuint compose_for_panel(WallTime now);
  // The same before the output stage, and after it.
  [[nodiscard]] Picture read_back() const { return presented_->read_back(); }
  [[nodiscard]] Picture read_output() const { return output_ ? output_->read_back() : read_back(); }
  void begin_preview();
  bool take_preview(SmallPicture& into) { return preview_ && preview_->take(into); }

private:
  struct CardTexture {
    GLuint texture = 0;
    GLsizei width = 0;
    GLsizei height = 0;
  };

  // As the audience sees it: what is read back.
  GLuint compose(WallTime now);
  void begin(const GlTarget& target) const;
  static void set(CardTexture& card, const Card& picture);
  void draw(const CardTexture& card, unsigned x, unsigned y) const;
  void draw_pattern(WallTime now);
  void draw_picture() const;
  void draw(const MarkBar& bar) const;

  const TileFacts facts_;
  const GlPrograms programs_;
  const GLsizei width_;
  const GLsizei height_;
  RawTexture raw_;
  GLuint vertex_array_ = 0;
  GlTarget next_;
  GlTarget shown_;
  GlTarget canvas_;  // for cards and labels, so that the frame itself stays unchanged
  const GlTarget* presented_ = nullptr;
  std::vector<MarkBar> next_marks_;
  std::vector<MarkBar> shown_marks_;
  bool has_next_ = false;
  bool has_picture_ = false;  // shown_ holds an image
  GLfloat brightness_ = 1;
  TileOverlay overlay_;
  CardTexture waiting_;
  CardTexture label_;
  CardTexture pattern_;
  CardTexture counter_;               // for the bar pattern
  std::optional<GlPreview> preview_;  // after the first request
  std::optional<GlOutput> output_;    // if the panel needs anything but the image
};

}  // namespace lw
