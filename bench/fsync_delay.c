/* Preloaded into a process, makes each fsync and fdatasync take FSYNC_DELAY_US microseconds longer:
   the disk of a small rented server, on any machine. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

typedef int (*sync_call)(int);

static void delay(void)
{
    const char *microseconds = getenv("FSYNC_DELAY_US");
    if (microseconds)
        usleep((useconds_t)strtoul(microseconds, NULL, 10));
}

int fsync(int descriptor)
{
    sync_call real = (sync_call)dlsym(RTLD_NEXT, "fsync");
    delay();
    return real(descriptor);
}

int fdatasync(int descriptor)
{
    sync_call real = (sync_call)dlsym(RTLD_NEXT, "fdatasync");
    delay();
    return real(descriptor);
}
