/* Put before the C library (LD_PRELOAD): below a folder, files behave as on a bad file server.

   SERVER_BELOW   folder, absolute, without a link in it
   SERVER_FAULTS  FUNCTION=WHAT[@N], with commas between them; without @N every call is hit.
                  WHAT is an error of errno, or
                  LOST   it is done, and the answer says it could not be: a request that was sent twice
                  SILLY  of unlink: the file gets a name ".nfs..." instead, as if it were still open
   SERVER_STALE   file with lines "SIZE SECONDS NANOSECONDS PATH": what is told of a path's size and
                  change, whatever they are by now; an open file tells the truth
   SERVER_TOLD    file that gets a line for each hit */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NONE = 0, LOST = -1, SILLY = -2 };

static const struct { const char *name; int number; } ERRORS[] = {
    {"EXDEV", EXDEV}, {"ESTALE", ESTALE}, {"ENOLCK", ENOLCK}, {"EPERM", EPERM}, {"EIO", EIO},
    {"EINVAL", EINVAL}, {"ENOSPC", ENOSPC}, {"EDQUOT", EDQUOT}, {"EACCES", EACCES},
    {"EOPNOTSUPP", EOPNOTSUPP}, {"ENOTEMPTY", ENOTEMPTY}, {"EBUSY", EBUSY}, {"EROFS", EROFS},
    {"LOST", LOST}, {"SILLY", SILLY},
};

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

static int absolute(int folder, const char *path, char *out)
{
    char base[PATH_MAX] = "", link[64];
    if (!path) return 0;
    if (path[0] != '/') {
        if (folder == AT_FDCWD) {
            if (!getcwd(base, sizeof base)) return 0;
        } else {
            snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
            ssize_t size = readlink(link, base, sizeof base - 1);
            if (size < 0) return 0;
            base[size] = 0;
        }
        return snprintf(out, PATH_MAX, "%s/%s", base, path) < PATH_MAX;
    }
    return snprintf(out, PATH_MAX, "%s", path) < PATH_MAX;
}

static int is_below(const char *path)
{
    const char *below = getenv("SERVER_BELOW");
    return below && !strncmp(path, below, strlen(below));
}

static void tell(const char *function, const char *path)
{
    const char *file = getenv("SERVER_TOLD");
    char line[PATH_MAX + 64];
    if (!file) return;
    int handle = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_APPEND | O_CREAT, 0666);
    int size = snprintf(line, sizeof line, "%s %s\n", function, path);
    if (handle >= 0) {
        if (syscall(SYS_write, handle, line, size)) {}
        syscall(SYS_close, handle);
    }
}

/* What a call of a function on a path comes to. */
static int fault(const char *function, int folder, const char *path)
{
    static struct { char function[32]; int count; } calls[32];
    char full[PATH_MAX], rules[1024], *rest = rules, *rule;
    const char *given = getenv("SERVER_FAULTS");
    if (!given || !absolute(folder, path, full) || !is_below(full)) return NONE;
    snprintf(rules, sizeof rules, "%s", given);
    while ((rule = strsep(&rest, ","))) {
        char *what = strchr(rule, '='), *at = strchr(rule, '@');
        int slot = 0;
        if (!what) continue;
        *what++ = 0;
        if (at) *at++ = 0;
        if (strcmp(rule, function)) continue;
        while (slot < 31 && calls[slot].function[0] && strcmp(calls[slot].function, function)) slot++;
        snprintf(calls[slot].function, sizeof calls[slot].function, "%s", function);
        if (__sync_add_and_fetch(&calls[slot].count, 1) != (at ? atoi(at) : calls[slot].count)) continue;
        for (size_t i = 0; i < sizeof ERRORS / sizeof *ERRORS; i++)
            if (!strcmp(ERRORS[i].name, what)) {
                tell(function, full);
                return ERRORS[i].number;
            }
    }
    return NONE;
}

static int fault_of_handle(const char *function, int handle)
{
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) return NONE;
    path[size] = 0;
    return path[0] == '/' ? fault(function, AT_FDCWD, path) : NONE;
}

static int fail(int number) { errno = number; return -1; }

/* Do it, unless it fails; where the answer is lost, say what the second request would hear. */
#define ANSWER(found, call, heard)                        \
    do {                                                  \
        int found_ = (found);                             \
        if (found_ > 0) return fail(found_);              \
        int done_ = (call);                               \
        return found_ == LOST && !done_ ? fail(heard) : done_; \
    } while (0)

int rename(const char *from, const char *to)
{
    ANSWER(fault("rename", AT_FDCWD, to), REAL(rename)(from, to), ENOENT);
}

int renameat(int a, const char *from, int b, const char *to)
{
    ANSWER(fault("rename", b, to), REAL(renameat)(a, from, b, to), ENOENT);
}

int link(const char *from, const char *to)
{
    ANSWER(fault("link", AT_FDCWD, to), REAL(link)(from, to), EEXIST);
}

int linkat(int a, const char *from, int b, const char *to, int flags)
{
    ANSWER(fault("link", b, to), REAL(linkat)(a, from, b, to, flags), EEXIST);
}

int mkdir(const char *path, mode_t mode)
{
    ANSWER(fault("mkdir", AT_FDCWD, path), REAL(mkdir)(path, mode), EEXIST);
}

int rmdir(const char *path)
{
    ANSWER(fault("rmdir", AT_FDCWD, path), REAL(rmdir)(path), ENOENT);
}

