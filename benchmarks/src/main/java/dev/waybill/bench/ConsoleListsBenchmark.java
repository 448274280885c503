package dev.waybill.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.bench.ExportRunner.ExportSpec;
import dev.waybill.common.api.deployment.DeploymentResponse;
import dev.waybill.local.client.Json;
import dev.waybill.local.node.ConsoleBrowser;
import dev.waybill.local.stack.Replica;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.stack.StackSettings;
import dev.waybill.local.tour.Deployer;
import dev.waybill.local.tour.Progress;
import dev.waybill.local.tour.SourceRepository;
import dev.waybill.local.traces.TraceDay;

/**
 * Measures the console's lists of 1,000 deployments and 10,000 exports, a server log of 100,000 lines, and the log of an
 * application that writes 5,000 lines a second. The rows are copies of one deployment and one export.
 */
final class ConsoleListsBenchmark {

    private static final String NAME = "console-lists";
    private static final int TIMEOUT_MINUTES = 30;
    private static final int DEPLOYMENTS = 1_000;
    private static final int EXPORTS = 10_000;
    private static final int LOG_LINES = 100_000;

    // The copies have no work that is due, and no revision of them serves, so no replica claims them.
    private static final String COPY_DEPLOYMENTS = """
            INSERT INTO deploy.deployments (tenant_id, id, name, source, source_config, source_revision_config, secret_names, port,
                url, created_at, revisions)
            SELECT d.tenant_id, gen_random_uuid(), 'copy-' || n, d.source, d.source_config, d.source_revision_config,
                d.secret_names, 0, d.url, d.created_at - make_interval(mins => n), 1
            FROM deploy.deployments AS d, generate_series(1, ?) AS n
            WHERE d.tenant_id = ? AND d.id = ?
            """;
    private static final String COPY_REVISIONS = """
            INSERT INTO deploy.revisions
            SELECT (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'deployment_id', d.id))).*
            FROM deploy.deployments AS d, deploy.revisions AS r
            WHERE ? = 1 AND d.tenant_id = ? AND r.tenant_id = d.tenant_id AND r.deployment_id = ? AND d.name LIKE 'copy-%'
            """;
    private static final String SET_LATEST = """
            UPDATE deploy.deployments AS d SET latest_revision_id = r.id
            FROM deploy.revisions AS r
            WHERE ? = 1 AND d.tenant_id = ? AND d.id <> ? AND r.tenant_id = d.tenant_id AND r.deployment_id = d.id
                AND d.name LIKE 'copy-%'
            """;
    private static final String COPY_EXPORTS = """
            INSERT INTO export.bulk_exports (tenant_id, id, destination_id, session_id, start_time, end_time, key_prefix, format,
                format_version, compression, status, created_at, updated_at, started_at, finished_at)
            SELECT e.tenant_id, gen_random_uuid(), e.destination_id, e.session_id, e.start_time, e.end_time, e.key_prefix,
                e.format, e.format_version, e.compression, e.status, e.created_at - make_interval(mins => n), e.updated_at,
                e.started_at, e.finished_at
            FROM export.bulk_exports AS e, generate_series(1, ?) AS n
            WHERE e.tenant_id = ? AND e.id = ?
            """;

    private final BenchmarkContext bench;
    private final Path root = Path.of(System.getProperty("waybill.root", "")).toAbsolutePath();

