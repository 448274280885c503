/**
 * The processes that graphs run in, and the protocol they speak (docs/worker-protocol.md). Whatever a worker does (die, hang,
 * babble, send too much) ends here: as a run that failed and says why, and as a worker that is started again.
 */
@NullMarked
package dev.waybill.runtime.worker;

import org.jspecify.annotations.NullMarked;
