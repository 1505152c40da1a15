#version 450 core
// What a panel gets of its tile: turned, warped, corrected in colour, blended, lifted in its black and dithered. The
// arithmetic is that of wall-client/display/output/panel_picture.cpp and colour_table.cpp, function by function; the turn
// is that of common/wall/turn.h. Only here are rows of panel and tile counted from the bottom; all else is from the top.
layout(binding = 0) uniform sampler2D tile;
layout(binding = 1) uniform sampler2D mesh;    // the place on the tile that each vertex shows
layout(binding = 2) uniform sampler2D curves;  // of red, green and blue: one row
layout(binding = 3) uniform sampler3D cube;
layout(binding = 4) uniform sampler2D blend_map;
layout(binding = 5) uniform sampler2D black_map;
layout(binding = 6) uniform sampler2D last_curves;
layout(location = 0) uniform ivec4 sizes;  // of the panel and of the tile
layout(location = 1) uniform ivec2 from;   // the tile's pixel that the panel's first one shows
layout(location = 2) uniform ivec2 right;  // one pixel to the panel's right
layout(location = 3) uniform ivec2 down;   // one row of the panel down
layout(location = 4) uniform float levels;  // the panel's highest code value; 0: it is only turned
layout(location = 5) uniform ivec4 has;     // a mesh, curves, a blend map, a map of black
layout(location = 6) uniform vec3 gain;
layout(location = 7) uniform vec3 exponent;
layout(location = 8) uniform int side;  // of the cube; 0: none
layout(location = 9) uniform vec3 low;
layout(location = 10) uniform vec3 high;
layout(location = 11) uniform vec4 widths;  // left, right, top, bottom
layout(location = 12) uniform float blend_gamma;
layout(location = 13) uniform float black_lift;
layout(location = 14) uniform int has_last_curves;
layout(location = 0) out vec4 color;

vec3 tile_at(ivec2 pixel) { return texelFetch(tile, ivec2(pixel.x, sizes.w - 1 - pixel.y), 0).rgb; }

float part_of_next(float fraction) {
  const float least = 1.0 / 256.0;
  return fraction < least ? 0.0 : fraction > 1.0 - least ? 1.0 : fraction;
}

