package dev.waybill.controlplane.rollout;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.common.api.deployment.SourceKind;
import dev.waybill.common.limit.Backoff;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.telemetry.SpanKeys;
import dev.waybill.common.telemetry.Telemetry;
import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.BuildLog.Phase;
import dev.waybill.controlplane.engine.BuildLog.Stream;
import dev.waybill.controlplane.engine.Engine;
import dev.waybill.controlplane.engine.Redaction;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.rollout.RolloutState.Target;
import dev.waybill.controlplane.source.SourceClient;
import dev.waybill.controlplane.source.SourceClient.Resolution;
import dev.waybill.controlplane.thread.ThreadRoles;
import io.opentelemetry.api.trace.Span;
import io.smallrye.mutiny.Uni;

/** Runs one step outside of any transaction and returns its result. The returned Uni never fails. */
@Singleton
class StepRunner {

    private static final Logger LOG = Logger.getLogger(StepRunner.class);
    private static final String INTERNAL_ERROR = "An internal error occurred; the step is retried.";
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(60);

    private final Engine engine;
    private final SourceClient sources;
    private final RevisionSpecFactory plans;
    private final ThreadRoles threads;
    private final RolloutConfig config;
    private final RolloutMetrics metrics;
    private final Telemetry telemetry;
    private final Backoff backoff;

    StepRunner(Engine engine, SourceClient sources, RevisionSpecFactory plans, ThreadRoles threads, RolloutConfig config,
            RolloutMetrics metrics, Telemetry telemetry) {
        this.engine = engine;
        this.sources = sources;
        this.plans = plans;
        this.threads = threads;
        this.config = config;
        this.metrics = metrics;
        this.telemetry = telemetry;
        this.backoff = new Backoff(Duration.ofSeconds(1), config.maxBackoff());
    }

    Uni<StepResult> run(RolloutState state, NextStep next, StoredBuildLog log) {
        return assign(log, state, next).chain(() -> runInSpan(state, next, log));
    }

    // Assigns subsequent lines to the step's revision and redacts that revision's secrets.
    private Uni<Void> assign(StoredBuildLog log, RolloutState state, NextStep next) {
        Optional<Target> target = next.revision();
        return target.isEmpty() ? Uni.createFrom().voidItem()
                : plans.redaction(state, target.get())
                        // Secrets that cannot be decrypted cannot be printed either; the step itself reports the failure.
                        .onFailure().recoverWithItem(Redaction.NONE)
                        .invoke(hide -> log.assignTo(state.tenantId(), target.get().id(), hide, target.get().logLines()))
                        .replaceWithVoid();
    }

    private Uni<StepResult> runInSpan(RolloutState state, NextStep next, StoredBuildLog log) {
        long startNanos = System.nanoTime();
        Span span = span(state, next);
        return telemetry.inSpan(span, () -> whileRepairing(state, next, perform(state, next, log))
                .invoke(result -> metrics.count(next, result, Duration.ofNanos(System.nanoTime() - startNanos)))
                .invoke(result -> span.setAttribute(SpanKeys.OUTCOME, RolloutMetrics.name(result))));
    }

    /** Starts a span for steps that advance a revision; observations recur indefinitely and belong to no request. */
    private Span span(RolloutState state, NextStep next) {
        Target target = next.revision().orElse(null);
        if (target == null || !next.isLongRunning()) {
            return Span.getInvalid();
        }
        return telemetry.startLinkedSpan("rollout " + RolloutMetrics.name(next), target.traceParent())
                .setAttribute(SpanKeys.TENANT_ID, state.tenantId().toString())
                .setAttribute(SpanKeys.DEPLOYMENT_ID, state.id().toString())
                .setAttribute(SpanKeys.REVISION_ID, target.id().toString())
                .setAttribute(SpanKeys.ATTEMPT, state.tries() + 1L);
    }

    // A long step must not delay the repair of the active revision if that crashes meanwhile.
    private Uni<StepResult> whileRepairing(RolloutState state, NextStep next, Uni<StepResult> step) {
        Target active = state.active();
        if (active == null || !next.isLongRunning()) {
            return step;
        }
        Uni<StepResult> repairs = Uni.createFrom().voidItem()
                .onItem().delayIt().by(config.observeFailingInterval())
                .chain(() -> observe(state, active, BuildLog.NONE))
                .repeat().indefinitely()
                .collect().last()
                .onItem().transformToUni(never -> Uni.createFrom().nothing());
        return Uni.combine().any().of(step, repairs);
    }

