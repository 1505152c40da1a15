// For LD_PRELOAD: a network card's PTP clock behind an ordinary file, and what the kernel learns about the system's clock.
//
// FAKE_PHC="AHEAD_NS TAI_S MAXERROR_US": the card's clock is ahead of the system's by AHEAD, the kernel knows TAI - UTC
// (0: it does not), and learns that the clock is off by no more than MAXERROR.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/ptp_clock.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

static int64_t ahead;
static int tai;
static long max_error;

__attribute__((constructor)) static void begin(void) {
  const char* text = getenv("FAKE_PHC");
  if (text == NULL || sscanf(text, "%ld %d %ld", &ahead, &tai, &max_error) != 3) {
    fprintf(stderr, "FAKE_PHC is not set as tests/e2e/fake_phc.c wants it\n");
    _exit(99);
  }
}

static struct ptp_clock_time of_ns(int64_t ns) {
  struct ptp_clock_time time = {ns / 1000000000, (uint32_t)(ns % 1000000000), 0};
  return time;
}

int ioctl(int fd, unsigned long request, ...) {
  va_list list;
  va_start(list, request);
  void* data = va_arg(list, void*);
  va_end(list);
  if (request != PTP_SYS_OFFSET_EXTENDED) {
    int (*real)(int, unsigned long, void*) = (int (*)(int, unsigned long, void*))dlsym(RTLD_NEXT, "ioctl");
    return real(fd, request, data);
  }
  struct ptp_sys_offset_extended* answer = data;
  for (unsigned i = 0; i < answer->n_samples; ++i) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    const int64_t now = time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
    answer->ts[i][0] = of_ns(now);
    answer->ts[i][1] = of_ns(now + 500 + ahead);
    answer->ts[i][2] = of_ns(now + 1000);
  }
  return 0;
}

int adjtimex(struct timex* state) {
  int (*real)(struct timex*) = (int (*)(struct timex*))dlsym(RTLD_NEXT, "adjtimex");
  const int result = real(state);
  state->tai = tai;
  state->maxerror = max_error;
  state->status &= ~STA_UNSYNC;
  return result == TIME_ERROR ? TIME_OK : result;
}
