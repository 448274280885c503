package dev.waybill.runtime.run;

import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage.StartedRun;
import dev.waybill.runtime.storage.RunStorage.ThreadHead;

/**
 * An attempt of a run on a thread that this replica may execute.
 *
 * @param continues whether an earlier attempt stored a checkpoint, from which the run continues
 * @param body the request; that of the run itself loses its input when it starts
 */
record Attempt(RunFence fence, ThreadHead thread, boolean continues, CreateRunRequest body) {

    static Attempt of(StartedRun started, CreateRunRequest body) {
        return new Attempt(started.fence(), started.thread(), started.hasCheckpoint(), body);
    }

    /** Returns a copy without the input, which can be large. */
    Attempt withoutInputs() {
        return new Attempt(fence, thread, continues, body.withoutInputs());
    }
}