    private Uni<StepResult> perform(RolloutState state, NextStep next, StoredBuildLog log) {
        return switch (next) {
            case NextStep.Remove _ -> stop(state, Set.of(), new StepResult.Removed())
                    .chain(result -> result instanceof StepResult.Removed ? removeThreads(state, result)
                            : Uni.createFrom().item(result));
            case NextStep.CleanUp cleanUp -> stop(state, cleanUp.keep(), new StepResult.CleanedUp());
            case NextStep.Resolve resolve -> within(Deadline.ofResolving(), state, resolve.target(),
                    () -> resolve(state, resolve.target(), log));
            case NextStep.Advance advance -> Uni.createFrom().item(StepResult.Moved.to(advance.next()));
            case NextStep.Build build -> within(Deadline.ofBuilding(config), state, build.target(),
                    () -> build(state, build.target(), log));
            case NextStep.Deploy deploy -> within(Deadline.ofDeploying(config), state, deploy.target(),
                    () -> deploy(state, deploy.target(), log));
            case NextStep.Observe observe -> observe(state, observe.target(), log);
            case NextStep.Idle _ -> Uni.createFrom().item(new StepResult.Unchanged());
        };
    }

    private Uni<StepResult> resolve(RolloutState state, Target target, StoredBuildLog log) {
        if (isKnown(target)) {
            return Uni.createFrom().item(StepResult.Moved.to(RevisionStatus.QUEUED));
        }
        return resolveReference(state, target, log)
                .map(resolution -> StepResult.ofResolving(resolution, delay(state)));
    }

    private Uni<StepResult> build(RolloutState state, Target target, StoredBuildLog log) {
        return isKnown(target)
                ? plan(state, target)
                        .chain(plan -> engine.prepare(plan, log))
                        .map(outcome -> StepResult.of(outcome, RevisionStatus.AWAITING_DEPLOY, RevisionStatus.BUILD_FAILED,
                                delay(state)))
                : resolveReference(state, target, log)
                        .map(resolution -> StepResult.ofResolvingAgain(resolution, delay(state)));
    }

    private Uni<StepResult> deploy(RolloutState state, Target target, StoredBuildLog log) {
        return plan(state, target)
                .chain(plan -> engine.start(plan, log))
                .map(outcome -> StepResult.of(outcome, RevisionStatus.DEPLOYED, RevisionStatus.DEPLOY_FAILED, delay(state)))
                .call(result -> repairWhileWaiting(state, result));
    }

    // While a revision becomes healthy the lease is released between checks, so each check also repairs the active revision.
    private Uni<?> repairWhileWaiting(RolloutState state, StepResult result) {
        Target active = state.active();
        return active == null || !(result instanceof StepResult.Retry) ? Uni.createFrom().voidItem()
                : observe(state, active, BuildLog.NONE);
    }

    private Uni<Resolution> resolveReference(RolloutState state, Target target, StoredBuildLog log) {
        String repository = String.valueOf(target.source().repoUrl());
        String ref = String.valueOf(target.revision().repoRef());
        return plans.credential(state, target)
                .chain(credential -> sources.resolve(repository, ref, credential.orElse(null)))
                .invoke(resolution -> logCommit(resolution, ref, log));
    }

    private static void logCommit(Resolution resolution, String ref, StoredBuildLog log) {
        if (resolution instanceof Resolution.Resolved found) {
            log.line(Phase.BUILD, Stream.SYSTEM, ref + " is commit " + found.commit());
        }
    }

    private Uni<StepResult> observe(RolloutState state, Target target, BuildLog log) {
        Uni<StepResult> observed = plan(state, target)
                .chain(plan -> engine.observe(plan, log))
                .map(StepResult::ofObserving);
        return observed.ifNoItem().after(CALL_TIMEOUT)
                .recoverWithItem(() -> new StepResult.Observed("The engine did not report the application's state in time."))
                .onFailure().invoke(failure -> warn("observing failed", state, failure))
                .onFailure()
                .recoverWithItem(() -> new StepResult.Observed("The application's state cannot be checked at the moment."));
    }

    private Uni<StepResult> stop(RolloutState state, Set<UUID> keep, StepResult done) {
        Uni<StepResult> stopped = Uni.createFrom().deferred(() -> engine.stop(state.tenantId(), state.id(), keep,
                state.newestNumber()))
                .map(outcome -> StepResult.ofStopping(outcome, done, delay(state)));
        return stopped.ifNoItem().after(CALL_TIMEOUT)
                .recoverWithItem(() -> new StepResult.Retry(null, delay(state)))
                .onFailure().invoke(failure -> warn("stopping failed", state, failure))
                .onFailure().recoverWithItem(() -> new StepResult.Retry(null, delay(state)));
    }

