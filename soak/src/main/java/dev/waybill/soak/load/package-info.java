/**
 * Concurrent workloads of all kinds of clients. They record acknowledged writes and verify that each is stored completely and
 * exactly once.
 */
@NullMarked
package dev.waybill.soak.load;

import org.jspecify.annotations.NullMarked;
