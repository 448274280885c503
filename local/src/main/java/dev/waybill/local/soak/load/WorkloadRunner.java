package dev.waybill.local.soak.load;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;
import dev.waybill.local.client.WaybillClient;
import dev.waybill.local.soak.deployments.DeploymentGroup;
import dev.waybill.local.soak.deployments.DeploymentTarget;
import dev.waybill.local.soak.deployments.AvailabilityProbe;
import dev.waybill.local.soak.replicas.RetryingClient;
import dev.waybill.local.soak.replicas.ReplicatedStack;
import dev.waybill.local.soak.replicas.ReplicaPool;
import dev.waybill.local.stack.ServiceKind;

/** All flows at once, from {@link #begin} to {@link #end}; and afterwards what became of all that was answered with success. */
public final class WorkloadRunner implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(15);
    private static final int DEPLOYMENTS = 2;
    private static final int EXPORTED_RUNS = 600;
    private static final int HOURS = 30;
    private static final int RUNS_AN_HOUR = 4;

    private final RetryingClient caller = new RetryingClient();
    private final WaybillClient client;
    private final DeploymentGroup fleet;
    private final AvailabilityProbe probe;
    private final TraceWorkload traces;
    private final ExportClient exported;
    private final List<Workload> flows;
    private final Map<String, AtomicInteger> steps = new ConcurrentHashMap<>();
    private final List<String> broken = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService clients;
    private final Instant prepared = Instant.now();

    /** Prepares what the flows need; nothing may happen to the replicas meanwhile. */
    public WorkloadRunner(ReplicatedStack landscape, Path folder) {
        ReplicaPool controlPlane = landscape.service(ServiceKind.CONTROL_PLANE);
        ReplicaPool intake = landscape.service(ServiceKind.EXPERIMENT);
        String database = landscape.stack().superuserUrl();
        this.client = new WaybillClient(landscape.apiKey());
        DeploymentTarget ground = new DeploymentTarget(client, landscape.apiKey(),
                List.of(landscape.controlPlane()), landscape.stack().applications(), folder.toAbsolutePath());
        this.fleet = DeploymentGroup.deploy(ground, DEPLOYMENTS);
        this.probe = AvailabilityProbe.on(fleet.members(), landscape.apiKey());
        this.traces = new TraceWorkload(caller, intake, database);
        this.exported = new ExportClient(caller, landscape.service(ServiceKind.EXPORT), landscape.stack(),
                folder.resolve("exported"));
        Instant hour = Instant.now().truncatedTo(ChronoUnit.HOURS);
        SourceSession days = SourceSession.load(caller, intake, "replicas-days", Instant.parse("2026-03-02T00:00:00Z"),
                Duration.ofDays(3).dividedBy(EXPORTED_RUNS), EXPORTED_RUNS);
        SourceSession hours = SourceSession.load(caller, intake, "replicas-hours", hour.minus(Duration.ofHours(HOURS)),
                Duration.ofHours(1).dividedBy(RUNS_AN_HOUR), HOURS * RUNS_AN_HOUR);
        this.flows = List.of(traces, new SpanWorkload(caller, intake, database), new UploadWorkload(caller, intake, database),
                new ExportWorkload(exported, days), new ScheduleWorkload(exported, hours),
                new RevisionWorkload(caller, controlPlane, database, fleet, probe),
                new ShortDeploymentWorkload(caller, controlPlane, fleet.members().getFirst().get()),
                new StreamWorkload(caller, landscape.applications()));
        this.clients = Executors.newScheduledThreadPool(flows.size());
    }

    public void begin() {
        for (Workload flow : flows) {
            AtomicInteger count = new AtomicInteger();
            steps.put(flow.name(), count);
            clients.scheduleWithFixedDelay(() -> step(flow, count), 0, flow.pauseMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void step(Workload flow, AtomicInteger count) {
        try {
            flow.step();
            count.incrementAndGet();
        } catch (RuntimeException e) {
            broken.add(flow.name() + ": " + e);
            // It is not asked again: its books may not hold any more.
            throw e;
        }
    }

    /** @return how often each flow was answered so far */
    public Map<String, Integer> steps() {
        Map<String, Integer> counts = new TreeMap<>();
        steps.forEach((flow, count) -> counts.put(flow, count.get()));
        return counts;
    }

    /** No flow begins anything any more; returns when what was begun is answered. */
    public void end() {
        clients.shutdown();
        try {
            if (!clients.awaitTermination(PATIENCE.toMinutes(), TimeUnit.MINUTES)) {
                broken.add("something was not answered within " + PATIENCE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** @return flows that had to give up, answers of applications that failed, and answers that nothing explains */
    public List<String> failures() {
        List<String> failures = new ArrayList<>(broken);
        failures.addAll(probe.failures());
        failures.addAll(caller.unexplained());
        return failures;
    }

    /** @return requests that went wrong while something was done to their replica */
    public List<String> mishaps() {
        return caller.all();
    }

    /** @return where what is there differs from what was promised; empty when all of it is there, once and whole */
    public List<String> wrong() {
        return flows.stream().flatMap(flow -> flow.wrong().stream()).toList();
    }

    /** Orders an export of all traces that were accepted meanwhile; {@link #wrongIn} says what is wrong with it. */
    public String exportTraces(ReplicatedStack landscape) {
        JsonNode session = caller.get(landscape.service(ServiceKind.EXPERIMENT),
                "/api/v1/sessions?name=" + TraceWorkload.SESSION).required(0);
        ObjectNode request = Json.object().put("bulk_export_destination_id", exported.destination())
                .put("session_id", session.required("id").textValue())
                .put("start_time", prepared.minus(Duration.ofHours(1)).toString())
                .put("end_time", Instant.now().toString());
        return exported.order(request);
    }

    public List<String> wrongIn(String exportOfTraces) {
        return exported.wrong(exportOfTraces, traces.accepted());
    }

    /** Deletes the deployments; {@link #remains} says what is not gone yet. */
    public void deleteDeployments() {
        probe.close();
        fleet.delete();
    }

    /** @return folders, processes and ports of the deployments */
    public List<String> remains() {
        return fleet.remains();
    }

    @Override
    public void close() {
        clients.shutdownNow();
        clients.close();
        probe.close();
        fleet.close();
        client.close();
    }
}
