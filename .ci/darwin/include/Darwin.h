/* What this package uses of Darwin's C library, with the types that Apple's headers give it. Nothing is behind the functions.

   The C names have a prefix: Linux's own C library is loaded beside this one, as Dispatch and other libraries need it. Swift
   sees the names without it. The headers that each part was written from are named in MacOS.md. */
#pragma once
#include <stddef.h>

#define NAMED(name) __attribute__((swift_name(name)))
#define STRUCT(name) struct NAMED(#name) darwin_##name
#define TYPE(name) darwin_##name NAMED(#name)

/* sys/_types.h, sys/_types/, machine/_types.h */
typedef int TYPE(pid_t);
typedef unsigned int TYPE(uid_t);
typedef unsigned int TYPE(gid_t);
typedef unsigned short TYPE(mode_t);
typedef unsigned short TYPE(nlink_t);
typedef int TYPE(dev_t);
typedef unsigned long long TYPE(ino_t);
typedef long long TYPE(off_t);
typedef long long TYPE(blkcnt_t);
typedef int TYPE(blksize_t);
typedef long TYPE(time_t);
typedef int TYPE(suseconds_t);
typedef long TYPE(ssize_t);
typedef unsigned int TYPE(sigset_t);
typedef unsigned int TYPE(socklen_t);
typedef unsigned char TYPE(sa_family_t);
typedef unsigned short TYPE(in_port_t);
typedef unsigned int TYPE(in_addr_t);

STRUCT(timespec) {
    darwin_time_t tv_sec;
    long tv_nsec;
};
STRUCT(timeval) {
    darwin_time_t tv_sec;
    darwin_suseconds_t tv_usec;
};

/* sys/stat.h, with 64-bit inode numbers */
STRUCT(stat) {
    darwin_dev_t st_dev;
    darwin_mode_t st_mode;
    darwin_nlink_t st_nlink;
    darwin_ino_t st_ino;
    darwin_uid_t st_uid;
    darwin_gid_t st_gid;
    darwin_dev_t st_rdev;
    struct darwin_timespec st_atimespec;
    struct darwin_timespec st_mtimespec;
    struct darwin_timespec st_ctimespec;
    struct darwin_timespec st_birthtimespec;
    darwin_off_t st_size;
    darwin_blkcnt_t st_blocks;
    darwin_blksize_t st_blksize;
    unsigned int st_flags;
    unsigned int st_gen;
    int st_lspare;
    long long st_qspare[2];
};
NAMED("stat(_:_:)") int darwin_stat(const char *, struct darwin_stat *);
NAMED("lstat(_:_:)") int darwin_lstat(const char *, struct darwin_stat *);
NAMED("fstat(_:_:)") int darwin_fstat(int, struct darwin_stat *);
NAMED("fchmod(_:_:)") int darwin_fchmod(int, darwin_mode_t);
NAMED("mkfifo(_:_:)") int darwin_mkfifo(const char *, darwin_mode_t);

/* sys/fcntl.h, sys/file.h */
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_ACCMODE 0x0003
#define O_NONBLOCK 0x00000004
#define O_CREAT 0x00000200
#define O_TRUNC 0x00000400
#define O_EXCL 0x00000800
#define O_NOCTTY 0x00020000
#define O_CLOEXEC 0x01000000
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_DUPFD_CLOEXEC 67
#define FD_CLOEXEC 1
#define LOCK_EX 0x02
#define LOCK_NB 0x04
NAMED("flock(_:_:)") int darwin_flock(int, int);

