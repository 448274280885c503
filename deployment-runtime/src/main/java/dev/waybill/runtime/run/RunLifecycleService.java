package dev.waybill.runtime.run;

import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.id.Ids;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.telemetry.SpanKeys;
import dev.waybill.common.telemetry.Telemetry;
import dev.waybill.common.telemetry.TraceParent;
import dev.waybill.runtime.assistant.AssistantService;
import dev.waybill.runtime.event.EventLog;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.tracing.RunTrace;
import dev.waybill.runtime.tracing.TracedRun;
import dev.waybill.runtime.tracing.Tracing;
import dev.waybill.runtime.worker.Workers;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;

/** Creates, starts and cancels runs. */
@Singleton
public class RunLifecycleService {

    private static final Logger LOG = Logger.getLogger(RunLifecycleService.class);
    private static final String WORKSPACE = "workspace:";

    private final RunConfig config;
    private final AssistantService assistants;
    private final RunRegistry registry;
    private final Workers workers;
    private final Dependencies dependencies;
    private final Map<CounterKey, Counter> counters = new ConcurrentHashMap<>();

    /** Labels of the counter of ended runs. */
    private record CounterKey(String graph, RunStatus status) {
    }

    /** Collaborators of the service. */
    @Singleton
    record Dependencies(Ids ids, Clock clock, Vertx vertx, MeterRegistry metrics,
            WebhookSender webhooks, ThreadWatches watches,
            Tracing tracing, Telemetry telemetry) {
    }

    RunLifecycleService(RunConfig config, AssistantService assistants, RunRegistry registry, Workers workers,
            Dependencies dependencies) {
        this.config = config;
        this.assistants = assistants;
        this.registry = registry;
        this.workers = workers;
        this.dependencies = dependencies;
    }

    /** Returns the maximum number of runs that {@link #find} may find. */
    public int maxRuns() {
        return RunRegistry.MAX_ENDED + config.maxConcurrent();
    }

    /**
     * Creates a run without starting it, so that its client can read from the first event.
     *
     * @throws ProblemException 422 for a webhook without a public address, 429 at the limit of active runs, 503 during shutdown
     */
    public Run create(ResolvedRun run, String principal) {
        require(run.body());
        return register(new Run.Origin(newId(), run.assistant(), principal), run.body());
    }

    /** Returns the request with its assistant; fails with 404 for an unknown one. */
    public Uni<ResolvedRun> resolve(CreateRunRequest request, Owner owner) {
        return assistants.find(owner, request.assistantId())
                .map(found -> assistants.isOfGraph(found) ? ResolvedRun.ofGraph(found, request)
                        : ResolvedRun.of(found, request));
    }

    /** @throws ProblemException 422 for a webhook without a public address, 503 during shutdown */
    void require(CreateRunRequest request) {
        registry.rejectIfStopping();
        dependencies.webhooks().check(request);
    }

    UUID newId() {
        return dependencies.ids().newId();
    }

    /**
     * Registers a run without starting it.
     *
     * @throws ProblemException 429 at the limit of active runs, or of the inputs of waiting ones
     */
    Run register(Run.Origin origin, CreateRunRequest request) {
        return register(origin, request, 1, registry::add);
    }

    /** Registers a run that is stored, of which another replica may have executed earlier attempts. */
    Run registerStored(Run.Origin origin, CreateRunRequest request, int attempt) {
        return register(origin, request, attempt, registry::addStored);
    }

    private Run register(Run.Origin origin, CreateRunRequest request, int attempt, Consumer<Run> add) {
        EventLog log = new EventLog(origin.id().toString(), attempt,
                request.resumable() ? config.replayBufferSize().asLongValue() : 0,
                dependencies.clock()::millis);
        Span span = dependencies.telemetry().startSpan("run", SpanKind.INTERNAL);
        Run run = new Run(origin, request, log, dependencies.tracing().newTrace(traced(origin, request, span)),
                dependencies.clock());
        add.accept(run);
        run.onEnd(end -> handleEnd(run, end, span));
        return run;
    }

