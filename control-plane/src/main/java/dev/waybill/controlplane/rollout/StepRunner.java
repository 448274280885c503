package dev.waybill.controlplane.rollout;

import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.common.api.deployment.SourceKind;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.telemetry.SpanKeys;
import dev.waybill.common.telemetry.Telemetry;
import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.BuildLog.Phase;
import dev.waybill.controlplane.engine.BuildLog.Stream;
import dev.waybill.controlplane.engine.Engine;
import dev.waybill.controlplane.engine.Plan;
import dev.waybill.controlplane.rollout.log.StoredBuildLog;
import dev.waybill.controlplane.rollout.measure.RolloutMetrics;
import dev.waybill.controlplane.rollout.rule.Deadline;
import dev.waybill.controlplane.rollout.rule.NextStep;
import dev.waybill.controlplane.rollout.rule.RolloutConfig;
import dev.waybill.controlplane.rollout.rule.RolloutState;
import dev.waybill.controlplane.rollout.rule.RolloutState.Target;
import dev.waybill.controlplane.rollout.rule.Verdict;
import dev.waybill.controlplane.rollout.rule.Verdicts;
import dev.waybill.controlplane.source.Resolution;
import dev.waybill.controlplane.source.SourceClient;
import io.opentelemetry.api.trace.Span;
import io.smallrye.mutiny.Uni;

/** Does one step, outside of any transaction, and says what it has come to. Never fails. */
@Singleton
class StepRunner {

    private static final Logger LOG = Logger.getLogger(StepRunner.class);
    private static final String OUR_FAULT = "Something went wrong on our side; it is tried again.";

    private final Engine engine;
    private final SourceClient sources;
    private final Plans plans;
    private final RolloutConfig config;
    private final RolloutMetrics metrics;
    private final Telemetry telemetry;
    private final Verdicts verdicts;

    StepRunner(Engine engine, SourceClient sources, Plans plans, RolloutConfig config, RolloutMetrics metrics,
            Telemetry telemetry) {
        this.engine = engine;
        this.sources = sources;
        this.plans = plans;
        this.config = config;
        this.metrics = metrics;
        this.telemetry = telemetry;
        this.verdicts = new Verdicts(config);
    }

    Uni<Verdict> run(RolloutState state, NextStep next, StoredBuildLog log) {
        long begun = System.nanoTime();
        Span span = span(state, next);
        return telemetry.inSpan(span, () -> whileRepairing(state, next, perform(state, next, log))
                .invoke(verdict -> metrics.count(next, verdict, Duration.ofNanos(System.nanoTime() - begun)))
                .invoke(verdict -> span.setAttribute(SpanKeys.OUTCOME, RolloutMetrics.name(verdict))));
    }

    /** For what is done to bring a revision forward; looks at what serves go on for ever, and belong to nobody's request. */
    private Span span(RolloutState state, NextStep next) {
        Target target = next.revision().orElse(null);
        if (target == null || !next.mayTakeLong()) {
            return Span.getInvalid();
        }
        return telemetry.startLinkedSpan("rollout " + RolloutMetrics.name(next), target.traceParent())
                .setAttribute(SpanKeys.TENANT_ID, state.tenantId().toString())
                .setAttribute(SpanKeys.DEPLOYMENT_ID, state.id().toString())
                .setAttribute(SpanKeys.REVISION_ID, target.id().toString())
                .setAttribute(SpanKeys.ATTEMPT, state.tries() + 1L);
    }

    // A build or what is being finished elsewhere may take minutes: if the active revision crashes meanwhile, its users do not
    // wait for that.
    private Uni<Verdict> whileRepairing(RolloutState state, NextStep next, Uni<Verdict> step) {
        Target active = state.active();
        if (active == null || !next.mayTakeLong()) {
            return step;
        }
        Uni<Verdict> repairs = Uni.createFrom().voidItem()
                .onItem().delayIt().by(config.observeFailingEvery())
                .chain(() -> observe(state, active, BuildLog.NONE))
                .repeat().indefinitely()
                .collect().last()
                .onItem().transformToUni(never -> Uni.createFrom().nothing());
        return Uni.combine().any().of(step, repairs);
    }

    private Uni<Verdict> perform(RolloutState state, NextStep next, StoredBuildLog log) {
        return switch (next) {
            case NextStep.Remove _ -> stop(state, Set.of(), new Verdict.Removed());
            case NextStep.Tidy tidy -> stop(state, tidy.keep(), new Verdict.Tidied());
            case NextStep.Resolve resolve -> within(Deadline.ofResolving(config), state, resolve.target(),
                    () -> resolve(state, resolve.target(), log));
            case NextStep.Pass pass -> Uni.createFrom().item(Verdict.Moved.to(pass.next()));
            case NextStep.Build build -> within(Deadline.ofBuilding(config), state, build.target(),
                    () -> build(state, build.target(), log));
            case NextStep.Deploy deploy -> within(Deadline.ofDeploying(config), state, deploy.target(),
                    () -> deploy(state, deploy.target(), log));
            case NextStep.Observe observe -> observe(state, observe.target(), log);
            case NextStep.Rest _ -> Uni.createFrom().item(new Verdict.Nothing());
        };
    }

    private Uni<Verdict> resolve(RolloutState state, Target target, StoredBuildLog log) {
        if (isKnown(target)) {
            return Uni.createFrom().item(Verdict.Moved.to(RevisionStatus.QUEUED));
        }
        return lookUp(state, target, log)
                .map(resolution -> verdicts.resolved(resolution, state.tries()));
    }