float ramp(float part) {
  float t = clamp(part, 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

// x and y on the tile in pixels, and how much of the panel's pixel the tile covers.
vec3 place_by_mesh(ivec2 pixel) {
  ivec2 count = textureSize(mesh, 0);
  vec2 place = (vec2(pixel) + 0.5) * vec2(count) / vec2(sizes.xy) - 0.5;
  vec2 first = clamp(floor(place), vec2(0.0), vec2(count - 2));
  vec2 part = place - first;
  vec2 shown = vec2(0.0);
  float sum = 0.0;
  for (int corner = 0; corner < 4; ++corner) {
    ivec2 next = ivec2(corner & 1, corner >> 1);
    float weight = (next.x != 0 ? part.x : 1.0 - part.x) * (next.y != 0 ? part.y : 1.0 - part.y);
    vec2 at = texelFetch(mesh, ivec2(first) + next, 0).xy;
    if (at.x < -1e6) {  // WarpMesh::nothing
      if (abs(weight) > 1.0 / 1024.0) return vec3(0.0);
      continue;
    }
    shown += weight * at;
    sum += weight;
  }
  vec2 size = vec2(sizes.zw);
  shown *= size / sum;
  vec2 within = clamp(shown + 0.5, 0.0, 1.0) * clamp(size - shown + 0.5, 0.0, 1.0);
  return vec3(shown, within.x * within.y);
}

vec3 sampled(vec2 shown) {
  vec2 from_first = clamp(shown - 0.5, vec2(0.0), vec2(sizes.zw - 1));
  ivec2 first = ivec2(from_first);
  ivec2 next = min(first + 1, sizes.zw - 1);
  vec2 fraction = from_first - vec2(first);
  vec2 part = vec2(part_of_next(fraction.x), part_of_next(fraction.y));
  vec3 a = tile_at(first), b = tile_at(ivec2(next.x, first.y)), c = tile_at(ivec2(first.x, next.y)), d = tile_at(next);
  vec3 above = a + (b - a) * part.x;
  vec3 below = c + (d - c) * part.x;
  return above + (below - above) * part.y;
}

float on_curve(sampler2D curves, int channel, float place, int last) {
  int first = min(int(place), last - 1);
  float a = texelFetch(curves, ivec2(first, 0), 0)[channel];
  float b = texelFetch(curves, ivec2(first + 1, 0), 0)[channel];
  return a + (b - a) * (place - float(first));
}

vec3 by_curves(sampler2D curves, vec3 part) {
  int last = textureSize(curves, 0).x - 1;
  vec3 place = part * float(last);
  return vec3(on_curve(curves, 0, place.r, last), on_curve(curves, 1, place.g, last), on_curve(curves, 2, place.b, last));
}

vec3 by_table(vec3 colour) {
  vec3 place = clamp((colour - low) / (high - low), 0.0, 1.0);
  if (has.y != 0) {
    place = clamp(by_curves(curves, place), 0.0, 1.0);
  }
  place *= float(side - 1);
  ivec3 cell = min(ivec3(place), ivec3(side - 2));
  vec3 part = place - vec3(cell);
  // From the cell's lowest corner along the axes, the largest part first.
  ivec3 first, second;
  vec3 ordered;
  if (part.r >= part.g) {
    if (part.g >= part.b) { first = ivec3(1, 0, 0); second = ivec3(1, 1, 0); ordered = part.rgb; }
    else if (part.r >= part.b) { first = ivec3(1, 0, 0); second = ivec3(1, 0, 1); ordered = part.rbg; }
    else { first = ivec3(0, 0, 1); second = ivec3(1, 0, 1); ordered = part.brg; }
  } else {
    if (part.r >= part.b) { first = ivec3(0, 1, 0); second = ivec3(1, 1, 0); ordered = part.grb; }
    else if (part.g >= part.b) { first = ivec3(0, 1, 0); second = ivec3(0, 1, 1); ordered = part.gbr; }
    else { first = ivec3(0, 0, 1); second = ivec3(0, 1, 1); ordered = part.bgr; }
  }
  vec3 mixed = (1.0 - ordered.x) * texelFetch(cube, cell, 0).rgb + (ordered.x - ordered.y) * texelFetch(cube, cell + first, 0).rgb +
         (ordered.y - ordered.z) * texelFetch(cube, cell + second, 0).rgb + ordered.z * texelFetch(cube, cell + 1, 0).rgb;
  return has_last_curves == 0 ? mixed : by_curves(last_curves, min(sqrt(max(mixed, 0.0)), 1.0));
}

vec3 corrected(vec3 colour) {
  colour = clamp(colour * gain, 0.0, 1.0);
  for (int i = 0; i < 3; ++i)
    if (exponent[i] != 1.0) colour[i] = pow(colour[i], exponent[i]);
  return side == 0 ? colour : clamp(by_table(colour), 0.0, 1.0);
}

float over_panel(sampler2D map, ivec2 pixel) {
  ivec2 count = textureSize(map, 0);
  vec2 place = clamp((vec2(pixel) + 0.5) * vec2(count) / vec2(sizes.xy) - 0.5, vec2(0.0), vec2(count - 1));
  ivec2 first = ivec2(place);
  ivec2 next = min(first + 1, count - 1);
  vec2 part = vec2(part_of_next(place.x - float(first.x)), part_of_next(place.y - float(first.y)));
  float a = texelFetch(map, first, 0).r, b = texelFetch(map, ivec2(next.x, first.y), 0).r;
  float c = texelFetch(map, ivec2(first.x, next.y), 0).r, d = texelFetch(map, next, 0).r;
  float above = a + (b - a) * part.x;
  float below = c + (d - c) * part.x;
  return above + (below - above) * part.y;
}

float edge(float distance, float width) { return width == 0.0 ? 1.0 : ramp(distance / width); }

float light_by_widths(vec2 shown) {
  vec2 far = vec2(sizes.zw) - shown;
  return edge(shown.x, widths.x) * edge(far.x, widths.y) * edge(shown.y, widths.z) * edge(far.y, widths.w);
}

bool blended(float distance, float width) { return width > 0.0 && distance < width; }

float shares_of_black(vec2 shown, float map_light) {
  if (has.z != 0) return map_light >= 254.5 / 255.0 ? 1.0 : 0.0;
  if (widths == vec4(0.0)) return 1.0;
  vec2 far = vec2(sizes.zw) - shown;
  float all = (widths.x > 0.0 || widths.y > 0.0 ? 2.0 : 1.0) * (widths.z > 0.0 || widths.w > 0.0 ? 2.0 : 1.0);
  float here = (blended(shown.x, widths.x) || blended(far.x, widths.y) ? 2.0 : 1.0) *
               (blended(shown.y, widths.z) || blended(far.y, widths.w) ? 2.0 : 1.0);
  return all / here - 1.0;
}

float black_light(ivec2 pixel, vec2 shown, float map_light) {
  if (has.w != 0) return pow(over_panel(black_map, pixel), blend_gamma);
  if (black_lift <= 0.0) return 0.0;
  return min(shares_of_black(shown, map_light) * pow(black_lift, blend_gamma), 1.0);
}

vec3 active_pixel(ivec2 pixel) {
  ivec2 turned = from + right * pixel.x + down * pixel.y;
  vec3 shown = vec3(vec2(turned) + 0.5, 1.0);
  if (has.x != 0) {
    shown = place_by_mesh(pixel);
    if (shown.z <= 0.0) return vec3(0.0);
  }
  vec3 colour = corrected(has.x != 0 ? sampled(shown.xy) : tile_at(turned));
  float map_light = has.z != 0 ? over_panel(blend_map, pixel) : 1.0;
  float light = shown.z * map_light * light_by_widths(shown.xy);
  if (light < 1.0) colour *= pow(light, 1.0 / blend_gamma);
  float black = black_light(pixel, shown.xy, map_light) * shown.z;
  if (black > 0.0) colour = pow(black + (1.0 - black) * pow(colour, vec3(blend_gamma)), vec3(1.0 / blend_gamma));
  return colour;
}

// Of 64, in cells of 8 x 8 pixels (Bayer's order).
uint dither_threshold(uvec2 pixel) {
  uint threshold = 0u;
  for (int bit = 0; bit < 3; ++bit)
    threshold = threshold << 2 | ((pixel.x ^ pixel.y) >> bit & 1u) << 1 | (pixel.y >> bit & 1u);
  return threshold;
}

void main() {
  ivec2 pixel = ivec2(int(gl_FragCoord.x), sizes.y - 1 - int(gl_FragCoord.y));
  if (levels == 0.0) {
    color = vec4(tile_at(from + right * pixel.x + down * pixel.y), 1.0);
    return;
  }
  float round_up = (float(dither_threshold(uvec2(pixel))) + 0.5) / 64.0;
  color = vec4(min(floor(active_pixel(pixel) * levels + round_up), vec3(levels)) / levels, 1.0);
}
