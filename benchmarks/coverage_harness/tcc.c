/* One test: a translation unit in which T is a type, compiled to an object file in memory. */

#include <string.h>
#include "libtcc.h"

static int outcome;

static void report(void *unused, const char *message) {
    (void)unused;
    if (!strstr(message, "warning:") && !outcome)
        outcome = strstr(message, "expected") ? 1 : 2;
}

int run_test(const char *text) {
    TCCState *state = tcc_new();
    outcome = 0;
    tcc_set_error_func(state, NULL, report);
    tcc_set_options(state, "-nostdlib -nostdinc");
    tcc_set_output_type(state, TCC_OUTPUT_OBJ);
    if (tcc_compile_string(state, text) < 0 && !outcome)
        outcome = 2;
    tcc_delete(state);
    return outcome;
}
