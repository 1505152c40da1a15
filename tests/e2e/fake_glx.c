// For LD_PRELOAD: gives a program's GLX the extensions GLX_OML_sync_control and GLX_NV_swap_group, which a software driver
// has not. Says when each swap "went to the screen", and counts who joins which group.
//
// FAKE_GLX names what there is, joined by commas: "oml"; "oml-other-clock", whose times are of another clock; "nv";
// "nv-refuses", which lets nobody join; "nv-one", which lets one window. FAKE_GLX_LOG is a file, with a line for each of:
//   swap DRAWABLE COUNT MONOTONIC_US REALTIME_NS   the swap was made
//   told DRAWABLE COUNT UST                        when a swap went to the screen, as it learned
//   waits DRAWABLE                                 the program had to wait: for a swap that it asked the time of, or in a
//                                                  group, because another window of it has not swapped as often
//   joins DRAWABLE GROUP, binds GROUP BARRIER
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { windows_max = 16, swaps_kept = 256 };
struct window {
  unsigned long drawable;
  int64_t swaps;
  int64_t on_screen_us[swaps_kept];  // of the newest swaps
  unsigned group;
  int64_t swaps_in_group;
};

static void* (*real_dlsym)(void*, const char*);
static void (*real_swap)(void*, unsigned long);
static const char* (*real_extensions)(void*, int);
static void* (*real_address)(const char*);
static struct window windows[windows_max];
static FILE* out;
static int other_clock;

static int has(const char* what) {
  const char* list = getenv("FAKE_GLX");
  const size_t length = strlen(what);
  for (const char* at = list; at != NULL && (at = strstr(at, what)) != NULL; at += length)
    if ((at == list || at[-1] == ',') && (at[length] == 0 || at[length] == ',')) return 1;
  return 0;
}

__attribute__((constructor)) static void begin(void) {
  const char* versions[] = {"GLIBC_2.2.5", "GLIBC_2.17", "GLIBC_2.34"};
  for (int i = 0; i < 3 && real_dlsym == NULL; ++i)
    real_dlsym = (void* (*)(void*, const char*))dlvsym(RTLD_NEXT, "dlsym", versions[i]);
  const char* file = getenv("FAKE_GLX_LOG");
  out = file != NULL ? fopen(file, "w") : NULL;
  if (real_dlsym == NULL || out == NULL) {
    fprintf(stderr, "fake_glx.c: FAKE_GLX_LOG cannot be written, or dlsym is missing\n");
    _exit(99);
  }
  setvbuf(out, NULL, _IOLBF, 0);
  other_clock = has("oml-other-clock");
}

static int64_t now_ns(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}
static int64_t now_us(void) { return now_ns(CLOCK_MONOTONIC) / 1000; }
static int64_t ust_of(int64_t monotonic_us) { return monotonic_us + (other_clock ? INT64_C(1000000000000) : 0); }

static struct window* window_of(unsigned long drawable) {
  for (int i = 0; i < windows_max; ++i) {
    if (windows[i].drawable == 0) windows[i].drawable = drawable;
    if (windows[i].drawable == drawable) return &windows[i];
  }
  abort();
}

static void fake_swap(void* display, unsigned long drawable) {
  struct window* window = window_of(drawable);
  real_swap(display, drawable);
  // Both clocks at one instant.
  int64_t monotonic, real;
  do {
    monotonic = now_us();
    real = now_ns(CLOCK_REALTIME);
  } while (now_us() - monotonic > 5);
  ++window->swaps;
  // Each swap takes another time, so that they can be distinguished.
  window->on_screen_us[window->swaps % swaps_kept] = monotonic + 3000 + window->swaps % 5 * 1000;
  fprintf(out, "swap %lu %ld %ld %ld\n", drawable, window->swaps, monotonic, real);
  if (window->group == 0) return;
  for (int i = 0; i < windows_max; ++i)
    if (windows[i].group == window->group && windows[i].swaps_in_group < window->swaps_in_group) {
      fprintf(out, "waits %lu\n", drawable);
      break;
    }
  ++window->swaps_in_group;
}