/* unistd.h, sys/unistd.h, stdio.h, stdlib.h, string.h, limits.h, sys/syslimits.h */
#define F_OK 0
#define R_OK (1 << 2)
#define W_OK (1 << 1)
#define X_OK (1 << 0)
#define SEEK_SET 0
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define PATH_MAX 1024
#define _SC_PAGESIZE 29
#define _SC_NPROCESSORS_ONLN 58
NAMED("access(_:_:)") int darwin_access(const char *, int);
NAMED("close(_:)") int darwin_close(int);
NAMED("fchown(_:_:_:)") int darwin_fchown(int, darwin_uid_t, darwin_gid_t);
NAMED("ftruncate(_:_:)") int darwin_ftruncate(int, darwin_off_t);
NAMED("getegid()") darwin_gid_t darwin_getegid(void);
NAMED("geteuid()") darwin_uid_t darwin_geteuid(void);
NAMED("getgid()") darwin_gid_t darwin_getgid(void);
NAMED("getpgrp()") darwin_pid_t darwin_getpgrp(void);
NAMED("getpid()") darwin_pid_t darwin_getpid(void);
NAMED("getuid()") darwin_uid_t darwin_getuid(void);
NAMED("initgroups(_:_:)") int darwin_initgroups(const char *, int);
NAMED("isatty(_:)") int darwin_isatty(int);
NAMED("lseek(_:_:_:)") darwin_off_t darwin_lseek(int, darwin_off_t, int);
NAMED("mkdtemp(_:)") char *darwin_mkdtemp(char *);
NAMED("pipe(_:)") int darwin_pipe(int[2]);
NAMED("read(_:_:_:)") darwin_ssize_t darwin_read(int, void *, size_t);
NAMED("readlink(_:_:_:)") darwin_ssize_t darwin_readlink(const char *, char *, size_t);
NAMED("rmdir(_:)") int darwin_rmdir(const char *);
NAMED("setegid(_:)") int darwin_setegid(darwin_gid_t);
NAMED("seteuid(_:)") int darwin_seteuid(darwin_uid_t);
NAMED("setgid(_:)") int darwin_setgid(darwin_gid_t);
NAMED("setgroups(_:_:)") int darwin_setgroups(int, const darwin_gid_t *);
NAMED("setuid(_:)") int darwin_setuid(darwin_uid_t);
NAMED("sysconf(_:)") long darwin_sysconf(int);
NAMED("tcgetpgrp(_:)") darwin_pid_t darwin_tcgetpgrp(int);
NAMED("ttyname_r(_:_:_:)") int darwin_ttyname_r(int, char *, size_t);
NAMED("unlink(_:)") int darwin_unlink(const char *);
NAMED("write(_:_:_:)") darwin_ssize_t darwin_write(int, const void *, size_t);
NAMED("rename(_:_:)") int darwin_rename(const char *, const char *);
NAMED("atexit(_:)") int darwin_atexit(void (*_Nonnull)(void));
NAMED("exit(_:)") void darwin_exit(int) __attribute__((noreturn));
NAMED("free(_:)") void darwin_free(void *);
NAMED("getenv(_:)") char *darwin_getenv(const char *);
NAMED("realpath(_:_:)") char *darwin_realpath(const char *, char *);
NAMED("strdup(_:)") char *darwin_strdup(const char *);
NAMED("strerror(_:)") char *darwin_strerror(int);

/* sys/errno.h */
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define ENOMEM 12
#define EACCES 13
#define EEXIST 17
#define ENOTDIR 20
#define EISDIR 21
#define EMFILE 24
#define EPIPE 32
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define ELOOP 62
NAMED("__error()") int *darwin_error(void);

/* time.h */
typedef enum {
    darwin_CLOCK_REALTIME NAMED("_CLOCK_REALTIME") = 0,
    darwin_CLOCK_MONOTONIC NAMED("_CLOCK_MONOTONIC") = 6,
    darwin_CLOCK_PROCESS_CPUTIME_ID NAMED("_CLOCK_PROCESS_CPUTIME_ID") = 12,
    darwin_CLOCK_THREAD_CPUTIME_ID NAMED("_CLOCK_THREAD_CPUTIME_ID") = 16,
} TYPE(clockid_t);
NAMED("clock_gettime(_:_:)") int darwin_clock_gettime(darwin_clockid_t, struct darwin_timespec *);

