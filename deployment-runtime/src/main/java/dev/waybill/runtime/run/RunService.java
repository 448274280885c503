package dev.waybill.runtime.run;

import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.id.Ids;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.telemetry.SpanKeys;
import dev.waybill.common.telemetry.Telemetry;
import dev.waybill.common.telemetry.TraceParent;
import dev.waybill.runtime.assistant.AssistantCatalog;
import dev.waybill.runtime.event.EventLog;
import dev.waybill.runtime.tracing.RunTrace;
import dev.waybill.runtime.tracing.TracedRun;
import dev.waybill.runtime.tracing.Tracing;
import dev.waybill.runtime.worker.Workers;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.vertx.core.Vertx;

/** Starts runs and ends them. */
@Singleton
public class RunService {

    private static final Logger LOG = Logger.getLogger(RunService.class);
    private static final String WORKSPACE = "workspace:";

    private final RunConfig config;
    private final AssistantCatalog assistants;
    private final RunRegistry registry;
    private final Workers workers;
    private final Surroundings surroundings;
    private final Map<Ends, Counter> ends = new ConcurrentHashMap<>();

    /** Ends that are counted together. */
    private record Ends(String graph, RunStatus status) {
    }

    /** What runs take from the service around them. */
    @Singleton
    record Surroundings(Ids ids, Clock clock, Vertx vertx, MeterRegistry metrics, Drain drain, Webhooks webhooks,
            Tracing tracing, Telemetry telemetry) {
    }

    RunService(RunConfig config, AssistantCatalog assistants, RunRegistry registry, Workers workers,
            Surroundings surroundings) {
        this.config = config;
        this.assistants = assistants;
        this.registry = registry;
        this.workers = workers;
        this.surroundings = surroundings;
    }

    /**
     * A new run that has not begun, so that its client can be there from the first event.
     *
     * @throws ProblemException 404 for an unknown assistant, 422 for a webhook that leads nowhere public, 429 when there are
     *         too many, 503 when the runtime is stopping
     */
    public Run create(CreateRunRequest request, String principal) {
        surroundings.drain().check();
        surroundings.webhooks().check(request);
        Run.Origin origin = new Run.Origin(surroundings.ids().newId(), assistants.require(request.assistantId()), principal);
        EventLog log = new EventLog(origin.id().toString(), request.resumable() ? config.resumable().asLongValue() : 0);
        Span span = surroundings.telemetry().startSpan("run", SpanKind.INTERNAL);
        Run run = new Run(origin, request, log, surroundings.tracing().begin(traced(origin, request, span)),
                surroundings.clock());
        registry.add(run);
        run.whenEnded(end -> noteEnd(run, end, span));
        return run;
    }

    /** Begins it, now or after the time that was asked for. */
    public void begin(Run run) {
        run.announce();
        long delay = run.request().delayMillis();
        if (delay > 0) {
            long timer = surroundings.vertx().setTimer(delay, ignored -> start(run));
            run.whenEnded(end -> surroundings.vertx().cancelTimer(timer));
        } else {
            start(run);
        }
    }

    /**
     * The caller's run.
     *
     * @throws ProblemException 404 when it is not there, or not any more, or not the caller's
     */
    public Run require(UUID id, String principal) {
        return find(id, principal).orElseThrow(() -> new ProblemException(CommonProblem.NOT_FOUND,
                "There is no run " + id + "; runs are kept for " + config.keptFor().toMinutes() + " minutes after their end."));
    }

    /** The caller's run, if it can still be asked for. */
    public Optional<Run> find(UUID id, String principal) {
        return registry.find(id, principal);
    }

    /** Ends it as cancelled; one that has ended stays as it is. */
    public void cancel(Run run) {
        run.stop(RunStatus.INTERRUPTED, RunErrors.CANCELLED);
    }

    private void start(Run run) {
        run.begin().ifPresent(told -> run.runsIn(workers.start(run.id(), run.assistant().graphId(), told, run)));
    }

    private Counter counter(Ends of) {
        return surroundings.metrics().counter("waybill.runtime.runs", "graph", of.graph(), "status", of.status().toString());
    }

    private static TracedRun traced(Run.Origin origin, CreateRunRequest request, Span span) {
        return new TracedRun(origin.id(), origin.assistant().graphId(), origin.assistant().id(), request.traced(),
                request.metadata(), request.tags(), TraceParent.format(span.getSpanContext()));
    }

    private void noteEnd(Run run, Run.End end, Span span) {
        registry.ended(run);
        endSpan(run, end, span);
        ends.computeIfAbsent(new Ends(run.assistant().graphId(), end.status()), this::counter).increment();
        RunError error = end.error();
        if (error != null) {
            LOG.infof("a run did not go through: %s=%s graph=%s error=%s%s%s", LogKeys.RUN_ID, run.id(),
                    run.assistant().graphId(), error.error(), workspace(run), Telemetry.ids(span));
        }
        run.trace().ended(new RunTrace.End(surroundings.clock().instant(),
                error == null ? null : error.error() + ": " + error.message(), end.values()));
        surroundings.webhooks().send(run, end);
    }

    /** Whose it is, where the control plane has said so. */
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
