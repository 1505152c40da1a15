// For LD_PRELOAD: the faults of disks and memory that a test wants, at the call it wants, and a log of what a program
// changes on the disk.
//
// FAULT="DEED CALLS PATH FIRST COUNT":
//   DEED   EIO, ENOSPC, ENOMEM, ...: the call fails with it; short: a write takes half of its bytes; slow:MS: the call
//          takes so much longer, reads by io_uring one after the other; exit: the program ends there, a write half done;
//          none: for the log only
//   CALLS  of read, create, write, sync, rename, mkdir, unlink, alloc; several with commas, or "changes" (all from
//          create to unlink)
//   PATH   a part of the file's path, or *. Of alloc: the least bytes that count
//   FIRST  the first of these calls that it happens to, counted from 1, and COUNT how many (0: all that follow)
// FAULT_LOG=FILE gets a line for each of these calls, before it is made: its number, name and path (and the new path).
// FAULT_NO_URING=1: the kernel has no io_uring. Without it, of io_uring's reads only the deeds slow and none happen.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static char deed[32], calls[128], part[512];
static long first, count;
static int code, log_fd = -1, wants_alloc;
static size_t alloc_least;
static atomic_long seen;

#define REAL(name) ((__typeof__(&name))real(#name))
static void* real(const char* name) { return dlsym(RTLD_NEXT, name); }

static const struct {
  const char* name;
  int code;
} codes[] = {{"EIO", EIO}, {"ENOSPC", ENOSPC}, {"ENOMEM", ENOMEM}, {"EACCES", EACCES}, {"EMFILE", EMFILE}, {"EROFS", EROFS}};

__attribute__((constructor)) static void begin(void) {
  const char* text = getenv("FAULT");
  if (text == NULL) return;
  if (sscanf(text, "%31s %127s %511s %ld %ld", deed, calls, part, &first, &count) != 5) {
    fprintf(stderr, "FAULT is not set as tests/e2e/fault_shim.c wants it\n");
    _exit(99);
  }
  for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); ++i)
    if (strcmp(deed, codes[i].name) == 0) code = codes[i].code;
  if (strstr(calls, "alloc") != NULL) {
    alloc_least = strtoul(part, NULL, 10);
    wants_alloc = 1;
  }
  const char* log = getenv("FAULT_LOG");
  if (log != NULL) log_fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

static int is_wanted(const char* call, const char* path) {
  if (deed[0] == 0 || wants_alloc) return 0;
  const int changes = strcmp(calls, "changes") == 0 && strcmp(call, "read") != 0;
  if (!changes && strstr(calls, call) == NULL) return 0;
  return strcmp(part, "*") == 0 || strstr(path, part) != NULL;
}

enum Fate { go_on, fail, half, half_and_exit, slow };

static enum Fate decide(const char* call, const char* path, const char* to) {
  if (!is_wanted(call, path)) return go_on;
  const long number = atomic_fetch_add(&seen, 1) + 1;
  if (log_fd >= 0) {
    char line[1200];
    const int length = snprintf(line, sizeof(line), "%ld %s %s%s%s\n", number, call, path, to[0] != 0 ? " " : "", to);
    syscall(SYS_write, log_fd, line, (size_t)length);
  }
  if (number < first || (count > 0 && number >= first + count)) return go_on;
  if (code != 0) {
    errno = code;
    return fail;
  }
  if (strcmp(deed, "short") == 0) return half;
  if (strcmp(deed, "exit") == 0) {
    if (strcmp(call, "write") == 0) return half_and_exit;
    syscall(SYS_exit_group, 137);
  }
  return strncmp(deed, "slow:", 5) == 0 ? slow : go_on;
}

// The same for calls that take so much longer themselves.
static enum Fate fate(const char* call, const char* path, const char* to) {
  const enum Fate what = decide(call, path, to);
  if (what != slow) return what;
  const long ms = strtol(deed + 5, NULL, 10);
  const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
  return go_on;
}

static const char* path_of(int fd, char* room, size_t bytes) {
  char link[64];
  snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, room, bytes - 1);
  room[length > 0 ? length : 0] = 0;
  return room;
}

static const char* path_at(int folder, const char* path, char* room, size_t bytes) {
  if (path[0] == '/' || folder == AT_FDCWD) return path;
  path_of(folder, room, bytes);
  const size_t length = strlen(room);
  snprintf(room + length, bytes - length, "/%s", path);
  return room;
}

static enum Fate fate_of_fd(const char* call, int fd) {
  char room[1024];
  if (deed[0] == 0 || wants_alloc) return go_on;
  return fate(call, path_of(fd, room, sizeof(room)), "");
}

