package dev.waybill.controlplane.engine;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.engine.Engine.Observation;
import dev.waybill.controlplane.engine.Engine.Outcome;
import io.smallrye.mutiny.Uni;

/**
 * An engine that runs nothing and records all calls. By default every step is done immediately and every application serves; a
 * {@link Script} for a deployment's name changes that.
 */
@Singleton
@Alternative
@Priority(1)
public class InMemoryEngine implements Engine {

    private final Map<String, Script> scripts = new ConcurrentHashMap<>();
    private final Map<UUID, Set<UUID>> running = new ConcurrentHashMap<>();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final Map<UUID, RevisionSpec> plans = new ConcurrentHashMap<>();
    private final Set<UUID> cancelled = ConcurrentHashMap.newKeySet();
    private final Map<UUID, Engine> delegates = new ConcurrentHashMap<>();
    private volatile Map<String, String> settings = Map.of();
    private final Set<UUID> stopBlocked = ConcurrentHashMap.newKeySet();

    /** Returns the script of the deployment with that name. */
    public Script script(String name) {
        return scripts.computeIfAbsent(name, ignored -> new Script());
    }

    /** Returns how often a step was started: {@code prepare}, {@code start}, {@code observe}. */
    public long count(String step, UUID revisionId) {
        return calls.stream().filter((step + " " + revisionId)::equals).count();
    }

    /** Waits until a step of the revision has started; later changes of the script apply to subsequent steps only. */
    public void awaitStarted(String step, UUID revisionId) {
        Patience.await().until(() -> count(step, revisionId) > 0);
    }

    /** Returns the deployment's revisions that were started and not stopped. */
    public Set<UUID> running(UUID deploymentId) {
        return running.getOrDefault(deploymentId, Set.of());
    }

    /** Returns whether a step of the revision was cancelled. */
    public boolean wasCancelled(UUID revisionId) {
        return cancelled.contains(revisionId);
    }

    /** Returns the revision's last plan. */
    public RevisionSpec plan(UUID revisionId) {
        return plans.get(revisionId);
    }

    /** Makes {@link #stop} of the deployment fail until it is unblocked. */
    public void blockStop(UUID deploymentId, boolean blocked) {
        if (blocked) {
            stopBlocked.add(deploymentId);
        } else {
            stopBlocked.remove(deploymentId);
        }
    }

    /** Sets the configuration of all applications. */
    public void configure(Map<String, String> settings) {
        this.settings = Map.copyOf(settings);
    }

    @Override
    public Map<String, String> settings() {
        return settings;
    }

    @Override
    public Uni<Outcome> prepare(RevisionSpec plan, BuildLog log) {
        return Uni.createFrom().deferred(() -> begin("prepare", plan, script(plan.name()).prepare, log))
                .onCancellation().invoke(() -> cancelled.add(plan.revisionId()));
    }

    @Override
    public Uni<Outcome> start(RevisionSpec plan, BuildLog log) {
        return Uni.createFrom().deferred(() -> begin("start", plan, script(plan.name()).start, log))
                .onCancellation().invoke(() -> cancelled.add(plan.revisionId()))
                .invoke(outcome -> {
                    if (outcome instanceof Outcome.Done) {
                        running.computeIfAbsent(plan.deploymentId(), ignored -> ConcurrentHashMap.newKeySet())
                                .add(plan.revisionId());
                    }
                });
    }

    @Override
    public Uni<Observation> observe(RevisionSpec plan) {
        return observe(plan, BuildLog.NONE);
    }

    @Override
    public Uni<Observation> observe(RevisionSpec plan, BuildLog log) {
        recordCall("observe", plan);
        Script script = script(plan.name());
        Engine delegate = script.delegate;
        return delegate == null ? Uni.createFrom().item(() -> script.observation)
                : delegate.observe(script.planMapping.apply(plan), log);
    }

    @Override
    public Uni<Outcome> stop(UUID tenantId, UUID deploymentId, Set<UUID> keep, long newest) {
        calls.add("stop " + deploymentId);
        if (stopBlocked.contains(deploymentId)) {
            return Uni.createFrom().item(new Outcome.Failed("It does not stop.", true));
        }
        Engine delegate = delegates.get(deploymentId);
        if (delegate != null) {
            return delegate.stop(tenantId, deploymentId, keep, newest);
        }
        running.computeIfPresent(deploymentId, (id, known) -> {
            known.removeIf(revision -> !keep.contains(revision) && plans.get(revision).number() <= newest);
            return known.isEmpty() ? null : known;
        });
        return Uni.createFrom().item(new Outcome.Done());
    }

    @Override
    public Uni<ServerLog> serverLog(ApplicationId application, ServerLogQuery query, Redaction redaction) {
        Engine delegate = delegates.get(application.deploymentId());
        return delegate == null ? Uni.createFrom().item(ServerLog.empty(0))
                : delegate.serverLog(application, query, redaction);
    }

    @Override
    public Uni<ApplicationUsage> usage(ApplicationId application) {
        Engine delegate = delegates.get(application.deploymentId());
        return delegate == null ? Uni.createFrom().item(ApplicationUsage.UNKNOWN) : delegate.usage(application);
    }

    private Uni<Outcome> begin(String step, RevisionSpec plan, Function<Step, Uni<Outcome>> script, BuildLog log) {
        Engine delegate = script(plan.name()).delegate;
        if (delegate != null) {
            delegates.put(plan.deploymentId(), delegate);
        }
        Uni<Outcome> outcome = script.apply(new Step(plan, log));
        recordCall(step, plan);
        return outcome;
    }

    private void recordCall(String step, RevisionSpec plan) {
        calls.add(step + " " + plan.revisionId());
        plans.put(plan.revisionId(), plan);
    }

    /** The arguments of a step. */
    public record Step(RevisionSpec plan, BuildLog log) {
    }

    /** The outcomes of a deployment's steps; mutable while they run. */
    public static final class Script {

        /** A step that never completes. */
        public static final Function<Step, Uni<Outcome>> NEVER = step -> Uni.createFrom().nothing();
        private static final Function<Step, Uni<Outcome>> DONE = step -> Uni.createFrom().item(new Outcome.Done());

        private volatile Function<Step, Uni<Outcome>> prepare = DONE;
        private volatile Function<Step, Uni<Outcome>> start = DONE;
        private volatile Observation observation = new Observation.Serving();

        private volatile @Nullable Engine delegate;
        private volatile UnaryOperator<RevisionSpec> planMapping = UnaryOperator.identity();

        /** Delegates to a real engine, with mapped plans. */
        public Script delegateTo(Engine engine, UnaryOperator<RevisionSpec> plans) {
            planMapping = plans;
            delegate = engine;
            return prepare(step -> engine.prepare(plans.apply(step.plan()), step.log()))
                    .start(step -> engine.start(plans.apply(step.plan()), step.log()));
        }

        public Script prepare(Function<Step, Uni<Outcome>> step) {
            prepare = step;
            return this;
        }

        public Script start(Function<Step, Uni<Outcome>> step) {
            start = step;
            return this;
        }

        public Script prepare(Outcome outcome) {
            return prepare(step -> Uni.createFrom().item(outcome));
        }

        public Script start(Outcome outcome) {
            return start(step -> Uni.createFrom().item(outcome));
        }

        /** Makes every step done immediately. */
        public Script done() {
            return prepare(DONE).start(DONE);
        }

        public Script observation(Observation now) {
            observation = now;
            return this;
        }
    }
}