    // The processes have stopped, so nothing writes threads any more.
    private Uni<StepResult> removeThreads(RolloutState state, StepResult removed) {
        return threads.remove(state.tenantId(), state.id())
                .replaceWith(removed)
                // What was deleted stays deleted, so the next attempt continues.
                .ifNoItem().after(CALL_TIMEOUT).recoverWithItem(() -> new StepResult.Retry(null, delay(state)))
                .onFailure().invoke(failure -> warn("deleting threads failed", state, failure))
                .onFailure().recoverWithItem(() -> new StepResult.Retry(null, delay(state)));
    }

    private Uni<RevisionSpec> plan(RolloutState state, Target target) {
        return plans.credential(state, target)
                .map(credential -> plans.plan(state, target, credential.orElse(null)));
    }

    private Uni<StepResult> within(Deadline deadline, RolloutState state, Target target, Supplier<Uni<StepResult>> step) {
        Duration remaining = deadline.remaining(age(state, target));
        if (remaining.isZero()) {
            return Uni.createFrom().item(deadline.timedOut(lastMessage(target.message())));
        }
        return Uni.createFrom().deferred(() -> step.get())
                .ifNoItem().after(remaining).recoverWithItem(() -> deadline.timedOut(""))
                .onFailure().invoke(failure -> warn("a step failed", state, failure))
                .onFailure().recoverWithItem(() -> new StepResult.Retry(INTERNAL_ERROR, delay(state)))
                .map(result -> capBackoff(result, remaining));
    }

    // The time that a new revision waits for a rollout slot does not count towards resolving its source.
    private static Duration age(RolloutState state, Target target) {
        return target.status() == RevisionStatus.CREATING && state.tries() == 0 ? Duration.ZERO : target.age();
    }

    // A backoff beyond the step's deadline would only delay the timeout.
    private static StepResult capBackoff(StepResult result, Duration remaining) {
        return result instanceof StepResult.Retry retry && retry.delay().compareTo(remaining) > 0
                ? new StepResult.Retry(retry.message(), remaining, retry.interruptible(), retry.isHealthCheck())
                : result;
    }

    private static String lastMessage(@Nullable String message) {
        return message == null || message.equals(INTERNAL_ERROR) ? "" : message;
    }

    /** Returns the delay after another unsuccessful attempt. */
    private Duration delay(RolloutState state) {
        return backoff.delay(state.tries() + 1);
    }

    private static boolean isKnown(Target target) {
        return target.kind() == SourceKind.EXTERNAL_DOCKER || target.revision().repoCommitSha() != null;
    }

    private static void warn(String sentence, RolloutState state, Throwable failure) {
        LOG.warnf(failure, "%s %s=%s %s=%s", sentence, LogKeys.TENANT_ID, state.tenantId(), LogKeys.DEPLOYMENT_ID,
                state.id());
    }

    /**
     * The deadline of a revision's step, including retries, and the failure when it is exceeded.
     *
     * @param limit time since the first attempt, on any replica
     */
    record Deadline(Duration limit, RevisionStatus end, String timeoutMessage) {

        private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(60);

        static Deadline ofResolving() {
            return new Deadline(RESOLVE_TIMEOUT, RevisionStatus.CREATE_FAILED,
                    "The repository did not respond within " + format(RESOLVE_TIMEOUT) + "; check repo_url and try again.");
        }

        static Deadline ofBuilding(RolloutConfig config) {
            return new Deadline(config.buildTimeout(), RevisionStatus.BUILD_FAILED, "The build took longer than "
                    + format(config.buildTimeout()) + "; see the log for its progress and reduce the build's work.");
        }

        static Deadline ofDeploying(RolloutConfig config) {
            return new Deadline(config.deployTimeout(), RevisionStatus.DEPLOY_FAILED, "The application was not healthy within "
                    + format(config.deployTimeout()) + "; see the log for its output.");
        }

        /** Returns the remaining time, at least zero. */
        Duration remaining(Duration age) {
            Duration remaining = limit.minus(age);
            return remaining.isNegative() ? Duration.ZERO : remaining;
        }

        /** Returns the failure for an exceeded deadline. */
        StepResult.Failed timedOut(String lastMessage) {
            return new StepResult.Failed(end,
                    lastMessage.isEmpty() ? timeoutMessage : timeoutMessage + " Last status: " + lastMessage);
        }

        static String format(Duration time) {
            return time.compareTo(Duration.ofMinutes(2)) >= 0 && time.toSecondsPart() == 0 ? time.toMinutes() + " minutes"
                    : time.toMillisPart() == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
        }
    }
}
