package dev.waybill.runtime.stream;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.run.RunResponse;
import dev.waybill.runtime.run.StoredThreadRuns;
import dev.waybill.runtime.run.StoredThreadRuns.CallerThread;
import dev.waybill.runtime.run.ThreadSnapshot;
import io.smallrye.mutiny.Uni;

/** Finds changes of a thread's state by clients' updates. Reads the state, which can be large, only if it has changed. */
final class StateUpdates {

    private final StoredThreadRuns runs;
    private final CallerThread thread;
    private @Nullable Optional<Instant> known;

    /** A list of the thread's runs, newest first, and its state before; null if that was not read. */
    record Page(List<RunResponse> runs, @Nullable State state) {
    }

    /**
     * @param time of the last change
     * @param updated the thread, if an update has changed it since the last page; otherwise null
     */
    record State(Optional<Instant> time, @Nullable ThreadSnapshot updated) {
    }

    StateUpdates(StoredThreadRuns runs, CallerThread thread) {
        this.runs = runs;
        this.thread = thread;
    }

    /** Reads the time first: then the list has the run that has changed the state. */
    Uni<Page> read(Uni<List<RunResponse>> list) {
        Optional<Instant> before = known;
        return runs.stateUpdatedAt(thread)
                .chain(time -> list.chain(listed -> isUpdate(before, time, listed)
                        ? runs.snapshot(thread).map(found -> new Page(listed, new State(time, found)))
                        : Uni.createFrom().item(new Page(listed, new State(time, null)))));
    }

    private static boolean isUpdate(@Nullable Optional<Instant> before, Optional<Instant> time, List<RunResponse> runs) {
        return before != null && !before.equals(time)
                && runs.stream().noneMatch(run -> time.equals(Optional.of(run.updatedAt())));
    }

    /** Notes a state that the client knows. */
    void known(State state) {
        known = state.time();
    }
}