/* signal.h, sys/signal.h */
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGBUS 10
#define SIGSEGV 11
#define SIGPIPE 13
#define SIGTERM 15
#define SIGTSTP 18
#define SIGCONT 19
#define SIGCHLD 20
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGWINCH 28
#define SA_ONSTACK 0x0001
#define SA_RESTART 0x0002
#define SIG_BLOCK 1
#define SIG_SETMASK 3
struct darwin_siginfo;
typedef void (*darwin_sig_t)(int) NAMED("sig_t");
union NAMED("__sigaction_u") darwin_sigaction_u {
    void (*__sa_handler)(int);
    void (*__sa_sigaction)(int, struct darwin_siginfo *, void *);
};
STRUCT(sigaction) {
    union darwin_sigaction_u __sigaction_u;
    darwin_sigset_t sa_mask;
    int sa_flags;
};
NAMED("kill(_:_:)") int darwin_kill(darwin_pid_t, int);
NAMED("raise(_:)") int darwin_raise(int);
NAMED("sigaction(_:_:_:)") int darwin_sigaction(int, const struct darwin_sigaction *, struct darwin_sigaction *);
NAMED("sigaddset(_:_:)") int darwin_sigaddset(darwin_sigset_t *, int);
NAMED("sigdelset(_:_:)") int darwin_sigdelset(darwin_sigset_t *, int);
NAMED("sigemptyset(_:)") int darwin_sigemptyset(darwin_sigset_t *);
NAMED("sigfillset(_:)") int darwin_sigfillset(darwin_sigset_t *);
NAMED("sigismember(_:_:)") int darwin_sigismember(const darwin_sigset_t *, int);
NAMED("signal(_:_:)") void (*darwin_signal(int, void (*)(int)))(int);
NAMED("sigpending(_:)") int darwin_sigpending(darwin_sigset_t *);

/* poll.h, sys/poll.h */
#define POLLIN 0x0001
#define POLLOUT 0x0004
#define POLLERR 0x0008
#define POLLHUP 0x0010
#define POLLNVAL 0x0020
typedef unsigned int TYPE(nfds_t);
STRUCT(pollfd) {
    int fd;
    short events;
    short revents;
};
NAMED("poll(_:_:_:)") int darwin_poll(struct darwin_pollfd *, darwin_nfds_t, int);

/* termios.h, sys/termios.h, sys/ttycom.h, stdlib.h */
#define TCSANOW 0
#define ECHO 0x00000008
#define ISIG 0x00000080
#define ICANON 0x00000100
typedef unsigned long TYPE(tcflag_t);
typedef unsigned char TYPE(cc_t);
typedef unsigned long TYPE(speed_t);
STRUCT(termios) {
    darwin_tcflag_t c_iflag;
    darwin_tcflag_t c_oflag;
    darwin_tcflag_t c_cflag;
    darwin_tcflag_t c_lflag;
    darwin_cc_t c_cc[20];
    darwin_speed_t c_ispeed;
    darwin_speed_t c_ospeed;
};
STRUCT(winsize) {
    unsigned short ws_row;
    unsigned short ws_col;
    unsigned short ws_xpixel;
    unsigned short ws_ypixel;
};
NAMED("cfmakeraw(_:)") void darwin_cfmakeraw(struct darwin_termios *);
NAMED("tcgetattr(_:_:)") int darwin_tcgetattr(int, struct darwin_termios *);
NAMED("tcsetattr(_:_:_:)") int darwin_tcsetattr(int, int, const struct darwin_termios *);
NAMED("grantpt(_:)") int darwin_grantpt(int);
NAMED("ptsname(_:)") char *darwin_ptsname(int);
NAMED("unlockpt(_:)") int darwin_unlockpt(int);