// Writes.
static ssize_t taken(int fd, const void* bytes, size_t size, off_t offset, enum Fate what) {
  if (what == fail) return -1;
  const size_t some = what == go_on || size < 2 ? size : size / 2;
  const ssize_t done = offset < 0 ? syscall(SYS_write, fd, bytes, some) : syscall(SYS_pwrite64, fd, bytes, some, offset);
  if (what == half_and_exit) syscall(SYS_exit_group, 137);
  return done;
}
ssize_t write(int fd, const void* bytes, size_t size) { return taken(fd, bytes, size, -1, fate_of_fd("write", fd)); }
ssize_t pwrite(int fd, const void* bytes, size_t size, off_t offset) {
  return taken(fd, bytes, size, offset, fate_of_fd("write", fd));
}
ssize_t pwrite64(int fd, const void* bytes, size_t size, off64_t offset) {
  return taken(fd, bytes, size, offset, fate_of_fd("write", fd));
}
ssize_t writev(int fd, const struct iovec* pieces, int number) {
  const enum Fate what = fate_of_fd("write", fd);
  if (what == go_on) return syscall(SYS_writev, fd, pieces, number);
  return taken(fd, pieces[0].iov_base, pieces[0].iov_len, -1, what);
}
size_t fwrite(const void* bytes, size_t size, size_t number, FILE* file) {
  const enum Fate what = fate_of_fd("write", fileno(file));
  if (what == fail) return 0;
  if (what == half_and_exit) syscall(SYS_exit_group, 137);
  return REAL(fwrite)(bytes, size, number, file);
}

// Reads.
ssize_t pread(int fd, void* to, size_t size, off_t offset) {
  return fate_of_fd("read", fd) == fail ? -1 : syscall(SYS_pread64, fd, to, size, offset);
}
ssize_t pread64(int fd, void* to, size_t size, off64_t offset) {
  return fate_of_fd("read", fd) == fail ? -1 : syscall(SYS_pread64, fd, to, size, offset);
}
ssize_t read(int fd, void* to, size_t size) {
  return fate_of_fd("read", fd) == fail ? -1 : syscall(SYS_read, fd, to, size);
}

// Files and folders.
static int open_at(int folder, const char* path, int flags, unsigned mode) {
  char room[1024];
  if ((flags & O_CREAT) != 0 && fate("create", path_at(folder, path, room, sizeof(room)), "") == fail) return -1;
  return (int)syscall(SYS_openat, folder, path, flags, mode);
}
#define OPEN(name, parameters, folder)   \
  int name parameters {                  \
    unsigned mode = 0;                   \
    if ((flags & O_CREAT) != 0) {        \
      va_list more;                      \
      va_start(more, flags);             \
      mode = va_arg(more, unsigned);     \
      va_end(more);                      \
    }                                    \
    return open_at(folder, path, flags, mode); \
  }
