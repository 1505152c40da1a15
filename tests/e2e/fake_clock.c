// For LD_PRELOAD: gives a program clocks that are set wrong and run at another rate, as another host has them. All
// hosts of a test are one machine, so only so can their clocks differ while the test knows the truth.
//
// FAKE_CLOCK="START_NS OFFSET_NS DRIFT_PPB STEP_AT_NS STEP_NS": CLOCK_REALTIME is the true one plus OFFSET, running fast
// by DRIFT from the true time START on, and set by STEP at the true time STEP_AT (0: never). CLOCK_MONOTONIC and
// CLOCK_MONOTONIC_RAW run fast by the same. Sleeps and the kernel's arrival times are turned into the truth and back.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int (*real_gettime)(clockid_t, struct timespec*);
static int (*real_nanosleep)(clockid_t, int, const struct timespec*, struct timespec*);
static int (*real_recvmmsg)(int, struct mmsghdr*, unsigned, int, struct timespec*);
static ssize_t (*real_recvmsg)(int, struct msghdr*, int);
static int64_t start, offset, drift_ppb, step_at, step;

static int64_t ns_of(const struct timespec* time) { return time->tv_sec * INT64_C(1000000000) + time->tv_nsec; }
static struct timespec of_ns(int64_t ns) {
  struct timespec time = {ns / 1000000000, ns % 1000000000};
  return time;
}
static int64_t now(clockid_t clock) {
  struct timespec time;
  real_gettime(clock, &time);
  return ns_of(&time);
}
static int64_t drifted(int64_t elapsed) { return (int64_t)((__int128)elapsed * drift_ppb / 1000000000); }

__attribute__((constructor)) static void begin(void) {
  real_gettime = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
  real_nanosleep = (int (*)(clockid_t, int, const struct timespec*, struct timespec*))dlsym(RTLD_NEXT, "clock_nanosleep");
  real_recvmmsg = (int (*)(int, struct mmsghdr*, unsigned, int, struct timespec*))dlsym(RTLD_NEXT, "recvmmsg");
  real_recvmsg = (ssize_t(*)(int, struct msghdr*, int))dlsym(RTLD_NEXT, "recvmsg");
  const char* text = getenv("FAKE_CLOCK");
  if (text == NULL || sscanf(text, "%ld %ld %ld %ld %ld", &start, &offset, &drift_ppb, &step_at, &step) != 5) {
    fprintf(stderr, "FAKE_CLOCK is not set as tests/e2e/fake_clock.c wants it\n");
    _exit(99);
  }
}

static int64_t fake_real(int64_t truth) {
  return truth + offset + drifted(truth - start) + (step_at != 0 && truth >= step_at ? step : 0);
}

int clock_gettime(clockid_t clock, struct timespec* out) {
  if (real_gettime == NULL) begin();
  const int failed = real_gettime(clock, out);
  if (failed != 0) return failed;
  if (clock == CLOCK_REALTIME)
    *out = of_ns(fake_real(ns_of(out)));
  else if (clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW)
    *out = of_ns(ns_of(out) + drifted(now(CLOCK_REALTIME) - start));
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec* request, struct timespec* remain) {
  if ((flags & TIMER_ABSTIME) == 0) return real_nanosleep(clock, flags, request, remain);
  struct timespec here;
  clock_gettime(clock, &here);
  const int64_t rest = ns_of(request) - ns_of(&here);
  if (rest <= 0) return 0;
  const struct timespec truth = of_ns(rest);
  return real_nanosleep(CLOCK_MONOTONIC, 0, &truth, NULL);
}

static void turn_arrivals(struct msghdr* message) {
  if (message->msg_control == NULL || message->msg_controllen == 0) return;
  for (struct cmsghdr* entry = CMSG_FIRSTHDR(message); entry != NULL; entry = CMSG_NXTHDR(message, entry)) {
    if (entry->cmsg_level != SOL_SOCKET || entry->cmsg_type != SO_TIMESTAMPNS) continue;
    struct timespec time;
    memcpy(&time, CMSG_DATA(entry), sizeof(time));
    time = of_ns(fake_real(ns_of(&time)));
    memcpy(CMSG_DATA(entry), &time, sizeof(time));
  }
}

ssize_t recvmsg(int fd, struct msghdr* message, int flags) {
  const ssize_t bytes = real_recvmsg(fd, message, flags);
  if (bytes >= 0) turn_arrivals(message);
  return bytes;
}

int recvmmsg(int fd, struct mmsghdr* messages, unsigned count, int flags, struct timespec* timeout) {
  const int got = real_recvmmsg(fd, messages, count, flags, timeout);
  for (int i = 0; i < got; ++i) turn_arrivals(&messages[i].msg_hdr);
  return got;
}