/* sys/resource.h, libproc.h */
#define RLIMIT_DATA 2
#define RLIMIT_AS 5
#define RUSAGE_INFO_V4 4
typedef unsigned long long TYPE(rlim_t);
typedef void *TYPE(rusage_info_t);
STRUCT(rlimit) {
    darwin_rlim_t rlim_cur;
    darwin_rlim_t rlim_max;
};
STRUCT(rusage_info_v4) {
    unsigned char ri_uuid[16];
    unsigned long long ri_user_time;
    unsigned long long ri_system_time;
    unsigned long long ri_pkg_idle_wkups;
    unsigned long long ri_interrupt_wkups;
    unsigned long long ri_pageins;
    unsigned long long ri_wired_size;
    unsigned long long ri_resident_size;
    unsigned long long ri_phys_footprint;
    unsigned long long ri_proc_start_abstime;
    unsigned long long ri_proc_exit_abstime;
    unsigned long long ri_child_user_time;
    unsigned long long ri_child_system_time;
    unsigned long long ri_child_pkg_idle_wkups;
    unsigned long long ri_child_interrupt_wkups;
    unsigned long long ri_child_pageins;
    unsigned long long ri_child_elapsed_abstime;
    unsigned long long ri_diskio_bytesread;
    unsigned long long ri_diskio_byteswritten;
    unsigned long long ri_cpu_time_qos_default;
    unsigned long long ri_cpu_time_qos_maintenance;
    unsigned long long ri_cpu_time_qos_background;
    unsigned long long ri_cpu_time_qos_utility;
    unsigned long long ri_cpu_time_qos_legacy;
    unsigned long long ri_cpu_time_qos_user_initiated;
    unsigned long long ri_cpu_time_qos_user_interactive;
    unsigned long long ri_billed_system_time;
    unsigned long long ri_serviced_system_time;
    unsigned long long ri_logical_writes;
    unsigned long long ri_lifetime_max_phys_footprint;
    unsigned long long ri_instructions;
    unsigned long long ri_cycles;
    unsigned long long ri_billed_energy;
    unsigned long long ri_serviced_energy;
    unsigned long long ri_interval_max_phys_footprint;
    unsigned long long ri_runnable_time;
};
NAMED("getrlimit(_:_:)") int darwin_getrlimit(int, struct darwin_rlimit *);
NAMED("setrlimit(_:_:)") int darwin_setrlimit(int, const struct darwin_rlimit *);

/* spawn.h, sys/wait.h, sys/stat.h */
typedef void *TYPE(posix_spawn_file_actions_t);
typedef void *TYPE(posix_spawnattr_t);
NAMED("posix_spawn_file_actions_init(_:)") int darwin_posix_spawn_file_actions_init(darwin_posix_spawn_file_actions_t *);
NAMED("posix_spawn_file_actions_destroy(_:)") int darwin_posix_spawn_file_actions_destroy(darwin_posix_spawn_file_actions_t *);
NAMED("posix_spawn_file_actions_addopen(_:_:_:_:_:)") int darwin_posix_spawn_file_actions_addopen(
    darwin_posix_spawn_file_actions_t *, int, const char *, int, darwin_mode_t);
NAMED("posix_spawn(_:_:_:_:_:_:)") int darwin_posix_spawn(
    darwin_pid_t *, const char *, const darwin_posix_spawn_file_actions_t *, const darwin_posix_spawnattr_t *, char *const[],
    char *const[]);
NAMED("posix_spawnattr_init(_:)") int darwin_posix_spawnattr_init(darwin_posix_spawnattr_t *);
NAMED("posix_spawnattr_destroy(_:)") int darwin_posix_spawnattr_destroy(darwin_posix_spawnattr_t *);
NAMED("posix_spawnattr_setflags(_:_:)") int darwin_posix_spawnattr_setflags(darwin_posix_spawnattr_t *, short);
NAMED("posix_spawnattr_setsigmask(_:_:)")
int darwin_posix_spawnattr_setsigmask(darwin_posix_spawnattr_t *, const darwin_sigset_t *);
#define POSIX_SPAWN_SETSIGMASK 0x0008
typedef unsigned int TYPE(id_t);
typedef enum { P_ALL, P_PID, P_PGID } TYPE(idtype_t);
typedef struct {
    int si_signo;
    int si_errno;
    int si_code;
    darwin_pid_t si_pid;
    darwin_uid_t si_uid;
    int si_status;
    void *si_addr;
    void *si_value;
    long si_band;
    unsigned long __pad[7];
} TYPE(siginfo_t);
#define WNOHANG 0x00000001
#define WEXITED 0x00000004
#define WNOWAIT 0x00000020
NAMED("waitid(_:_:_:_:)") int darwin_waitid(darwin_idtype_t, darwin_id_t, darwin_siginfo_t *, int);
NAMED("waitpid(_:_:_:)") darwin_pid_t darwin_waitpid(darwin_pid_t, int *, int);
NAMED("mkdir(_:_:)") int darwin_mkdir(const char *, darwin_mode_t);
NAMED("rmdir(_:)") int darwin_rmdir(const char *);
NAMED("proc_pidpath(_:_:_:)") int darwin_proc_pidpath(int, void *, unsigned int);
NAMED("proc_pid_rusage(_:_:_:)") int darwin_proc_pid_rusage(int, int, darwin_rusage_info_t *);

