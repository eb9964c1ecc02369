#pragma once

/// Asks the processor to bring the line of an address into its nearest cache. Never faults, whatever the address is.
static inline void processor_prefetch(const void *address) { __builtin_prefetch(address, 0, 3); }
