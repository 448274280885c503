/**
 * State of threads over HTTP (docs/decisions/0170). The graph computes it: reads and updates are requests to its worker, which
 * reads and writes the thread's checkpoints.
 */
@NullMarked
package dev.waybill.runtime.state;

import org.jspecify.annotations.NullMarked;
