package dev.waybill.controlplane.engine.kubernetes;

import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Function;

import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;

import dev.waybill.common.reactive.Blocking;
import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.Engine;
import dev.waybill.controlplane.engine.Observation;
import dev.waybill.controlplane.engine.Outcome;
import dev.waybill.controlplane.engine.Plan;
import dev.waybill.controlplane.engine.Redaction;
import dev.waybill.controlplane.source.SourceException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.smallrye.mutiny.Uni;

/** The port {@link Engine} over a cluster. Its client blocks, so everything crosses the bridge. */
@Singleton
@Typed(KubernetesEngine.class)
public class KubernetesEngine implements Engine {

    private final Rollover rollover;
    private final Retirement retirement;
    private final ClusterWatch watch;
    private final Blocking blocking;
    private final Turns turns = new Turns();

    KubernetesEngine(Rollover rollover, Retirement retirement, ClusterWatch watch, Blocking blocking) {
        this.rollover = rollover;
        this.retirement = retirement;
        this.watch = watch;
        this.blocking = blocking;
    }

    @Override
    public Uni<Outcome> prepare(Plan plan, BuildLog log) {
        return step(plan, () -> rollover.prepare(plan, log));
    }

    @Override
    public Uni<Outcome> start(Plan plan, BuildLog log) {
        return step(plan, () -> rollover.start(plan, log));
    }

    @Override
    public Uni<Observation> observe(Plan plan) {
        return blocking.call(() -> {
            watch.begin();
            Observation observed = turns.making(plan.deploymentId(),
                    () -> explained(() -> rollover.observe(plan), failed -> new Observation.Failing(failed.reason())));
            return observed instanceof Observation.Failing failing
                    ? new Observation.Failing(Redaction.of(plan).apply(failing.reason()))
                    : observed;
        });
    }

    @Override
    public Uni<Outcome> stop(UUID tenantId, UUID deploymentId, Set<UUID> keep, long newest) {
        return blocking.call(() -> {
            watch.begin();
            return turns.removing(deploymentId, () -> retirement.run(tenantId, deploymentId, keep, newest));
        });
    }

    private Uni<Outcome> step(Plan plan, Callable<Outcome> work) {
        return blocking.call(() -> {
            watch.begin();
            Outcome outcome = turns.making(plan.deploymentId(), () -> outcome(work));
            return switch (outcome) {
                case Outcome.Done done -> done;
                case Outcome.InProgress progress -> new Outcome.InProgress(Redaction.of(plan).apply(progress.message()),
                        progress.lookAgain());
                case Outcome.Failed failed -> new Outcome.Failed(Redaction.of(plan).apply(failed.reason()), failed.mayPass());
            };
        });
    }

    private static Outcome outcome(Callable<Outcome> work) throws Exception {
        try {
            return explained(work, failed -> failed);
        } catch (SourceException e) {
            return new Outcome.Failed(String.valueOf(e.getMessage()), true);
        }
    }

    /** What the cluster refuses because of what a user asked for, in words; what is the operator's or nobody's fault fails. */
    private static <T> T explained(Callable<T> work, Function<Outcome.Failed, T> failed) throws Exception {
        try {
            return work.call();
        } catch (StepFailure e) {
            return failed.apply(Outcome.Failed.forGood(e.reason()));
        } catch (SourceException e) {
            if (e.kind() == SourceException.Kind.UNAVAILABLE) {
                throw e;
            }
            return failed.apply(Outcome.Failed.forGood(String.valueOf(e.getMessage())));
        } catch (KubernetesClientException e) {
            return failed.apply(Refusals.outcome(e).orElseThrow(() -> e));
        }
    }
}
