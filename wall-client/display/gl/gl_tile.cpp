#include "wall-client/display/gl/gl_tile.h"

#include <array>
#include <utility>

namespace lw {

GlTile::GlTile(TileFacts facts, const GlPrograms& programs, const Uploads& uploads, OutputStage output, unsigned bits)
    : facts_(std::move(facts)),
      programs_(programs),
      width_(static_cast<GLsizei>(facts_.width)),
      height_(static_cast<GLsizei>(facts_.height)),
      raw_(facts_.width, facts_.height, uploads, programs.slots) {
  next_marks_.reserve(conceal_marks_max(facts_.height));
  shown_marks_.reserve(conceal_marks_max(facts_.height));
  glCreateVertexArrays(1, &vertex_array_);
  for (GlTarget* target : {&next_, &shown_, &canvas_}) target->make(false, width_, height_);
  if (output.needed()) output_.emplace(std::move(output), programs.output, bits);
  set(waiting_, paint_waiting(facts_));
  set(label_, paint_identify_label(facts_));
  presented_ = &canvas_;
}

GlTile::~GlTile() {
  for (const CardTexture* card : {&waiting_, &label_, &pattern_, &counter_}) glDeleteTextures(1, &card->texture);
  glDeleteVertexArrays(1, &vertex_array_);
}

void GlTile::begin(const GlTarget& target) const {
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer());
  glViewport(0, 0, width_, height_);
  glBindVertexArray(vertex_array_);
}

void GlTile::upload(const AssembledFrame& frame) {
  raw_.upload(frame);
  conceal_marks(frame, facts_.width, facts_.height, next_marks_);
  next_.make(info(frame.format).depth > 8, width_, height_);
  begin(next_);
  glUseProgram(programs_.pictures[static_cast<std::size_t>(frame.format)]);
  glUniform2i(0, width_, height_);
  glBindTextureUnit(0, raw_.texture());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glFlush();  // starts the work now, not when the swap needs it
  has_next_ = true;
}

void GlTile::flip() {
  if (!has_next_) return;
  std::swap(next_, shown_);
  std::swap(next_marks_, shown_marks_);
  has_next_ = false;
  has_picture_ = true;
}

void GlTile::set_overlay(const TileOverlay& overlay) {
  overlay_ = overlay;
  if (overlay.pattern == Pattern::none) return;
  set(pattern_,
      overlay.pattern == Pattern::bar ? paint_bar_background(facts_) : paint_pattern(overlay.pattern, facts_, {}));
}

void GlTile::set(CardTexture& card, const Card& picture) {
  const auto width = static_cast<GLsizei>(picture.width());
  const auto height = static_cast<GLsizei>(picture.height());
  if (card.width != width || card.height != height) {
    glDeleteTextures(1, &card.texture);
    glCreateTextures(GL_TEXTURE_2D, 1, &card.texture);
    glTextureStorage2D(card.texture, 1, GL_RGBA8, width, height);
    card.width = width;
    card.height = height;
  }
  glPixelStorei(GL_UNPACK_SWAP_BYTES, GL_FALSE);
  glTextureSubImage2D(card.texture, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, picture.pixels());
}

void GlTile::draw(const CardTexture& card, unsigned x, unsigned y) const {
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glEnable(GL_SCISSOR_TEST);
  const auto left = static_cast<GLint>(x);
  const auto top = static_cast<GLint>(y);
  glScissor(left, height_ - top - card.height, card.width, card.height);
  glUseProgram(programs_.card);
  glUniform2i(0, width_, height_);
  glUniform2i(1, left, top);
  glBindTextureUnit(0, card.texture);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_BLEND);
}

void GlTile::draw(const MarkBar& bar) const {
  const std::array<GLfloat, 4> color{static_cast<GLfloat>(bar.color.r) / 255, static_cast<GLfloat>(bar.color.g) / 255,
                                     static_cast<GLfloat>(bar.color.b) / 255, 1};
  glEnable(GL_SCISSOR_TEST);
  glScissor(static_cast<GLint>(bar.x), height_ - static_cast<GLint>(bar.y + bar.height),
            static_cast<GLsizei>(bar.width), static_cast<GLsizei>(bar.height));
  glClearNamedFramebufferfv(canvas_.framebuffer(), GL_COLOR, 0, color.data());
  glDisable(GL_SCISSOR_TEST);
}

void GlTile::draw_pattern(WallTime now) {
  draw(pattern_, 0, 0);
  if (overlay_.pattern != Pattern::bar) return;
  const auto motion = bar_motion(facts_, now);
  constexpr std::array<GLfloat, 4> white{card_colors::white.r / 255.0F, card_colors::white.g / 255.0F,
                                         card_colors::white.b / 255.0F, 1};
  glEnable(GL_SCISSOR_TEST);
  glScissor(static_cast<GLint>(motion.bar.x), 0, static_cast<GLsizei>(motion.bar.width), height_);
  glClearBufferfv(GL_COLOR, 0, white.data());
  glDisable(GL_SCISSOR_TEST);
  set(counter_, motion.counter);
  draw(counter_, motion.counter_x, motion.counter_y);
}

void GlTile::draw_picture() const {
  if (brightness_ >= 1)
    return glBlitNamedFramebuffer(shown_.framebuffer(), canvas_.framebuffer(), 0, 0, width_, height_, 0, 0, width_,
                                  height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glUseProgram(programs_.darker);
  glUniform1f(0, brightness_);
  glBindTextureUnit(0, shown_.texture());
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void GlTile::begin_preview() {
  if (!preview_) preview_.emplace(facts_.width, facts_.height);
  preview_->begin(presented_->framebuffer());
}

GLuint GlTile::compose(WallTime now) {
  const bool pattern = overlay_.pattern != Pattern::none;
  const bool label = overlay_.identify && !pattern;
  const bool marks = overlay_.mark && has_picture_ && !pattern && !shown_marks_.empty();
  if (has_picture_ && !pattern && !label && !marks && brightness_ >= 1) {
    presented_ = &shown_;
    return shown_.framebuffer();
  }
  canvas_.make(has_picture_ && shown_.sixteen_bits(), width_, height_);
  begin(canvas_);
  if (pattern)
    draw_pattern(now);
  else if (!has_picture_)
    draw(waiting_, 0, 0);
  else
    draw_picture();
  if (marks)
    for (const auto& bar : shown_marks_) draw(bar);
  if (label) draw(label_, 0, 0);
  presented_ = &canvas_;
  return canvas_.framebuffer();
}

GLuint GlTile::compose_for_panel(WallTime now) {
  const GLuint upright = compose(now);
  return output_ ? output_->draw(presented_->texture(), presented_->sixteen_bits()) : upright;
}

}  // namespace lw
