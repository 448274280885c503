/**
 * Requests of workers for checkpoints, large values and the store (docs/worker-protocol-threads.md): order, limits and memory
 * of each run. What they store is behind {@link dev.waybill.runtime.checkpoint.RequestHandler}.
 */
@NullMarked
package dev.waybill.runtime.checkpoint;

import org.jspecify.annotations.NullMarked;