/* dirent.h, sys/dirent.h */
STRUCT(dirent) {
    unsigned long long d_ino;
    unsigned long long d_seekoff;
    unsigned short d_reclen;
    unsigned short d_namlen;
    unsigned char d_type;
    char d_name[1024];
};
STRUCT(DIR) { int fd; };
NAMED("opendir(_:)") struct darwin_DIR *darwin_opendir(const char *);
NAMED("readdir(_:)") struct darwin_dirent *darwin_readdir(struct darwin_DIR *);
NAMED("closedir(_:)") int darwin_closedir(struct darwin_DIR *);

/* sys/utsname.h, pwd.h */
STRUCT(utsname) {
    char sysname[256];
    char nodename[256];
    char release[256];
    char version[256];
    char machine[256];
};
STRUCT(passwd) {
    char *pw_name;
    char *pw_passwd;
    darwin_uid_t pw_uid;
    darwin_gid_t pw_gid;
    darwin_time_t pw_change;
    char *pw_class;
    char *pw_gecos;
    char *pw_dir;
    char *pw_shell;
    darwin_time_t pw_expire;
};
NAMED("uname(_:)") int darwin_uname(struct darwin_utsname *);
NAMED("getpwnam(_:)") struct darwin_passwd *darwin_getpwnam(const char *);
NAMED("getpwuid(_:)") struct darwin_passwd *darwin_getpwuid(darwin_uid_t);

/* sys/socket.h, netinet/in.h, netinet6/in6.h, net/if.h, ifaddrs.h */
#define AF_INET 2
#define AF_INET6 30
#define IFF_UP 0x1
#define IF_NAMESIZE 16
STRUCT(sockaddr) {
    unsigned char sa_len;
    darwin_sa_family_t sa_family;
    char sa_data[14];
};
STRUCT(in_addr) {
    darwin_in_addr_t s_addr;
};
STRUCT(sockaddr_in) {
    unsigned char sin_len;
    darwin_sa_family_t sin_family;
    darwin_in_port_t sin_port;
    struct darwin_in_addr sin_addr;
    char sin_zero[8];
};
STRUCT(in6_addr) {
    union {
        unsigned char __u6_addr8[16];
        unsigned short __u6_addr16[8];
        unsigned int __u6_addr32[4];
    } __u6_addr;
};
STRUCT(sockaddr_in6) {
    unsigned char sin6_len;
    darwin_sa_family_t sin6_family;
    darwin_in_port_t sin6_port;
    unsigned int sin6_flowinfo;
    struct darwin_in6_addr sin6_addr;
    unsigned int sin6_scope_id;
};
STRUCT(ifaddrs) {
    struct darwin_ifaddrs *ifa_next;
    char *ifa_name;
    unsigned int ifa_flags;
    struct darwin_sockaddr *ifa_addr;
    struct darwin_sockaddr *ifa_netmask;
    struct darwin_sockaddr *ifa_dstaddr;
    void *ifa_data;
};
NAMED("freeifaddrs(_:)") void darwin_freeifaddrs(struct darwin_ifaddrs *);
NAMED("getifaddrs(_:)") int darwin_getifaddrs(struct darwin_ifaddrs **);
NAMED("if_indextoname(_:_:)") char *darwin_if_indextoname(unsigned int, char *);
NAMED("if_nametoindex(_:)") unsigned int darwin_if_nametoindex(const char *);

