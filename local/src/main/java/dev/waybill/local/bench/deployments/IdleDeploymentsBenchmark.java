package dev.waybill.local.bench.deployments;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.bench.CpuTime;
import dev.waybill.local.bench.BenchmarkResult;
import dev.waybill.local.bench.Goal;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.tour.SourceRepository;

/**
 * C2: what a thousand deployments at rest take. No machine here runs a thousand applications, so it is put together: what the
 * control plane takes with a thousand of which none is due, and what one look at an application takes, as often as they come.
 */
final class IdleDeploymentsBenchmark {

    private static final int DEPLOYMENTS = 1_000;
    /** As it is configured unless somebody says otherwise. */
    private static final double OBSERVED_EVERY_SECONDS = 300;
    private static final int LOOKS_A_SECOND = 20;
    private static final int REQUESTS = 500;
    private static final int WARM_UP = 500;

    private final DeploymentBenchmarkContext bench;
    private final ServiceProcess service;

    IdleDeploymentsBenchmark(DeploymentBenchmarkContext bench) {
        this.bench = bench;
        this.service = bench.stack().service(ServiceKind.CONTROL_PLANE);
    }

    List<BenchmarkResult> measure() {
        double look = costOfALook();
        insert();
        double idle = cores();
        double all = idle + look * DEPLOYMENTS / OBSERVED_EVERY_SECONDS;
        bench.say("at rest %.4f of a core with nothing due; one look %.4f CPU-seconds", idle, look);
        List<BenchmarkResult> figures = new ArrayList<>(List.of(
                BenchmarkResult.ofValues("C2", "cores that 1,000 deployments at rest take, looked at every 5 minutes each", "",
                        List.of(all), 0.5, Goal.AT_MOST, 0.05),
                BenchmarkResult.ofValues("C2 idle", "of which with nothing to look at", "", List.of(idle), 0.5, Goal.NONE, 0),
                BenchmarkResult.ofValues("C2 look", "CPU of one look at an application", "s", List.of(look), 0.5, Goal.NONE, 0)));
        JsonNode any = bench.client().get(bench.at("/v2/deployments?limit=1")).required("resources").get(0);
        String deployment = "/v2/deployments/" + any.required("id").textValue();
        figures.add(requests("C2 list", "p99 of a list of 100 of them", "/v2/deployments?limit=100"));
        figures.add(requests("C2 get", "p99 of one of them", deployment));
        figures.add(requests("C2 poll", "p99 of asking how its revision does",
                deployment + "/revisions/" + any.required("latest_revision_id").textValue()));
        return figures;
    }

    // Looked at as fast as it goes: the turn that finds it is counted in.
    private double costOfALook() {
        try (SourceRepository repository = bench.sample()) {
            String integration = bench.integration(repository);
            JsonNode made = bench.create("at-rest", repository, integration);
            bench.awaitDeployed(made);
            String pause = 1_000 / LOOKS_A_SECOND + "ms";
            restart(Map.of("waybill.rollout.every", pause, "waybill.rollout.observe-every", "1ms"));
            String id = made.required("id").textValue();
            awaitReady(id);
            // As many as a thousand deployments need in the first minutes.
            double began = looks();
            while (looks() - began < DEPLOYMENTS) {
                DeploymentBenchmarkContext.pause(Duration.ofSeconds(1));
            }
            double before = looks();
            double cores = cores();
            double look = cores * bench.options().restSeconds() / Math.max(1, looks() - before);
            restart(Map.of());
            awaitReady(id);
            bench.client().delete(bench.at("/v2/deployments/" + id));
            DeploymentBenchmarkContext.await(() -> bench.client().get(bench.at("/v2/deployments")).required("resources").isEmpty());
            return look;
        }
    }

    private void awaitReady(String id) {
        DeploymentBenchmarkContext.await(() -> bench.client().get(bench.at("/v2/deployments/" + id)).required("status").textValue()
                .equals("READY"));
    }

    private double looks() {
        return MetricsReader.sum(service.managementAddress().resolve("/q/metrics"), "waybill_rollout_steps_seconds_count",
                "step=\"observe\"");
    }

    private void restart(Map<String, String> properties) {
        service.stop();
        service.start(properties);
        service.awaitReady();
    }

    private double cores() {
        // What began with what was before has ended by then.
        DeploymentBenchmarkContext.pause(Duration.ofSeconds(bench.options().restSeconds() / 4 + 1));
        double before = CpuTime.of(service.pid());
        DeploymentBenchmarkContext.pause(Duration.ofSeconds(bench.options().restSeconds()));
        return (CpuTime.of(service.pid()) - before) / bench.options().restSeconds();
    }

    private BenchmarkResult requests(String name, String what, String path) {
        IntStream.range(0, WARM_UP).forEach(i -> bench.client().get(bench.at(path)));
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            long began = System.nanoTime();
            bench.client().get(bench.at(path));
            millis.add(DeploymentBenchmarkContext.seconds(began) * 1_000);
        }
        return BenchmarkResult.ofValues(name, what, "ms", millis, 0.99, Goal.NONE, 0);
    }

    /** As a thousand first revisions have left them that were deployed an hour ago. */
    private void insert() {
        String tenant = bench.client().get(bench.at("/v1/whoami")).required("tenant_id").textValue();
        try (Connection connection = DriverManager.getConnection(bench.stack().superuserUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    WITH made AS (
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
                    FROM made
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
