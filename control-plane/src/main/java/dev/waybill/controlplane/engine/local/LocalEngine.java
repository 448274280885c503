package dev.waybill.controlplane.engine.local;

import java.net.http.HttpClient;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import dev.waybill.common.reactive.Blocking;
import dev.waybill.controlplane.engine.ApplicationChanged;
import dev.waybill.controlplane.engine.ApplicationSource;
import dev.waybill.controlplane.engine.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.Engine;
import dev.waybill.controlplane.engine.Observation;
import dev.waybill.controlplane.engine.Outcome;
import dev.waybill.controlplane.engine.Plan;
import dev.waybill.controlplane.engine.Redaction;
import dev.waybill.controlplane.source.SourceException;
import dev.waybill.controlplane.source.git.GitRepositories;
import io.smallrye.mutiny.Uni;

/** The port {@link Engine} over processes of this machine. Everything blocks, so everything crosses the bridge. */
@Singleton
@Typed(LocalEngine.class)
public class LocalEngine implements Engine {

    private static final String NOT_SET_UP = "No engine is configured here, so nothing can be built or run; the operator sets"
            + " waybill.engine.local.runtime.";

    private final LocalEngineConfig config;
    private final GitRepositories repositories;
    private final Blocking blocking;
    private final Places places;
    private final Fence fence;
    private final Preparation preparation;
    private final Rollover rollover;
    private final Retirement retirement;
    private final GateKeeper gate;
    private final KeyedLocks<UUID> turns = new KeyedLocks<>();

    @Inject
    LocalEngine(LocalEngineConfig config, GitRepositories repositories, Blocking blocking, Event<ApplicationChanged> changes) {
        this(config, repositories, blocking, changes::fire);
    }

    LocalEngine(LocalEngineConfig config, GitRepositories repositories, Blocking blocking, Changes changes) {
        this.config = config;
        this.repositories = repositories;
        this.blocking = blocking;
        this.places = new Places(config.directory());
        this.fence = new Fence(places);
        Launch launch = new Launch(config, System.getenv());
        HttpClient client = HttpClient.newBuilder().connectTimeout(config.healthTimeout()).build();
        this.preparation = new Preparation(repositories, config, launch);
        this.gate = new GateKeeper(places.root(), config, launch);
        Ports ports = new Ports(places);
        Applications applications = revision -> new Application(revision, config, launch, ports, client);
        this.rollover = new Rollover(config, places, fence, gate, applications, changes);
        this.retirement = new Retirement(config, places, gate, applications);
        gate.whenEnded(rollover::leadAll);
    }

    /** Whom changes are told. */
    @FunctionalInterface
    interface Changes {

        void fire(ApplicationChanged change);
    }

    @Override
    public Uni<Outcome> prepare(Plan plan, BuildLog log) {
        return step(plan, () -> {
            fence.begin(plan);
            preparation.run(plan, repository(plan), places.revision(plan.deploymentId(), plan.revisionId()), log);
            return new Outcome.Done();
        });
    }

    @Override
    public Uni<Outcome> start(Plan plan, BuildLog log) {
        return step(plan, () -> rollover.start(plan, repository(plan), log));
    }

    @Override
    public Uni<Observation> observe(Plan plan) {
        return observe(plan, BuildLog.NONE);
    }

    @Override
    public Uni<Observation> observe(Plan plan, BuildLog log) {
        if (config.runtime().isEmpty()) {
            return Uni.createFrom().item(new Observation.Failing(NOT_SET_UP));
        }
        return blocking.call(() -> {
            try {
                return redacted(rollover.observe(plan, repository(plan), log), plan);
            } catch (StepFailure e) {
                return redacted(new Observation.Failing(e.reason()), plan);
            }
        });
    }

    @Override
    public Uni<Outcome> stop(UUID tenantId, UUID deploymentId, Set<UUID> keep, long newest) {
        return blocking.call(() -> inTurn(deploymentId, () -> {
            if (!fence.isLate(deploymentId, newest)) {
                rollover.leadBack(deploymentId, keep);
                retirement.run(deploymentId, keep);
            }
            return new Outcome.Done();
        }));
    }

    private Uni<Outcome> step(Plan plan, Callable<Outcome> work) {
        if (config.runtime().isEmpty()) {
            return Uni.createFrom().item(Outcome.Failed.forGood(NOT_SET_UP));
        }
        return blocking.call(() -> {
            try {
                return inTurn(plan.deploymentId(), work);
            } catch (StepFailure e) {
                return Outcome.Failed.forGood(Redaction.of(plan).apply(e.reason()));
            } catch (SourceException e) {
                return new Outcome.Failed(Redaction.of(plan).apply(String.valueOf(e.getMessage())),
                        e.kind() == SourceException.Kind.UNAVAILABLE);
            }
        });
    }

    /**
     * A step that was cancelled takes a moment to clear up: the next one must not find it at that, nor it what the next one
     * does.
     */
    private Outcome inTurn(UUID deploymentId, Callable<Outcome> work) throws Exception {
        try (KeyedLocks.Held ignored = turns.take(deploymentId)) {
            return work.call();
        }
    }

    private static Observation redacted(Observation observation, Plan plan) {
        return switch (observation) {
            case Observation.Serving serving -> serving;
            case Observation.Failing failing -> new Observation.Failing(Redaction.of(plan).apply(failing.reason()));
        };
    }

    private static Commit repository(Plan plan) {
        return switch (plan.source()) {
            case Commit commit -> commit;
            case ApplicationSource.Image _ -> throw new StepFailure(
                    "Images are run on Kubernetes only; here applications are deployed from a repository.");
        };
    }

    @PostConstruct
    void begin() {
        if (config.runtime().isPresent()) {
            // A thread of the machine's: reading files and loading code would hold up what runs on the others.
            Thread.ofPlatform().daemon().name("first-read").start(repositories::warmUp);
        }
    }

    @PreDestroy
    void end() throws InterruptedException {
        abandon();
        if (config.endWithControlPlane() && config.runtime().isPresent()) {
            retirement.endAll();
            gate.kill();
        }
    }

    /** Leaves to themselves what runs. */
    void abandon() {
        gate.whenEnded(() -> {
        });
    }
}
