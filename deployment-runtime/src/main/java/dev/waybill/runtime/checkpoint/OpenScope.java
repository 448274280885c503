package dev.waybill.runtime.checkpoint;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.waybill.runtime.checkpoint.RequestHandler.InlineLimits;
import dev.waybill.runtime.checkpoint.ValueReferences.InlineSpace;
import dev.waybill.runtime.protocol.ResponseWriter;
import dev.waybill.runtime.storage.CheckpointStorage.Change;
import dev.waybill.runtime.storage.CheckpointStorage.StoredCheckpoint;

/** A scope whose run is executed, with what its requests and its end have in common. */
public final class OpenScope {

    private static final InlineLimits ALL = new InlineLimits(Integer.MAX_VALUE, Integer.MAX_VALUE);

    private final RequestScope scope;
    private final NewestCheckpoints newest;
    private volatile List<Change> last = List.of();

    OpenScope(RequestScope scope, CheckpointCache cache) {
        this.scope = scope;
        this.newest = new NewestCheckpoints(scope, cache);
    }

    RequestScope scope() {
        return scope;
    }

    NewestCheckpoints newest() {
        return newest;
    }

    /**
     * Returns the JSON of the newest checkpoint, with which the run begins; null in JSON if there is none. Empty if it is not
     * in memory, so that the worker reads it.
     *
     * @param textTypes types of values that the worker expects as text
     */
    public Optional<String> newest(Set<String> textTypes) {
        if (!newest.isKnown()) {
            return Optional.empty();
        }
        StoredCheckpoint known = newest.newest();
        // All values are small enough to be part of it.
        return Optional.of(known == null ? "null"
                : new ResponseWriter(textTypes).json(
                        new StoredTuples(new ValueReferences(), new InlineSpace(ALL)).tuple(known)));
    }

    /** Retains checkpoints and writes that are stored with the end of the run. */
    void storeAtEnd(List<Change> changes) {
        newest.add(changes);
        last = changes;
    }

    /** Returns the checkpoints and writes to store with the end of the run. */
    public List<Change> last() {
        return last;
    }

    /** Retains the newest checkpoint of the thread for its next run, if the end of this one was stored. */
    public void ended(boolean stored) {
        if (!last.isEmpty()) {
            newest.retain(stored);
        }
    }
}