OPEN(open, (const char* path, int flags, ...), AT_FDCWD)
OPEN(open64, (const char* path, int flags, ...), AT_FDCWD)
OPEN(openat, (int folder, const char* path, int flags, ...), folder)
OPEN(openat64, (int folder, const char* path, int flags, ...), folder)
FILE* fopen(const char* path, const char* mode) {
  if (strchr(mode, 'r') == NULL && fate("create", path, "") == fail) return NULL;
  return REAL(fopen)(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  if (strchr(mode, 'r') == NULL && fate("create", path, "") == fail) return NULL;
  return REAL(fopen64)(path, mode);
}
int fsync(int fd) { return fate_of_fd("sync", fd) == fail ? -1 : (int)syscall(SYS_fsync, fd); }
int fdatasync(int fd) { return fate_of_fd("sync", fd) == fail ? -1 : (int)syscall(SYS_fdatasync, fd); }
int rename(const char* from, const char* to) {
  return fate("rename", from, to) == fail ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int mkdir(const char* path, mode_t mode) {
  return fate("mkdir", path, "") == fail ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}
int unlink(const char* path) {
  return fate("unlink", path, "") == fail ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}
int rmdir(const char* path) {
  return fate("unlink", path, "") == fail ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
}
int remove(const char* path) {
  struct stat status;
  const int is_folder = lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
  return is_folder ? rmdir(path) : unlink(path);
}
int unlinkat(int folder, const char* path, int flags) {
  char room[1024];
  if (fate("unlink", path_at(folder, path, room, sizeof(room)), "") == fail) return -1;
  return (int)syscall(SYS_unlinkat, folder, path, flags);
}

// Memory: by the size alone.
static int is_refused(size_t bytes) {
  if (!wants_alloc || bytes < alloc_least) return 0;
  const long number = atomic_fetch_add(&seen, 1) + 1;
  if (number < first || (count > 0 && number >= first + count)) return 0;
  errno = ENOMEM;
  return 1;
}
extern void* __libc_malloc(size_t bytes);
void* malloc(size_t bytes) { return is_refused(bytes) ? NULL : __libc_malloc(bytes); }
void* mmap(void* where, size_t bytes, int protection, int flags, int fd, off_t offset) {
  if ((flags & MAP_ANONYMOUS) != 0 && is_refused(bytes)) return MAP_FAILED;
  return (void*)syscall(SYS_mmap, where, bytes, protection, flags, fd, offset);
}

// liburing's: the program hands reads over here instead of to the kernel. A disk that is slow is a thread that makes them
// one after the other, and posts their completions.
int io_uring_queue_init_params(unsigned entries, struct io_uring* ring, struct io_uring_params* params) {
  if (getenv("FAULT_NO_URING") != NULL) return -ENOSYS;
  return REAL(io_uring_queue_init_params)(entries, ring, params);
}

static int* files;  // the program's table
int io_uring_register_files(struct io_uring* ring, const int* descriptors, unsigned number) {
  if (deed[0] == 0) return REAL(io_uring_register_files)(ring, descriptors, number);
  files = realloc(files, number * sizeof(*files));
  memcpy(files, descriptors, number * sizeof(*files));
  return REAL(io_uring_register_files)(ring, descriptors, number);
}

struct SlowRead {
  struct SlowRead* next;
  struct io_uring_sqe entry;
  int fd, ring_fd;
};
static struct SlowRead *oldest, **newest = &oldest;
static pthread_mutex_t slow_reads = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more_slow_reads = PTHREAD_COND_INITIALIZER;

static struct SlowRead* take_slow_read(void) {
  pthread_mutex_lock(&slow_reads);
  while (oldest == NULL) pthread_cond_wait(&more_slow_reads, &slow_reads);
  struct SlowRead* read = oldest;
  oldest = read->next;
  if (oldest == NULL) newest = &oldest;
  pthread_mutex_unlock(&slow_reads);
  return read;
}

static void* slow_disk(void* nothing) {
  const long ms = strtol(deed + 5, NULL, 10);
  const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  struct io_uring ring;
  if (REAL(io_uring_queue_init)(8, &ring, 0) != 0) _exit(99);
  for (;;) {
    struct SlowRead* read = take_slow_read();
    nanosleep(&time, NULL);
    const long done = syscall(SYS_pread64, read->fd, (void*)(uintptr_t)read->entry.addr, (size_t)read->entry.len, (off_t)read->entry.off);
    struct io_uring_sqe* post = io_uring_get_sqe(&ring);
    io_uring_prep_msg_ring(post, read->ring_fd, (unsigned)(done < 0 ? -errno : done), read->entry.user_data, 0);
    if (REAL(io_uring_submit_and_wait)(&ring, 1) < 0) _exit(99);
    io_uring_cq_advance(&ring, 1);
    free(read);
  }
  return nothing;
}

static void hand_over(const struct io_uring_sqe* entry, int fd, int ring_fd) {
  static pthread_t thread;
  struct SlowRead* read = malloc(sizeof(*read));
  *read = (struct SlowRead){NULL, *entry, fd, ring_fd};
  pthread_mutex_lock(&slow_reads);
  if (thread == 0 && pthread_create(&thread, NULL, slow_disk, NULL) != 0) _exit(99);
  *newest = read;
  newest = &read->next;
  pthread_cond_signal(&more_slow_reads);
  pthread_mutex_unlock(&slow_reads);
}

// Of the entries that the program has made since the last time.
static void take_slow_reads(struct io_uring* ring) {
  if (strncmp(deed, "slow:", 5) != 0 && strcmp(deed, "none") != 0) return;
  for (unsigned at = ring->sq.sqe_head; at != ring->sq.sqe_tail; ++at) {
    struct io_uring_sqe* entry = &ring->sq.sqes[at & ring->sq.ring_mask];
    if (entry->opcode != IORING_OP_READ && entry->opcode != IORING_OP_READ_FIXED) continue;
    const int fd = (entry->flags & IOSQE_FIXED_FILE) != 0 ? files[entry->fd] : entry->fd;
    char room[1024];
    if (decide("read", path_of(fd, room, sizeof(room)), "") != slow) continue;
    hand_over(entry, fd, ring->ring_fd);
    io_uring_prep_nop(entry);
    entry->flags = IOSQE_CQE_SKIP_SUCCESS;
  }
}
int io_uring_submit(struct io_uring* ring) {
  take_slow_reads(ring);
  return REAL(io_uring_submit)(ring);
}
int io_uring_submit_and_get_events(struct io_uring* ring) {
  take_slow_reads(ring);
  return REAL(io_uring_submit_and_get_events)(ring);
}
int io_uring_submit_and_wait_timeout(struct io_uring* ring, struct io_uring_cqe** completion, unsigned number,
                                     struct __kernel_timespec* limit, sigset_t* signals) {
  take_slow_reads(ring);
  return REAL(io_uring_submit_and_wait_timeout)(ring, completion, number, limit, signals);
}