static int remove_at(int folder, const char *path)
{
    static int number;
    int found = fault("unlink", folder, path);
    if (found != SILLY)
        ANSWER(found, REAL(unlinkat)(folder, path, 0), ENOENT);
    char name[PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(name, sizeof name, "%.*s.nfs%08d%08d", slash ? (int)(slash - path + 1) : 0, path,
             getpid(), __sync_add_and_fetch(&number, 1));
    return REAL(renameat)(folder, path, folder, name);
}

int unlink(const char *path) { return remove_at(AT_FDCWD, path); }

int unlinkat(int folder, const char *path, int flags)
{
    if (!(flags & AT_REMOVEDIR)) return remove_at(folder, path);
    ANSWER(fault("rmdir", folder, path), REAL(unlinkat)(folder, path, flags), ENOENT);
}

int chmod(const char *path, mode_t mode)
{
    ANSWER(fault("chmod", AT_FDCWD, path), REAL(chmod)(path, mode), EPERM);
}

int fchmodat(int folder, const char *path, mode_t mode, int flags)
{
    ANSWER(fault("chmod", folder, path), REAL(fchmodat)(folder, path, mode, flags), EPERM);
}

int utimensat(int folder, const char *path, const struct timespec times[2], int flags)
{
    ANSWER(fault("utime", folder, path), REAL(utimensat)(folder, path, times, flags), EPERM);
}

static int sync_fault(int handle)
{
    struct stat found;
    return fault_of_handle(REAL(fstat)(handle, &found) || !S_ISDIR(found.st_mode) ? "fsync" : "fsync_folder", handle);
}

int fsync(int handle) { ANSWER(sync_fault(handle), REAL(fsync)(handle), EIO); }

int fdatasync(int handle) { ANSWER(sync_fault(handle), REAL(fdatasync)(handle), EIO); }

int flock(int handle, int how) { ANSWER(fault_of_handle("lock", handle), REAL(flock)(handle, how), ENOLCK); }

static int control(__typeof__(&fcntl) next, int handle, int command, void *argument)
{
    if (command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW) {
        int found = fault_of_handle("lock", handle);
        if (found > 0) return fail(found);
    }
    return next(handle, command, argument);
}

#define PASS_ARGUMENT(name)                                   \
    int name(int handle, int command, ...)                    \
    {                                                         \
        va_list given;                                        \
        va_start(given, command);                             \
        void *argument = va_arg(given, void *);               \
        va_end(given);                                        \
        return control((__typeof__(&fcntl))real(#name), handle, command, argument); \
    }

PASS_ARGUMENT(fcntl)
PASS_ARGUMENT(fcntl64)

/* What was written may be refused as late as when the file is closed; it is closed all the same. */
int close(int handle)
{
    int how = REAL(fcntl)(handle, F_GETFL), found = NONE;
    if (how >= 0 && (how & O_ACCMODE) != O_RDONLY) found = fault_of_handle("close", handle);
    int done = REAL(close)(handle);
    return found > 0 ? fail(found) : done;
}

static int open_at(const char *function, int folder, const char *path, int flags, mode_t mode)
{
    int found = fault(flags & O_EXCL ? "create" : flags & O_ACCMODE ? "write" : "open", folder, path);
    if (found > 0) return fail(found);
    __typeof__(&openat) next = (__typeof__(&openat))real(function);
    int handle = next(folder, path, flags, mode);
    if (found == LOST && handle >= 0) {
        REAL(close)(handle);
        return fail(EEXIST);
    }
    return handle;
}

#define OPEN(name, through, folder_, ...)                     \
    int name(__VA_ARGS__ const char *path, int flags, ...)    \
    {                                                         \
        va_list given;                                        \
        va_start(given, flags);                               \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(given, mode_t) : 0; \
        va_end(given);                                        \
        return open_at(through, folder_, path, flags, mode);  \
    }

#define NOTHING
OPEN(open, "openat", AT_FDCWD, NOTHING)
OPEN(open64, "openat64", AT_FDCWD, NOTHING)
OPEN(openat, "openat", folder, int folder,)
OPEN(openat64, "openat64", folder, int folder,)

/* Attributes that this client keeps for some seconds while another one writes. */
static int known(int folder, const char *path, long long *size, struct timespec *time)
{
    char full[PATH_MAX], line[PATH_MAX + 100];
    const char *file = getenv("SERVER_STALE");
    if (!file || !absolute(folder, path, full) || !is_below(full)) return 0;
    FILE *stream = fopen(file, "re");
    int found = 0;
    while (stream && !found && fgets(line, sizeof line, stream)) {
        int begin = 0;
        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, "%lld %ld %ld %n", size, &time->tv_sec, &time->tv_nsec, &begin) >= 3)
            found = begin && !strcmp(line + begin, full);
    }
    if (stream) fclose(stream);
    if (found) tell("stat", full);
    return found;
}

#define STAT(name, type, folder_, arguments, ...)             \
    int name arguments                                        \
    {                                                         \
        long long size;                                       \
        struct timespec time;                                 \
        int done = ((__typeof__(&name))real(#name))(__VA_ARGS__); \
        if (!done && known(folder_, path, &size, &time)) {    \
            found->st_size = size;                            \
            found->st_mtim = found->st_ctim = time;           \
        }                                                     \
        return done;                                          \
    }

STAT(stat, stat, AT_FDCWD, (const char *path, struct stat *found), path, found)
STAT(lstat, stat, AT_FDCWD, (const char *path, struct stat *found), path, found)
STAT(stat64, stat64, AT_FDCWD, (const char *path, struct stat64 *found), path, found)
STAT(lstat64, stat64, AT_FDCWD, (const char *path, struct stat64 *found), path, found)
STAT(fstatat, stat, folder, (int folder, const char *path, struct stat *found, int flags), folder, path, found, flags)
STAT(fstatat64, stat64, folder, (int folder, const char *path, struct stat64 *found, int flags), folder, path, found, flags)
