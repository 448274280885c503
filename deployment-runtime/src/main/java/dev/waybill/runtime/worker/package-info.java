/**
 * Worker processes that execute the graphs, and their protocol (docs/worker-protocol.md). Faults of a worker (exit, hang,
 * invalid or
 * excessive output) are contained here: affected runs fail with a reason, and the worker is restarted.
 */
@NullMarked
package dev.waybill.runtime.worker;

import org.jspecify.annotations.NullMarked;
