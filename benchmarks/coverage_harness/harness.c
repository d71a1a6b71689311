/* Runs a program's entry point on every test of a file, in one process for many tests.

   Tests end with a NUL byte. The program is forked; a test that crashes, exits or runs too long
   ends only its child, whose coverage is written all the same, and the next child goes on behind
   it. Coverage goes where GCOV_PREFIX says. What became of the tests is printed at the end. */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

int run_test(const char *text); /* 0: accepted, 1: rejected by the parser, 2: rejected later */
void __gcov_dump(void);

enum { ACCEPTED, SYNTAX, LATER, CRASHED, SLOW, OUTCOMES };
static struct { long at; long outcomes[OUTCOMES]; } *shared;
static const struct itimerval LIMIT = {{0, 0}, {2, 0}};

static void ended(int signal) {
    shared->outcomes[signal == SIGVTALRM ? SLOW : CRASHED]++;
    shared->at++;
    alarm(20); /* should the counters themselves be broken */
    __gcov_dump();
    _exit(0);
}

static void exited(void) { /* the program called exit() in a test */
    shared->outcomes[LATER]++;
    shared->at++;
}

static int finished;
static void at_exit(void) { if (!finished) exited(); }

static void child(char **tests, long n) {
    static char stack[1 << 16];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = ended, .sa_flags = SA_ONSTACK};
    int signals[] = {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGVTALRM};
    sigaltstack(&other, NULL);
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
    atexit(at_exit);
    while (shared->at < n) {
        setitimer(ITIMER_VIRTUAL, &LIMIT, NULL);
        int outcome = run_test(tests[shared->at]);
        shared->outcomes[outcome]++;
        shared->at++;
    }
    finished = 1;
    exit(0);
}

int main(int argc, char **argv) {
    FILE *stream = fopen(argv[1], "rb");
    if (argc != 2 || !stream) return 2;
    fseek(stream, 0, SEEK_END);
    long size = ftell(stream), n = 0;
    rewind(stream);
    char *all = malloc(size + 1);
    if (fread(all, 1, size, stream) != (size_t)size) return 2;
    for (long i = 0; i < size; i++) n += !all[i];
    char **tests = malloc((n + 1) * sizeof *tests), *next = all;
    for (long i = 0; i < n; i++, next += strlen(next) + 1) tests[i] = next;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    memset(shared, 0, sizeof *shared);
    while (shared->at < n) {
        pid_t pid = fork();
        if (pid == 0) child(tests, n);
        int status;
        waitpid(pid, &status, 0);
        if (WIFSIGNALED(status)) { /* not even the handler ran to its end */
            shared->outcomes[CRASHED]++;
            shared->at++;
        }
    }
    printf("{\"tests\": %ld, \"accepted\": %ld, \"syntax\": %ld, \"later\": %ld, \"crashed\": %ld,"
           " \"slow\": %ld}\n", n, shared->outcomes[ACCEPTED], shared->outcomes[SYNTAX],
           shared->outcomes[LATER], shared->outcomes[CRASHED], shared->outcomes[SLOW]);
    fflush(stdout);
    _exit(0);
}