/* pthread/pthread.h, sys/_pthread/_pthread_types.h. Apple's header has two forms of pthread_create for Swift; which one a
   compiler sees depends on its version. PTHREAD_NULLABLE is the newer one. */
struct darwin_pthread_handler_rec;
STRUCT(_opaque_pthread_t) {
    long __sig;
    struct darwin_pthread_handler_rec *__cleanup_stack;
    char __opaque[8176];
};
STRUCT(_opaque_pthread_attr_t) {
    long __sig;
    char __opaque[56];
};
STRUCT(_opaque_pthread_mutex_t) {
    long __sig;
    char __opaque[56];
};
STRUCT(_opaque_pthread_mutexattr_t) {
    long __sig;
    char __opaque[8];
};
STRUCT(_opaque_pthread_cond_t) {
    long __sig;
    char __opaque[40];
};
STRUCT(_opaque_pthread_condattr_t) {
    long __sig;
    char __opaque[8];
};
typedef struct darwin__opaque_pthread_t *TYPE(pthread_t);
typedef struct darwin__opaque_pthread_attr_t TYPE(pthread_attr_t);
typedef struct darwin__opaque_pthread_mutex_t TYPE(pthread_mutex_t);
typedef struct darwin__opaque_pthread_mutexattr_t TYPE(pthread_mutexattr_t);
typedef struct darwin__opaque_pthread_cond_t TYPE(pthread_cond_t);
typedef struct darwin__opaque_pthread_condattr_t TYPE(pthread_condattr_t);
#pragma clang assume_nonnull begin
NAMED("pthread_attr_destroy(_:)") int darwin_pthread_attr_destroy(darwin_pthread_attr_t *);
NAMED("pthread_attr_init(_:)") int darwin_pthread_attr_init(darwin_pthread_attr_t *);
NAMED("pthread_attr_setstacksize(_:_:)") int darwin_pthread_attr_setstacksize(darwin_pthread_attr_t *, size_t);
NAMED("pthread_cond_broadcast(_:)") int darwin_pthread_cond_broadcast(darwin_pthread_cond_t *);
NAMED("pthread_cond_destroy(_:)") int darwin_pthread_cond_destroy(darwin_pthread_cond_t *);
NAMED("pthread_cond_init(_:_:)")
int darwin_pthread_cond_init(darwin_pthread_cond_t *, const darwin_pthread_condattr_t *_Nullable);
NAMED("pthread_cond_signal(_:)") int darwin_pthread_cond_signal(darwin_pthread_cond_t *);
NAMED("pthread_cond_wait(_:_:)") int darwin_pthread_cond_wait(darwin_pthread_cond_t *, darwin_pthread_mutex_t *);
NAMED("pthread_create(_:_:_:_:)")
#ifdef PTHREAD_NULLABLE
int darwin_pthread_create(
    darwin_pthread_t _Nullable *_Nonnull, const darwin_pthread_attr_t *_Nullable,
    void *_Nullable (*_Nonnull)(void *_Nullable), void *_Nullable);
#else
int darwin_pthread_create(
    darwin_pthread_t *, const darwin_pthread_attr_t *_Nullable, void *(*_Nonnull)(void *), void *_Nullable);
#endif
NAMED("pthread_join(_:_:)") int darwin_pthread_join(darwin_pthread_t, void *_Nullable *_Nullable);
NAMED("pthread_mutex_destroy(_:)") int darwin_pthread_mutex_destroy(darwin_pthread_mutex_t *);
NAMED("pthread_mutex_init(_:_:)")
int darwin_pthread_mutex_init(darwin_pthread_mutex_t *, const darwin_pthread_mutexattr_t *_Nullable);
NAMED("pthread_mutex_lock(_:)") int darwin_pthread_mutex_lock(darwin_pthread_mutex_t *);
NAMED("pthread_mutex_unlock(_:)") int darwin_pthread_mutex_unlock(darwin_pthread_mutex_t *);
NAMED("pthread_sigmask(_:_:_:)")
int darwin_pthread_sigmask(int, const darwin_sigset_t *_Nullable, darwin_sigset_t *_Nullable);
#pragma clang assume_nonnull end
