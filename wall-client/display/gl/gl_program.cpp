#include "wall-client/display/gl/gl_program.h"

#include "shaders.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace lw {
namespace {

Error driver_error(const char* what, const char* log) {
  return {std::string("the OpenGL driver cannot ") + what + " a shader: " + log,
          "update the graphics driver, or use --headless"};
}

Result<GLuint> compile(GLenum kind, std::initializer_list<const char*> parts) {
  const GLuint shader = glCreateShader(kind);
  const std::vector<const char*> sources(parts);
  glShaderSource(shader, static_cast<GLsizei>(sources.size()), sources.data(), nullptr);
  glCompileShader(shader);
  GLint compiled = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  if (compiled != 0) return shader;
  std::array<char, 2048> log{};
  glGetShaderInfoLog(shader, log.size(), nullptr, log.data());
  return driver_error("compile", log.data());
}

Result<GLuint> link(std::initializer_list<GLuint> shaders) {
  const GLuint program = glCreateProgram();
  for (const GLuint shader : shaders) glAttachShader(program, shader);
  glLinkProgram(program);
  for (const GLuint shader : shaders) glDeleteShader(shader);
  GLint linked = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  if (linked != 0) return program;
  std::array<char, 2048> log{};
  glGetProgramInfoLog(program, log.size(), nullptr, log.data());
  return driver_error("link", log.data());
}

Result<GLuint> drawing(std::initializer_list<const char*> fragment_parts) {
  const auto vertex = compile(GL_VERTEX_SHADER, {shaders::tile_vert});
  if (!vertex) return vertex.error();
  const auto fragment = compile(GL_FRAGMENT_SHADER, fragment_parts);
  if (!fragment) return fragment.error();
  return link({*vertex, *fragment});
}

Result<GLuint> computing(const char* source) {
  const auto shader = compile(GL_COMPUTE_SHADER, {source});
  return shader ? link({*shader}) : shader;
}

}  // namespace

Result<GlPrograms> make_programs(Primaries primaries) {
  // In OpenGL 4.5 by itself: BPTC.
  if (!epoxy_has_gl_extension("GL_EXT_texture_compression_s3tc"))
    return Error{"the OpenGL driver does not decode S3TC textures, which bc1 needs",
                 "update the graphics driver, or use --headless"};
  const auto* matrix = primaries == Primaries::bt2020 ? shaders::bt2020_glsl : shaders::bt709_glsl;
  const std::array linked{drawing({shaders::raw_rows_glsl, shaders::rgb8_frag}),
                          drawing({shaders::raw_rows_glsl, matrix, shaders::ycbcr_glsl, shaders::ycbcr422_8_frag}),
                          drawing({shaders::raw_rows_glsl, matrix, shaders::ycbcr_glsl, shaders::ycbcr422_10_frag}),
                          drawing({shaders::blocks_frag}),
                          drawing({shaders::raw_rows_glsl, shaders::rgb10_frag}),
                          drawing({shaders::card_frag}),
                          drawing({shaders::darker_frag}),
                          drawing({shaders::output_frag}),
                          computing(shaders::slots_comp)};
  for (const auto& program : linked)
    if (!program) return program.error();
  return GlPrograms{{*linked[0], *linked[1], *linked[2], *linked[3], *linked[3], *linked[4]},
                    *linked[5],
                    *linked[7],
                    *linked[6],
                    *linked[8]};
}

}  // namespace lw
