// The output stage of a tile in OpenGL: one pass from the tile's image to what its panel or projector gets
// (display/output/output_stage.h has what it does, shaders/output.frag how).
//
// Belongs to the context of the tile's window, which must be current for every call, including the destructor.
#pragma once

#include "wall-client/display/gl/gl_target.h"
#include "wall-client/display/output/output_stage.h"

#include <epoxy/gl.h>

#include <array>
#include <vector>

namespace lw {

class GlOutput {
public:
  // `program`: GlPrograms::output. `bits`: of the window's channels.
  GlOutput(OutputStage stage, GLuint program, unsigned bits);
  ~GlOutput();
  GlOutput(const GlOutput&) = delete;
  GlOutput& operator=(const GlOutput&) = delete;

  // From a texture with the tile's image into the framebuffer that it returns, of the panel's size.
  GLuint draw(GLuint tile, bool sixteen_bits);
  [[nodiscard]] Picture read_back() const { return target_.read_back(); }

private:
  // As the shader binds them.
  enum Texture : unsigned { tile_picture, mesh, curves, cube, blend_map, black_map, last_curves, texture_count };
  void upload();
  GLuint make(Texture which, GLenum kind);
  void upload_curves(Texture which, std::vector<Rgb>& curves);
  void set_uniforms(bool active) const;

  OutputStage stage_;  // its large parts are in the textures
  const GLuint program_;
  const unsigned bits_;
  GLuint vertex_array_ = 0;
  std::array<GLuint, texture_count> textures_{};  // 0: none
  GLint side_ = 0;                                // of the cube
  GlTarget target_;
};

}  // namespace lw
