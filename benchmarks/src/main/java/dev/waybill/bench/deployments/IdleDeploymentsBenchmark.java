package dev.waybill.bench.deployments;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.waybill.bench.BenchmarkResult;
import dev.waybill.bench.Goal;
import dev.waybill.common.api.deployment.DeploymentResponse;
import dev.waybill.common.api.deployment.DeploymentStatus;
import dev.waybill.local.stack.CpuTime;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.storage.Wait;
import dev.waybill.local.tour.SourceRepository;

/**
 * C2: estimates the CPU usage of the control plane with 1,000 idle deployments. A single machine cannot run 1,000
 * applications, so the estimate adds the usage with 1,000 deployments that are not due and the cost of the periodic
 * observations of applications.
 */
final class IdleDeploymentsBenchmark {

    private static final int DEPLOYMENTS = 1_000;
    /** The default of the configuration. */
    private static final double OBSERVATION_INTERVAL_SECONDS = 300;
    private static final int OBSERVATIONS_PER_SECOND = 20;
    private static final int REQUESTS = 500;
    private static final int WARM_UP = 500;

    private final DeploymentBenchmarkContext bench;
    private final ServiceProcess service;

    IdleDeploymentsBenchmark(DeploymentBenchmarkContext bench) {
        this.bench = bench;
        this.service = bench.stack().service(ServiceKind.CONTROL_PLANE);
    }

    List<BenchmarkResult> measure() {
        double observation = measureObservation();
        insert();
        double idle = cores();
        double all = idle + observation * DEPLOYMENTS / OBSERVATION_INTERVAL_SECONDS;
        bench.print("idle: %.4f of a core without observations; one observation %.4f CPU-seconds", idle, observation);
        List<BenchmarkResult> results = new ArrayList<>(List.of(
                BenchmarkResult.ofValues("C2", "cores for 1,000 idle deployments, each observed every 5 minutes", "",
                        List.of(all), 0.5, Goal.AT_MOST, 0.05),
                BenchmarkResult.ofValues("C2 idle", "of which without observations", "", List.of(idle), 0.5, Goal.NONE, 0),
                BenchmarkResult.ofValues("C2 look", "CPU of one observation of an application", "s", List.of(observation), 0.5,
                        Goal.NONE, 0)));
        DeploymentResponse any = bench.controlPlane().listDeployments(1, null, null, null, null).resources().getFirst();
        String deployment = "/v2/deployments/" + any.id();
        results.add(requests("C2 list", "p99 of a list of 100 deployments", "/v2/deployments?limit=100"));
        results.add(requests("C2 get", "p99 of reading one deployment", deployment));
        results.add(requests("C2 poll", "p99 of reading its revision",
                deployment + "/revisions/" + any.latestRevisionId()));
        return results;
    }

    // Observes the application at the maximum rate; the cost includes finding it.
    private double measureObservation() {
        try (SourceRepository repository = bench.sample()) {
            DeploymentResponse created = bench.create("at-rest", repository);
            bench.awaitDeployed(created);
            String pause = 1_000 / OBSERVATIONS_PER_SECOND + "ms";
            restart(Map.of("waybill.rollout.poll-interval", pause, "waybill.rollout.observe-interval", "1ms"));
            UUID id = created.id();
            awaitReady(id);
            // Warms up with as many observations as 1,000 deployments need in the first minutes.
            double startNanos = observations();
            while (observations() - startNanos < DEPLOYMENTS) {
                Wait.sleep(Duration.ofSeconds(1));
            }
            double before = observations();
            double cores = cores();
            double observation = cores * bench.options().restSeconds() / Math.max(1, observations() - before);
            restart(Map.of());
            awaitReady(id);
            bench.controlPlane().deleteDeployment(id);
            DeploymentBenchmarkContext
                    .await(() -> bench.controlPlane().listDeployments(null, null, null, null, null).resources().isEmpty());
            return observation;
        }
    }

    private void awaitReady(UUID id) {
        DeploymentBenchmarkContext
                .await(() -> bench.controlPlane().getDeployment(id).status() == DeploymentStatus.READY);
    }

    private double observations() {
        return MetricsReader.sum(service.managementAddress().resolve("/q/metrics"), "waybill_rollout_steps_seconds_count",
                "step=\"observe\"");
    }

    private void restart(Map<String, String> properties) {
        service.stop();
        service.start(properties);
        service.awaitReady();
    }

    private double cores() {
        // Waits until work of the previous step has ended.
        Wait.sleep(Duration.ofSeconds(bench.options().restSeconds() / 4 + 1));
        double before = CpuTime.of(service.pid());
        Wait.sleep(Duration.ofSeconds(bench.options().restSeconds()));
        return (CpuTime.of(service.pid()) - before) / bench.options().restSeconds();
    }

    private BenchmarkResult requests(String name, String description, String path) {
        IntStream.range(0, WARM_UP).forEach(i -> bench.client().json().get(bench.at(path)));
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            long startNanos = System.nanoTime();
            bench.client().json().get(bench.at(path));
            millis.add(DeploymentBenchmarkContext.seconds(startNanos) * 1_000);
        }
        return BenchmarkResult.ofValues(name, description, "ms", millis, 0.99, Goal.NONE, 0);
    }

    /** Inserts 1,000 deployments in the state after a first deployment that is one hour old. */
    private void insert() {
        String tenant = String.valueOf(bench.controlPlane().whoami().tenantId());
        try (Connection connection = DriverManager.getConnection(bench.stack().superuserUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    WITH inserted AS (
                        INSERT INTO deploy.deployments (tenant_id, id, name, source, source_config, source_revision_config,
                            secret_names, port, url, revisions, next_look_at)
                        SELECT '%s', gen_random_uuid(), 'agent-' || n, 'repohost',
                            '{"repo_url": "https://git.example.com/acme/agent"}', '{"repo_ref": "main"}', '{}', 0,
                            'http://localhost', 1, now() + interval '1 hour'
                        FROM generate_series(1, %d) AS n
                        RETURNING tenant_id, id, source_config, source_revision_config)
                    INSERT INTO deploy.revisions (tenant_id, id, deployment_id, number, status, source, source_config,
                        source_revision_config, repo_commit_sha)
                    SELECT tenant_id, gen_random_uuid(), id, 1, 'DEPLOYED', 'repohost', source_config, source_revision_config,
                        repeat('a', 40)
                    FROM inserted
                    """.formatted(tenant, DEPLOYMENTS));
            statement.execute("""
                    UPDATE deploy.deployments AS d SET latest_revision_id = r.id, active_revision_id = r.id
                    FROM deploy.revisions AS r WHERE r.deployment_id = d.id
                    """);
            statement.execute("VACUUM ANALYZE deploy.deployments, deploy.revisions");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
