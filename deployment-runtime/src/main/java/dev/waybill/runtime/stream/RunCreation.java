package dev.waybill.runtime.stream;

import java.util.function.Function;

import jakarta.inject.Singleton;

import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.access.ThreadOwner;
import dev.waybill.runtime.run.CreateThreadRunRequest;
import dev.waybill.runtime.run.KeptThreadService;
import dev.waybill.runtime.run.KeyedRunService;
import dev.waybill.runtime.run.KeyedRunService.Created;
import dev.waybill.runtime.run.KeyedRunService.Created.Existing;
import dev.waybill.runtime.run.ResolvedRun;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunResponse;
import dev.waybill.runtime.run.StoredThreadRuns.CallerThread;
import dev.waybill.runtime.run.ThreadRunService;
import io.smallrye.mutiny.Uni;

/** Creates the runs of requests, with and without a thread, once for each {@code Idempotency-Key}. */
@Singleton
class RunCreation {

    private final IdempotentRuns withoutThread;
    private final KeptThreadService kept;
    private final ThreadRunService threads;
    private final KeyedRunService keyed;

    RunCreation(IdempotentRuns withoutThread, KeptThreadService kept, ThreadRunService threads, KeyedRunService keyed) {
        this.withoutThread = withoutThread;
        this.kept = kept;
        this.threads = threads;
        this.keyed = keyed;
    }

    /**
     * An operation that creates runs.
     *
     * @param start responds for a new run
     * @param repeat responds for a run on a thread that an earlier request has created
     */
    record Creating<T>(String path, boolean background, Function<Run, Uni<T>> start, Function<Existing, Uni<T>> repeat) {

        private Uni<T> respond(Created created) {
            return switch (created) {
                case Created.New fresh -> start.apply(fresh.run());
                case Existing existing -> repeat.apply(existing);
            };
        }
    }

    /**
     * Creates a run without a thread, or on a new thread if the client keeps it.
     *
     * @param replay responds for a run without a thread that an earlier request has created
     */
    <T> Uni<T> create(ResolvedRun requested, IdempotentRuns.Key key, Creating<T> operation, Function<Run, Uni<T>> replay) {
        return kept.applies(requested).chain(keeps -> {
            if (!keeps) {
                return withoutThread.execute(key, requested, operation.start(), replay);
            }
            String caller = key.principal();
            String value = key.value();
            if (value == null) {
                return kept.create(requested, ThreadOwner.of(caller), caller, operation.background())
                        .chain(operation.start()::apply);
            }
            IdempotentRuns.requireValid(value);
            return keyed.createKept(requested, ThreadOwner.of(caller), caller, operation.background(),
                    new KeyedRunService.Key(key.address(), value))
                    .chain(operation::respond);
        });
    }

    /** Starts a run in the background, and returns it. */
    Uni<RestResponse<RunResponse>> start(Run run) {
        threads.start(run);
        return ThreadRunLookup.created(run.createdResponse(), run.path());
    }

    /** Creates a run on a thread. */
    <T> Uni<T> create(CallerThread thread, CreateThreadRunRequest body, @Nullable String key, Creating<T> operation) {
        if (key == null) {
            return threads.create(thread, body, operation.background()).chain(operation.start()::apply);
        }
        IdempotentRuns.requireValid(key.strip());
        return keyed.create(thread, body, operation.background(), new KeyedRunService.Key(operation.path(), key.strip()))
                .chain(operation::respond);
    }
}