// The newest swap on the screen.
static int64_t count_on_screen(const struct window* window) {
  const int64_t now = now_us();
  int64_t count = window->swaps;
  while (count > 0 && window->on_screen_us[count % swaps_kept] > now) --count;
  return count;
}

static int fake_get_sync_values(void* display, unsigned long drawable, int64_t* ust, int64_t* msc, int64_t* sbc) {
  (void)display;
  *sbc = count_on_screen(window_of(drawable));
  *ust = ust_of(now_us());
  *msc = 0;
  return 1;
}

static int fake_wait_for_sbc(void* display, unsigned long drawable, int64_t target, int64_t* ust, int64_t* msc, int64_t* sbc) {
  (void)display;
  struct window* window = window_of(drawable);
  if (target == 0)  // all that were made: at a window's start
    target = window->swaps;
  else if (count_on_screen(window) < target)
    fprintf(out, "waits %lu\n", drawable);
  while (count_on_screen(window) < target) usleep(500);
  *sbc = count_on_screen(window);
  *ust = ust_of(window->on_screen_us[*sbc % swaps_kept]);
  *msc = 0;
  fprintf(out, "told %lu %ld %ld\n", drawable, *sbc, *ust);
  return 1;
}

static int fake_query_max(void* display, int screen, unsigned* groups, unsigned* barriers) {
  (void)display, (void)screen;
  *groups = 1;
  *barriers = 1;
  return 1;
}

static int fake_join(void* display, unsigned long drawable, unsigned group) {
  (void)display;
  fprintf(out, "joins %lu %u\n", drawable, group);
  static int joined;
  if (has("nv-refuses") || (has("nv-one") && group != 0 && joined++ > 0)) return 0;
  window_of(drawable)->group = group;
  return 1;
}

static int fake_bind(void* display, unsigned group, unsigned barrier) {
  (void)display;
  fprintf(out, "binds %u %u\n", group, barrier);
  return 1;
}

static const char* fake_extensions(void* display, int screen) {
  static char text[8192];
  const char* real = real_extensions(display, screen);
  snprintf(text, sizeof(text), "%s%s%s", real != NULL ? real : "", has("oml") || other_clock ? " GLX_OML_sync_control" : "",
           has("nv") || has("nv-refuses") || has("nv-one") ? " GLX_NV_swap_group" : "");
  return text;
}

static void* fake_address(const char* name);
static const struct {
  const char* name;
  void* fake;
  void** real;
} functions[] = {{"glXSwapBuffers", fake_swap, (void**)&real_swap},
                 {"glXQueryExtensionsString", fake_extensions, (void**)&real_extensions},
                 {"glXGetProcAddress", fake_address, (void**)&real_address},
                 {"glXGetProcAddressARB", fake_address, (void**)&real_address},
                 {"glXGetSyncValuesOML", fake_get_sync_values, NULL},
                 {"glXWaitForSbcOML", fake_wait_for_sbc, NULL},
                 {"glXQueryMaxSwapGroupsNV", fake_query_max, NULL},
                 {"glXJoinSwapGroupNV", fake_join, NULL},
                 {"glXBindSwapBarrierNV", fake_bind, NULL}};

// What takes the place of `name`, whose own function is `real`; else that.
static void* in_place_of(const char* name, void* real) {
  for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); ++i) {
    if (strcmp(name, functions[i].name) != 0) continue;
    if (functions[i].real == NULL) return functions[i].fake;
    if (real == NULL) return NULL;
    if (*functions[i].real == NULL) *functions[i].real = real;
    return functions[i].fake;
  }
  return real;
}

static void* fake_address(const char* name) { return in_place_of(name, real_address(name)); }

void* dlsym(void* restrict handle, const char* restrict name) {
  if (real_dlsym == NULL) begin();
  return in_place_of(name, real_dlsym(handle, name));
}
