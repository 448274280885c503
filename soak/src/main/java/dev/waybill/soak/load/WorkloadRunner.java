package dev.waybill.soak.load;

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

import dev.waybill.client.WaybillClients;
import dev.waybill.local.client.Json;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.soak.deployments.AvailabilityProbe;
import dev.waybill.soak.deployments.DeploymentGroup;
import dev.waybill.soak.deployments.DeploymentTarget;
import dev.waybill.soak.replicas.ReplicaPool;
import dev.waybill.soak.replicas.ReplicatedStack;
import dev.waybill.soak.replicas.RetryingClient;

/**
 * Runs all workloads concurrently from {@link #start} to {@link #stop} and then compares acknowledged writes with stored data.
 */
public final class WorkloadRunner implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofMinutes(15);
    private static final int DEPLOYMENTS = 2;
    private static final int EXPORTED_RUNS = 600;
    private static final int HOUR_COUNT = 30;
    private static final int RUNS_PER_HOUR = 4;

    private final RetryingClient retryingClient = new RetryingClient();
    private final WaybillClients client;
    private final DeploymentGroup deployments;
    private final AvailabilityProbe probe;
    private final TraceWorkload traces;
    private final ExportClient exports;
    private final List<Workload> workloads;
    private final Map<String, AtomicInteger> steps = new ConcurrentHashMap<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService clients;
    private final Instant prepared = Instant.now();

    /** Creates the resources of the workloads. All replicas must be available. */
    public WorkloadRunner(ReplicatedStack replicated, Path folder) {
        ReplicaPool controlPlane = replicated.service(ServiceKind.CONTROL_PLANE);
        ReplicaPool intake = replicated.service(ServiceKind.EXPERIMENT);
        String database = replicated.stack().superuserUrl();
        this.client = WaybillClients.of(replicated.apiKey());
        DeploymentTarget target = new DeploymentTarget(client, replicated.apiKey(),
                List.of(replicated.controlPlane()), replicated.stack().applications(), folder.toAbsolutePath());
        this.deployments = DeploymentGroup.deploy(target, DEPLOYMENTS);
        this.probe = AvailabilityProbe.start(deployments.deployments(), replicated.apiKey());
        this.traces = new TraceWorkload(retryingClient, intake, database);
        this.exports = new ExportClient(retryingClient, replicated.service(ServiceKind.EXPORT), replicated.stack(),
                folder.resolve("exported"));
        Instant hour = Instant.now().truncatedTo(ChronoUnit.HOURS);
        SourceSession daySession = SourceSession.load(retryingClient, intake, "replicas-days",
                Instant.parse("2026-03-02T00:00:00Z"),
                Duration.ofDays(3).dividedBy(EXPORTED_RUNS), EXPORTED_RUNS);
        SourceSession hourSession = SourceSession.load(retryingClient, intake, "replicas-hours",
                hour.minus(Duration.ofHours(HOUR_COUNT)),
                Duration.ofHours(1).dividedBy(RUNS_PER_HOUR), HOUR_COUNT * RUNS_PER_HOUR);
        this.workloads = List.of(traces, new SpanWorkload(retryingClient, intake, database),
                new UploadWorkload(retryingClient, intake, database),
                new ExportWorkload(exports, daySession), new ScheduleWorkload(exports, hourSession),
                new RevisionWorkload(retryingClient, controlPlane, database, deployments, probe),
                new ShortDeploymentWorkload(retryingClient, controlPlane, deployments.deployments().getFirst().get()),
                new StreamWorkload(retryingClient, replicated.applications()));
        this.clients = Executors.newScheduledThreadPool(workloads.size());
    }

    public void start() {
        for (Workload workload : workloads) {
            AtomicInteger count = new AtomicInteger();
            steps.put(workload.name(), count);
            clients.scheduleWithFixedDelay(() -> step(workload, count), 0, workload.pauseMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void step(Workload workload, AtomicInteger count) {
        try {
            workload.step();
            count.incrementAndGet();
        } catch (RuntimeException e) {
            failures.add(workload.name() + ": " + e);
            // The exception ends the schedule, because the recorded expectations may be incomplete.
            throw e;
        }
    }

    /** Returns the number of completed steps by workload. */
    public Map<String, Integer> steps() {
        Map<String, Integer> counts = new TreeMap<>();
        steps.forEach((workload, count) -> counts.put(workload, count.get()));
        return counts;
    }

    /** Stops the workloads and waits for the steps in progress. */
    public void stop() {
        clients.shutdown();
        try {
            if (!clients.awaitTermination(TIMEOUT.toMinutes(), TimeUnit.MINUTES)) {
                failures.add("a step did not complete within " + TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Returns the failures of workloads, of applications, and of requests to replicas without an outage. */
    public List<String> failures() {
        List<String> all = new ArrayList<>(failures);
        all.addAll(probe.failures());
        all.addAll(retryingClient.unexpectedFailures());
        return all;
    }

    /** Returns all failed requests. */
    public List<String> failedRequests() {
        return retryingClient.failures();
    }

    /** Returns the differences between acknowledged writes and stored data. */
    public List<String> differences() {
        return workloads.stream().flatMap(workload -> workload.differences().stream()).toList();
    }

    /** Creates an export of all accepted traces; {@link #differencesIn} verifies it. */
    public String exportTraces(ReplicatedStack replicated) {
        JsonNode session = retryingClient.get(replicated.service(ServiceKind.EXPERIMENT),
                "/api/v1/sessions?name=" + TraceWorkload.SESSION).required(0);
        ObjectNode request = Json.object().put("bulk_export_destination_id", exports.destination())
                .put("session_id", session.required("id").textValue())
                .put("start_time", prepared.minus(Duration.ofHours(1)).toString())
                .put("end_time", Instant.now().toString());
        return exports.create(request);
    }

    public List<String> differencesIn(String exportOfTraces) {
        return exports.differences(exportOfTraces, traces.accepted());
    }

    /** Deletes the deployments; {@link #remainingResources} returns their resources that still exist. */
    public void deleteDeployments() {
        probe.close();
        deployments.delete();
    }

    /** Returns the folders, processes and ports of deleted deployments that still exist. */
    public List<String> remainingResources() {
        return deployments.remainingResources();
    }

    @Override
    public void close() {
        clients.shutdownNow();
        clients.close();
        probe.close();
        deployments.close();
        client.close();
    }
}