    /** Returns whether the runtime is shutting down, and ends its responses. */
    public boolean isStopping() {
        return registry.isStopping();
    }

    /** Starts the run, immediately or after the requested delay. */
    public void start(Run run) {
        notifyWatches(run);
        run.announce();
        Run.Execution execution = run.execution();
        if (execution != null) {
            execution.start();
            return;
        }
        long delay = run.request().delayMillis();
        if (delay > 0) {
            long timer = dependencies.vertx().setTimer(delay, ignored -> startNow(run));
            run.onEnd(end -> dependencies.vertx().cancelTimer(timer));
        } else {
            startNow(run);
        }
    }

    /**
     * Returns the caller's run.
     *
     * @throws ProblemException 404 when the run does not exist, was evicted, or belongs to another caller
     */
    public Run require(UUID id, String principal) {
        return find(id, principal).orElseThrow(() -> new ProblemException(CommonProblem.NOT_FOUND,
                "The run " + id + " does not exist; runs are retained for " + config.retention().maxAge().toMinutes()
                        + " minutes after their end."));
    }

    /** Returns the caller's run, unless it was evicted. */
    public Optional<Run> find(UUID id, String principal) {
        return registry.find(id, principal);
    }

    /** Cancels the run; has no effect on an ended one. */
    public void cancel(Run run) {
        run.stop(RunStatus.INTERRUPTED, RunError.CANCELLED);
    }

    /** Notifies clients that stream the thread of a run. */
    void notifyWatches(Run run) {
        dependencies.watches().started(run);
    }

    private void startNow(Run run) {
        run.start()
                .ifPresent(params -> run.attachWorker(workers.start(run.id(), run.assistant().graphId(), params, run)));
    }

    private Counter counter(CounterKey key) {
        return dependencies.metrics().counter("waybill.runtime.runs", "graph", key.graph(), "status", key.status().toString());
    }

    private static TracedRun traced(Run.Origin origin, CreateRunRequest request, Span span) {
        return new TracedRun(origin.id(), origin.assistant().graphId(), origin.assistant().id(), request.tracedInputs(),
                request.metadata(), request.tags(), TraceParent.format(span.getSpanContext()), origin.thread());
    }

    private void handleEnd(Run run, Run.End end, Span span) {
        registry.ended(run);
        endSpan(run, end, span);
        counters.computeIfAbsent(new CounterKey(run.assistant().graphId(), end.status()), this::counter).increment();
        RunError error = end.error();
        if (error != null) {
            LOG.infof("run failed: %s=%s graph=%s error=%s%s%s", LogKeys.RUN_ID, run.id(),
                    run.assistant().graphId(), error.error(), workspace(run), Telemetry.ids(span));
        }
        run.trace().ended(new RunTrace.End(dependencies.clock().instant(),
                error == null ? null : error.error() + ": " + error.message(), end.values()));
        dependencies.webhooks().send(run, end);
    }

    /** Returns the log entry for the workspace of the run's owner, if known. */
    private static String workspace(Run run) {
        String principal = run.principal();
        return principal.startsWith(WORKSPACE) ? " " + LogKeys.TENANT_ID + "=" + principal.substring(WORKSPACE.length()) : "";
    }

    private static void endSpan(Run run, Run.End end, Span span) {
        if (span.getSpanContext().isValid()) {
            span.setAttribute(SpanKeys.RUN_ID, run.id().toString());
            span.setAttribute(SpanKeys.ASSISTANT_ID, run.assistant().id().toString());
            span.setAttribute(SpanKeys.OUTCOME, end.status().toString());
            if (end.status() == RunStatus.ERROR || end.status() == RunStatus.TIMEOUT) {
                span.setStatus(StatusCode.ERROR);
            }
            span.end();
        }
    }
}
