package dev.waybill.runtime.run;

import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.idempotency.Fingerprint;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.runtime.run.StoredThreadRuns.CallerThread;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunStorage.StoredRun;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.ThreadsConfig;
import io.smallrye.mutiny.Uni;

/**
 * Creates runs on threads once for each {@code Idempotency-Key}. The key determines the id of the run, which is stored, so a
 * repeated request finds the run after a restart and on another replica (docs/decisions/0185).
 */
@Singleton
public class KeyedRunService {

    public static final String HEADER = "Idempotency-Key";

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final RuntimeStorage storage;
    private final ThreadRunService runs;
    private final KeptThreadService kept;
    private final ObjectMapper mapper;
    private final Fingerprint fingerprint;
    private final String deployment;
    /** Ids of runs whose first request is still being stored. */
    private final Set<UUID> creating = ConcurrentHashMap.newKeySet();

    /** The run of a request. */
    public sealed interface Created {

        /** The request has created the run, which its client starts. */
        record New(Run run) implements Created {
        }

        /** An earlier request with the same key has created the run. */
        record Existing(StoredRun run) implements Created {

            /** Returns the response to the first request. */
            public RunResponse response() {
                return RunResponse.created(run);
            }
        }
    }

    /** A key with the path that it was used for. */
    public record Key(String path, String value) {
    }

    KeyedRunService(RuntimeStorage storage, ThreadRunService runs, KeptThreadService kept, ObjectMapper mapper,
            ThreadsConfig threads) {
        this.storage = storage;
        this.runs = runs;
        this.kept = kept;
        this.mapper = mapper;
        this.fingerprint = new Fingerprint(mapper);
        this.deployment = threads.database().deploymentId().map(UUID::toString).orElse("");
    }

    /**
     * Creates a resumable run on a thread, or returns that of an earlier request. Fails with 422 if the key was used for
     * another request, 409 while the first request is being stored, and as {@link ThreadRunService#create}.
     *
     * @param background whether the run continues without clients
     */
    public Uni<Created> create(CallerThread thread, CreateThreadRunRequest request, boolean background, Key key) {
        CreateThreadRunRequest resumable = request.asResumable();
        return once(thread, key, resumable.toRun(background),
                identity -> runs.create(thread, resumable, background, identity));
    }

    /** Creates a resumable run on a new thread, or returns that of an earlier request; fails as {@link #create} does. */
    public Uni<Created> createKept(ResolvedRun run, Owner owner, String principal, boolean background, Key key) {
        CallerThread thread = new CallerThread(owner, principal,
                RunIdentity.idOf(deployment, principal, key.path() + " thread", key.value()));
        ResolvedRun resumable = new ResolvedRun(run.assistant(), run.given(), run.body().asResumable());
        return once(thread, key, run.given(), identity -> kept.create(resumable, thread, background, identity));
    }

    private Uni<Created> once(CallerThread thread, Key key, CreateRunRequest given, Function<RunIdentity, Uni<Run>> create) {
        RunIdentity identity = new RunIdentity(
                RunIdentity.idOf(deployment, thread.principal(), "/threads/" + thread.id() + key.path(), key.value()),
                HexFormat.of().formatHex(fingerprint.of(given)));
        return Uni.createFrom().deferred(() -> {
            if (!creating.add(identity.id())) {
                return Uni.createFrom().failure(inProgress());
            }
            Uni<Created> created = Uni.createFrom().deferred(() -> find(thread, identity))
                    .chain(found -> found.isPresent() ? Uni.createFrom().item(found.get()) : store(thread, identity, create))
                    .onItemOrFailure().invoke((ignored, failure) -> creating.remove(identity.id()))
                    // A client that disconnects must not end this: its repeated request could store the run again.
                    .memoize().indefinitely();
            return created.onCancellation().invoke(() -> startWithoutClient(created));
        });
    }

    private Uni<Created> store(CallerThread thread, RunIdentity identity, Function<RunIdentity, Uni<Run>> create) {
        return create.apply(identity).<Created> map(Created.New::new)
                .onFailure(RunExistsException.class).recoverWithUni(() -> find(thread, identity)
                        .map(found -> found.orElseThrow(KeyedRunService::inProgress)));
    }

    private void startWithoutClient(Uni<Created> created) {
        created.subscribeAsCompletionStage().thenAccept(result -> {
            if (result instanceof Created.New started) {
                runs.start(started.run());
            }
        });
    }

    private Uni<Optional<Created>> find(CallerThread thread, RunIdentity identity) {
        return storage.execute(opened -> opened.runs().find(thread.owner(), thread.id(), identity.id()))
                .map(found -> found.map(run -> requireSame(run, identity)));
    }

    private Created requireSame(StoredRun run, RunIdentity identity) {
        String first = StoredRequest.parse(run.request(), mapper).fingerprint();
        if (first == null || !first.equals(identity.fingerprint())) {
            throw ProblemException.invalid(reused());
        }
        return new Created.Existing(run);
    }

    /** Returns the violation of a key that was used for another request. */
    public static Violation reused() {
        return Violation.of(HEADER, "was already used for another request; use a new key", "reused");
    }

    /** Returns the problem of a request whose first one has not ended. */
    public static ProblemException inProgress() {
        return new ProblemException(CommonProblem.CONFLICT,
                "The first request with this Idempotency-Key is still in progress.").retryAfter(RETRY_AFTER);
    }
}
