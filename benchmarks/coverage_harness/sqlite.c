/* One test: statements for an empty database in memory. */

#include <string.h>
#include "sqlite3.h"

static int give_up(void *unused) { (void)unused; return 1; }

int run_test(const char *text) {
    sqlite3 *database;
    char *message = NULL;
    int outcome = 0;
    sqlite3_open(":memory:", &database);
    sqlite3_progress_handler(database, 100000, give_up, NULL); /* endless recursive queries */
    if (sqlite3_exec(database, text, NULL, NULL, &message) != SQLITE_OK) {
        outcome = 2;
        if (message && (strstr(message, "syntax error") || strstr(message, "incomplete input")
                        || strstr(message, "unrecognized token")))
            outcome = 1;
    }
    sqlite3_free(message);
    sqlite3_close(database);
    return outcome;
}