    private Uni<Verdict> build(RolloutState state, Target target, StoredBuildLog log) {
        return isKnown(target)
                ? plan(state, target)
                        .chain(plan -> engine.prepare(plan, log))
                        .map(outcome -> verdicts.of(outcome, RevisionStatus.AWAITING_DEPLOY, RevisionStatus.BUILD_FAILED,
                                state.tries()))
                : lookUp(state, target, log)
                        .map(resolution -> lateResolved(resolution, state.tries()));
    }

    private Uni<Verdict> deploy(RolloutState state, Target target, StoredBuildLog log) {
        return plan(state, target)
                .chain(plan -> engine.start(plan, log))
                .map(outcome -> verdicts.of(outcome, RevisionStatus.DEPLOYED, RevisionStatus.DEPLOY_FAILED, state.tries()))
                .call(verdict -> repairWhileWaiting(state, verdict));
    }

    // Between two looks at a revision that is not healthy yet nobody holds the deployment, whose active revision may have crashed.
    private Uni<?> repairWhileWaiting(RolloutState state, Verdict verdict) {
        Target active = state.active();
        return active == null || !(verdict instanceof Verdict.Again) ? Uni.createFrom().voidItem()
                : observe(state, active, BuildLog.NONE);
    }

    // The revision was let into the build because its reference was not there: now it is, or the build has failed.
    private Verdict lateResolved(Resolution resolution, int tries) {
        return switch (resolution) {
            case Resolution.Resolved found -> new Verdict.Moved(RevisionStatus.BUILDING, found.commit());
            case Resolution.RefNotFound missing -> new Verdict.Failed(RevisionStatus.BUILD_FAILED, missing.reason());
            case Resolution.Unreachable no when no.retryable() -> new Verdict.Again(no.reason(), verdicts.pause(tries));
            case Resolution.Unreachable no -> new Verdict.Failed(RevisionStatus.BUILD_FAILED, no.reason());
        };
    }

    private Uni<Resolution> lookUp(RolloutState state, Target target, StoredBuildLog log) {
        String repository = String.valueOf(target.source().repoUrl());
        String ref = String.valueOf(target.revision().repoRef());
        return plans.credential(state, target)
                .chain(credential -> sources.resolve(repository, ref, credential.orElse(null)))
                .invoke(resolution -> tell(resolution, ref, log));
    }

    private static void tell(Resolution resolution, String ref, StoredBuildLog log) {
        if (resolution instanceof Resolution.Resolved found) {
            log.line(Phase.BUILD, Stream.SYSTEM, ref + " is commit " + found.commit());
        }
    }

    private Uni<Verdict> observe(RolloutState state, Target target, BuildLog log) {
        Uni<Verdict> observed = plan(state, target)
                .chain(plan -> engine.observe(plan, log))
                .map(verdicts::observed);
        return observed.ifNoItem().after(config.callTime())
                .recoverWithItem(() -> new Verdict.Observed("The engine did not tell in time how it does."))
                .onFailure().invoke(failure -> warn("observing failed", state, failure))
                .onFailure().recoverWithItem(() -> new Verdict.Observed("How it does cannot be seen now."));
    }

    private Uni<Verdict> stop(RolloutState state, Set<UUID> keep, Verdict done) {
        Uni<Verdict> stopped = Uni.createFrom().deferred(() -> engine.stop(state.tenantId(), state.id(), keep,
                state.newestNumber()))
                .map(outcome -> verdicts.stopped(outcome, done, state.tries()));
        return stopped.ifNoItem().after(config.callTime())
                .recoverWithItem(() -> new Verdict.Again(null, verdicts.pause(state.tries())))
                .onFailure().invoke(failure -> warn("stopping failed", state, failure))
                .onFailure().recoverWithItem(() -> new Verdict.Again(null, verdicts.pause(state.tries())));
    }

    private Uni<Plan> plan(RolloutState state, Target target) {
        return plans.credential(state, target)
                .map(credential -> plans.plan(state, target, credential.orElse(null)));
    }

    private Uni<Verdict> within(Deadline deadline, RolloutState state, Target target, Supplier<Uni<Verdict>> step) {
        Duration left = deadline.left(age(state, target));
        if (left.isZero()) {
            return Uni.createFrom().item(deadline.over(lastWord(target.message())));
        }
        return Uni.createFrom().deferred(() -> step.get())
                .ifNoItem().after(left).recoverWithItem(() -> deadline.over(""))
                .onFailure().invoke(failure -> warn("a step failed", state, failure))
                .onFailure().recoverWithItem(() -> new Verdict.Again(OUR_FAULT, verdicts.pause(state.tries())))
                .map(verdict -> inTime(verdict, left));
    }

    // A new revision waits for a place first, behind all that its workspace has ordered; that is not the repository's time.
    private static Duration age(RolloutState state, Target target) {
        return target.status() == RevisionStatus.CREATING && state.tries() == 0 ? Duration.ZERO : target.age();
    }

    // A pause that outlasts the step's time would only make its end late.
    private static Verdict inTime(Verdict verdict, Duration left) {
        return verdict instanceof Verdict.Again again && again.pause().compareTo(left) > 0
                ? new Verdict.Again(again.message(), left, again.interruptible())
                : verdict;
    }

    private static String lastWord(@Nullable String message) {
        return message == null || message.equals(OUR_FAULT) ? "" : message;
    }

    private static boolean isKnown(Target target) {
        return target.kind() == SourceKind.EXTERNAL_DOCKER || target.revision().repoCommitSha() != null;
    }

    private static void warn(String sentence, RolloutState state, Throwable failure) {
        LOG.warnf(failure, "%s %s=%s %s=%s", sentence, LogKeys.TENANT_ID, state.tenantId(), LogKeys.DEPLOYMENT_ID,
                state.id());
    }
}
