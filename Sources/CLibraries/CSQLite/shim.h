#pragma once
#include <sqlite3.h>

/// Sets a switch of a connection. Swift cannot call sqlite3_db_config, which takes variable arguments.
static inline int sqlite3_set_switch(sqlite3 *connection, int name, int value) {
    return sqlite3_db_config(connection, name, value, (int *)0);
}
