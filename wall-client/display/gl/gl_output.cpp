#include "wall-client/display/gl/gl_output.h"

#include <utility>

namespace lw {
namespace {

void upload_map(GLuint texture, const GreyMap& map) {
  const auto width = static_cast<GLsizei>(map.width), height = static_cast<GLsizei>(map.height);
  glTextureStorage2D(texture, 1, GL_R16, width, height);
  glTextureSubImage2D(texture, 0, 0, 0, width, height, GL_RED, GL_UNSIGNED_SHORT, map.values.data());
}

}  // namespace

GlOutput::GlOutput(OutputStage stage, GLuint program, unsigned bits)
    : stage_(std::move(stage)), program_(program), bits_(bits) {
  glCreateVertexArrays(1, &vertex_array_);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_SWAP_BYTES, GL_FALSE);
  upload();
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

GlOutput::~GlOutput() {
  textures_[tile_picture] = 0;
  glDeleteTextures(texture_count, textures_.data());
  glDeleteVertexArrays(1, &vertex_array_);
}

GLuint GlOutput::make(Texture which, GLenum kind) {
  glCreateTextures(kind, 1, &textures_[which]);
  return textures_[which];
}

void GlOutput::upload() {
  if (auto& warp = stage_.warp) {
    const auto columns = static_cast<GLsizei>(warp->columns), rows = static_cast<GLsizei>(warp->rows);
    const auto texture = make(mesh, GL_TEXTURE_2D);
    glTextureStorage2D(texture, 1, GL_RG32F, columns, rows);
    glTextureSubImage2D(texture, 0, 0, 0, columns, rows, GL_RG, GL_FLOAT, warp->places.data());
    warp->places = {};
  }
  if (auto& table = stage_.table) {
    side_ = static_cast<GLint>(table->side);
    const auto texture = make(cube, GL_TEXTURE_3D);
    glTextureStorage3D(texture, 1, GL_RGB32F, side_, side_, side_);
    glTextureSubImage3D(texture, 0, 0, 0, 0, side_, side_, side_, GL_RGB, GL_FLOAT, table->cube.data());
    table->cube = {};
    upload_curves(curves, table->curves);
    upload_curves(last_curves, table->last_curves);
  }
  if (auto& map = stage_.blend_map) {
    upload_map(make(blend_map, GL_TEXTURE_2D), *map);
    map->values = {};
  }
  if (auto& map = stage_.black_lift_map) {
    upload_map(make(black_map, GL_TEXTURE_2D), *map);
    map->values = {};
  }
}

void GlOutput::upload_curves(Texture which, std::vector<Rgb>& curves_of_table) {
  const auto entries = static_cast<GLsizei>(curves_of_table.size());
  if (entries == 0) return;
  const auto texture = make(which, GL_TEXTURE_2D);
  glTextureStorage2D(texture, 1, GL_RGB32F, entries, 1);
  glTextureSubImage2D(texture, 0, 0, 0, entries, 1, GL_RGB, GL_FLOAT, curves_of_table.data());
  curves_of_table = {};
}

// The locations are those of shaders/output.frag.
void GlOutput::set_uniforms(bool active) const {
  const auto& [turn_from, turn_right, turn_down] = stage_.map;
  glUniform4i(0, stage_.panel.width, stage_.panel.height, stage_.tile.width, stage_.tile.height);
  glUniform2i(1, turn_from.x, turn_from.y);
  glUniform2i(2, turn_right.x, turn_right.y);
  glUniform2i(3, turn_down.x, turn_down.y);
  glUniform1f(4, active ? static_cast<GLfloat>((1U << bits_) - 1) : 0);
  if (!active) return;
  const auto has = [this](Texture which) { return static_cast<GLint>(textures_[which] != 0); };
  glUniform4i(5, has(mesh), has(curves), has(blend_map), has(black_map));
  glUniform3fv(6, 1, stage_.gain.data());
  glUniform3fv(7, 1, stage_.exponent.data());
  glUniform1i(8, side_);
  if (stage_.table) {
    glUniform3fv(9, 1, stage_.table->low.data());
    glUniform3fv(10, 1, stage_.table->high.data());
  }
  const auto& widths = stage_.blend;
  glUniform4f(11, static_cast<GLfloat>(widths.left), static_cast<GLfloat>(widths.right),
              static_cast<GLfloat>(widths.top), static_cast<GLfloat>(widths.bottom));
  glUniform1f(12, stage_.blend_gamma);
  glUniform1f(13, stage_.black_lift);
  glUniform1i(14, has(last_curves));
}

GLuint GlOutput::draw(GLuint tile, bool sixteen_bits) {
  target_.make(stage_.active ? bits_ > 8 : sixteen_bits, stage_.panel.width, stage_.panel.height);
  glBindFramebuffer(GL_FRAMEBUFFER, target_.framebuffer());
  glViewport(0, 0, stage_.panel.width, stage_.panel.height);
  glBindVertexArray(vertex_array_);
  glUseProgram(program_);
  set_uniforms(stage_.active);
  textures_[tile_picture] = tile;
  glBindTextures(0, texture_count, textures_.data());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  return target_.framebuffer();
}

}  // namespace lw
