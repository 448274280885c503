package dev.waybill.runtime.checkpoint;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage.NewestCheckpoint;
import dev.waybill.runtime.storage.ThreadKey;

/**
 * Parts of the storage that a worker's requests with one id may use.
 *
 * @param owner owner of the items of the store
 * @param thread thread whose checkpoints may be read; null: none
 * @param fence fence of writes to that thread; null: it may only be read
 * @param newest the thread's newest checkpoint when the run began; null: unknown
 * @param storesAtEnd whether checkpoints may be stored with the end of the run
 */
public record RequestScope(Owner owner, @Nullable ThreadKey thread, @Nullable RunFence fence,
        @Nullable NewestCheckpoint newest, boolean storesAtEnd) {

    /** Returns the scope of an attempt of a run on a thread; nothing else writes to the thread. */
    public static RequestScope writing(RunFence fence, @Nullable NewestCheckpoint newest) {
        return new RequestScope(fence.thread().owner(), fence.thread(), fence, newest, true);
    }

    /** Returns the scope of an update of a thread's state. */
    public static RequestScope writing(RunFence fence) {
        return new RequestScope(fence.thread().owner(), fence.thread(), fence, null, false);
    }

    /** Returns the scope of a request for a thread's state. */
    public static RequestScope reading(ThreadKey thread) {
        return new RequestScope(thread.owner(), thread, null, null, false);
    }

    /** Returns the scope of a request that needs no thread. */
    public static RequestScope withoutThread(Owner owner) {
        return new RequestScope(owner, null, null, null, false);
    }
}
