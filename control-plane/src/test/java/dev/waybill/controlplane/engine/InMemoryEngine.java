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
import io.smallrye.mutiny.Uni;

/**
 * An engine that runs nothing and remembers everything. Unless a test says otherwise for a deployment's name, every step is
 * done at once and every application serves.
 */
@Singleton
@Alternative
@Priority(1)
public class InMemoryEngine implements Engine {

    private final Map<String, Script> scripts = new ConcurrentHashMap<>();
    private final Map<UUID, Set<UUID>> running = new ConcurrentHashMap<>();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final Map<UUID, Plan> plans = new ConcurrentHashMap<>();
    private final Set<UUID> cancelled = ConcurrentHashMap.newKeySet();
    private final Map<UUID, Engine> reals = new ConcurrentHashMap<>();
    private final Set<UUID> stubborn = ConcurrentHashMap.newKeySet();

    /** What becomes of the steps of the deployment of that name. */
    public Script script(String name) {
        return scripts.computeIfAbsent(name, ignored -> new Script());
    }

    /** How often a step was begun: {@code prepare}, {@code start}, {@code observe}. */
    public long count(String step, UUID revisionId) {
        return calls.stream().filter((step + " " + revisionId)::equals).count();
    }

    /** Waits until a step of the revision is under way: what the script says later is only for those after it. */
    public void awaitBegun(String step, UUID revisionId) {
        Patience.await().until(() -> count(step, revisionId) > 0);
    }

    /** The revisions of the deployment that were started and not stopped. */
    public Set<UUID> running(UUID deploymentId) {
        return running.getOrDefault(deploymentId, Set.of());
    }

    /** Whether a step of the revision was cancelled. */
    public boolean wasCancelled(UUID revisionId) {
        return cancelled.contains(revisionId);
    }

    /** What the revision was last asked to become. */
    public Plan plan(UUID revisionId) {
        return plans.get(revisionId);
    }

    /** Has stopping of the deployment not be done until it is let. */
    public void keepAlive(UUID deploymentId, boolean alive) {
        if (alive) {
            stubborn.add(deploymentId);
        } else {
            stubborn.remove(deploymentId);
        }
    }

    @Override
    public Uni<Outcome> prepare(Plan plan, BuildLog log) {
        return Uni.createFrom().deferred(() -> begin("prepare", plan, script(plan.name()).prepare, log))
                .onCancellation().invoke(() -> cancelled.add(plan.revisionId()));
    }

    @Override
    public Uni<Outcome> start(Plan plan, BuildLog log) {
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
    public Uni<Observation> observe(Plan plan) {
        return observe(plan, BuildLog.NONE);
    }

    @Override
    public Uni<Observation> observe(Plan plan, BuildLog log) {
        note("observe", plan);
        Script script = script(plan.name());
        Engine real = script.real;
        return real == null ? Uni.createFrom().item(() -> script.observation) : real.observe(script.as.apply(plan), log);
    }

    @Override
    public Uni<Outcome> stop(UUID tenantId, UUID deploymentId, Set<UUID> keep, long newest) {
        calls.add("stop " + deploymentId);
        if (stubborn.contains(deploymentId)) {
            return Uni.createFrom().item(new Outcome.Failed("It does not stop.", true));
        }
        Engine real = reals.get(deploymentId);
        if (real != null) {
            return real.stop(tenantId, deploymentId, keep, newest);
        }
        running.computeIfPresent(deploymentId, (id, known) -> {
            known.removeIf(revision -> !keep.contains(revision) && plans.get(revision).number() <= newest);
            return known.isEmpty() ? null : known;
        });
        return Uni.createFrom().item(new Outcome.Done());
    }

    private Uni<Outcome> begin(String step, Plan plan, Function<Step, Uni<Outcome>> script, BuildLog log) {
        Engine real = script(plan.name()).real;
        if (real != null) {
            reals.put(plan.deploymentId(), real);
        }
        Uni<Outcome> outcome = script.apply(new Step(plan, log));
        note(step, plan);
        return outcome;
    }

    private void note(String step, Plan plan) {
        calls.add(step + " " + plan.revisionId());
        plans.put(plan.revisionId(), plan);
    }

    /** What a step is about. */
    public record Step(Plan plan, BuildLog log) {
    }

    /** What becomes of a deployment's steps; changeable while they are under way. */
    public static final class Script {

        /** A step that never comes to an end by itself. */
        public static final Function<Step, Uni<Outcome>> NEVER = step -> Uni.createFrom().nothing();
        private static final Function<Step, Uni<Outcome>> DONE = step -> Uni.createFrom().item(new Outcome.Done());

        private volatile Function<Step, Uni<Outcome>> prepare = DONE;
        private volatile Function<Step, Uni<Outcome>> start = DONE;
        private volatile Observation observation = new Observation.Serving();

        private volatile @Nullable Engine real;
        private volatile UnaryOperator<Plan> as = UnaryOperator.identity();

        /** From now on a real engine does it, to which plans are told as another. */
        public Script by(Engine engine, UnaryOperator<Plan> plans) {
            as = plans;
            real = engine;
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

        /** Every step is done at once again. */
        public Script done() {
            return prepare(DONE).start(DONE);
        }

        public Script observation(Observation now) {
            observation = now;
            return this;
        }
    }
}
