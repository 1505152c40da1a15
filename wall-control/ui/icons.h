// The icons of the program by meaning: line icons of Debian's breeze-icon-theme, and those that it lacks from
// ui/icons. They are drawn in the colours of the theme in use. Without the theme's package controls show their words.
// GUI thread.
#pragma once

#include <QIcon>

#include <span>

namespace lw {

enum class Icon : unsigned char {
  none,
  // Transport.
  play,
  pause,
  stop,
  to_start,
  to_end,
  frame_back,
  frame_forward,
  backwards,
  loop,
  loop_range,
  next_in_playlist,
  volume,
  volume_muted,
  // Wall.
  monitor,
  playing,
  identify,
  test_pattern,
  concealed_rows,
  blank,
  overlay,
  camera,
  zoom_in,
  zoom_out,
  zoom_fit,
  full_screen,
  select,
  minimap,
  // Content.
  library,
  playlist,
  add,
  grid,
  list,
  image,
  import,
  open,
  save,
  film,
  tags,
  edit,
  remove,
  sort,
  // Analysis.
  activity,
  show_cause,
  chart,
  distribution,
  heat_map,
  columns,
  compare,
  history,
  filter,
  export_figures,
  export_image,
  record,
  gauge,
  // Stages and hosts.
  disk,
  wait,
  send,
  network,
  assemble,
  upload,
  swap,
  cpu,
  server,
  memory,
  clock,
  // Window.
  search,
  bell,
  bell_muted,
  unlocked,
  locked,
  key,
  fingerprint,
  person,
  presentation,
  pin,
  copy,
  terminal,
  refresh,
  undo,
  redo,
  settings,
  theme,
  keyboard,
  book,
  more,
  left,
  right,
  up,
  down,
  check,
  close,
  quit,
  about,
  info,
  count,
};

// Null if the theme's package is missing and the icon is the theme's.
QIcon icon(Icon meaning);
// In one colour instead of that of texts.
QIcon icon(Icon meaning, const QColor& color);
// Where its drawing is: a file of the theme, or a resource of the program. Empty if it is missing.
QString icon_file(Icon meaning);
// One line about what to install, if the theme is missing; otherwise empty.
QString missing_icons();

}  // namespace lw