    ConsoleListsBenchmark(BenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        if (!ConsoleBrowser.isInstalled()) {
            return List.of(BenchmarkResult.notApplicable(NAME, "pages in Chromium, which is not installed"));
        }
        ServiceProcess console = bench.stack.add(Replica.of(ServiceKind.CONSOLE, "console-of-lists"));
        console.start();
        try {
            console.awaitReady();
            Path log = prepare();
            bench.print("Opening lists of %,d deployments and %,d exports, and logs ...", DEPLOYMENTS, EXPORTS);
            return results(measure(console, log));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException("rows could not be copied", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } finally {
            console.stop();
        }
    }

    /** Creates the rows and the lines; returns the file to which the deployed application writes its output. */
    private Path prepare() throws IOException, SQLException {
        Deployer deployer = new Deployer(bench.client, bench.stack.service(ServiceKind.CONTROL_PLANE).address());
        DeploymentResponse deployment;
        try (SourceRepository repository = SourceRepository.in(bench.folder.resolve("lists/sample.git"))) {
            repository.commit(SourceRepository.files(StackSettings.sampleApplication(root)), "The sample");
            deployer.deploy(NAME, repository, _ -> {
            });
            deployment = deployer.client().listDeployments(1, NAME, null, null, null).resources().getFirst();
        }
        UUID session = bench.table().add(NAME, bench.generator(7), 100);
        UUID export = new ExportRunner(bench, NAME).start(new ExportSpec(session, TraceDay.start(), TraceDay.end()));
        bench.exporter.awaitEnd(export, Progress.NONE);
        copy(COPY_DEPLOYMENTS, DEPLOYMENTS - 1, deployment.id());
        copy(COPY_REVISIONS, 1, deployment.id());
        copy(SET_LATEST, 1, deployment.id());
        copy(COPY_EXPORTS, EXPORTS - 1, export);
        Path log = bench.stack.applications().resolve(deployment.id().toString())
                .resolve(String.valueOf(deployment.activeRevisionId())).resolve("output.log");
        StringBuilder lines = new StringBuilder();
        for (int line = 0; line < LOG_LINES; line++) {
            lines.append("request ").append(line).append(" was answered\n");
        }
        Files.writeString(log, lines, StandardCharsets.UTF_8, StandardOpenOption.APPEND);
        return log;
    }

    private void copy(String statement, int count, UUID id) throws SQLException {
        try (Connection connection = DriverManager.getConnection(bench.stack.superuserUrl());
                PreparedStatement insert = connection.prepareStatement(statement)) {
            insert.setInt(1, count);
            insert.setObject(2, bench.tenantId);
            insert.setObject(3, id);
            insert.execute();
        }
    }

    private JsonNode measure(ServiceProcess console, Path log) throws IOException, InterruptedException {
        Path figures = bench.folder.resolve("lists.json").toAbsolutePath();
        Map<String, String> environment = new TreeMap<>(ConsoleBrowser.environment(bench.stack, bench.client, console));
        environment.put("WAYBILL_FIGURES", figures.toString());
        environment.put("WAYBILL_ROUNDS", Integer.toString(bench.options.pairs()));
        environment.put("WAYBILL_SECONDS", Integer.toString(bench.options.clientSeconds()));
        environment.put("WAYBILL_LOG", log.toAbsolutePath().toString());
        environment.put("WAYBILL_DEPLOYMENT", NAME);
        new ConsoleBrowser(root, bench.folder.resolve("browser"), environment).run("lists.measure.ts", TIMEOUT_MINUTES);
        return Json.parse(Files.readAllBytes(figures));
    }

    private static List<BenchmarkResult> results(JsonNode figures) {
        List<Double> heap = values(figures, "heap");
        // Single values differ by the lines that are just being read; medians show whether the memory grows.
        int quarter = heap.size() / 4;
        double growth = median(heap.subList(heap.size() - quarter, heap.size())) / median(heap.subList(quarter, 2 * quarter));
        return List.of(
                seconds("first rows of %,d deployments".formatted(DEPLOYMENTS), values(figures, "deployments")),
                seconds("first rows of %,d exports".formatted(EXPORTS), values(figures, "exports")),
                seconds("newest lines of a log of %,d".formatted(LOG_LINES), values(figures, "log")),
                milliseconds("longest frame while scrolling these lists", values(figures, "list_frames")),
                milliseconds("longest frame with 5,000 lines a second", values(figures, "log_frames")),
                BenchmarkResult.ofValues(NAME, "lines of these that the page showed or counted, of those written", "",
                        values(figures, "accounted"), 0.5, Goal.AT_LEAST, 1),
                BenchmarkResult.ofValues(NAME, "heap of the last quarter of these seconds, over that of the second", "",
                        List.of(growth), 0.5, Goal.AT_MOST, 1.1),
                BenchmarkResult.ofValues(NAME, "largest heap during these seconds", "MB", heap, 1, Goal.AT_MOST, 16));
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }

    private static BenchmarkResult seconds(String description, List<Double> seconds) {
        return BenchmarkResult.ofValues(NAME, description, "s", seconds, 0.5, Goal.AT_MOST, 1);
    }

    private static BenchmarkResult milliseconds(String description, List<Double> frames) {
        return BenchmarkResult.ofValues(NAME, description, "ms", frames, 1, Goal.AT_MOST, 50);
    }

    private static List<Double> values(JsonNode figures, String name) {
        List<Double> values = new ArrayList<>();
        figures.required(name).forEach(value -> values.add(value.doubleValue()));
        return values;
    }
}
