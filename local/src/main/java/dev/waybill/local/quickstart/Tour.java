package dev.waybill.local.quickstart;

import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.client.WaybillClients;
import dev.waybill.common.api.export.BulkExportResponse;
import dev.waybill.common.api.export.BulkExportStatus;
import dev.waybill.common.api.export.CreateBulkExportRequest;
import dev.waybill.local.client.Bucket;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.stack.StackException;
import dev.waybill.local.tour.ExportedFiles;
import dev.waybill.local.tour.Exporter;
import dev.waybill.local.tour.ParquetReader;
import dev.waybill.local.tour.Sample;
import dev.waybill.local.tour.TraceLoader;

/** Loads traces, exports them, and compares the exported files with the sent runs. */
final class Tour {

    /** The prefix of the exported files in the bucket. */
    static final String PREFIX = "quickstart";

    private final Stack stack;
    private final WaybillClients clients;
    private final Terminal terminal;
    private final Path downloads;

    /** Creates a tour that downloads the exported files to an empty folder. */
    Tour(Stack stack, WaybillClients clients, Terminal terminal, Path downloads) {
        this.stack = stack;
        this.clients = clients;
        this.terminal = terminal;
        this.downloads = downloads;
    }

    /** Runs the tour and returns the page of its comparison, relative to the pages of the workspace. */
    String run() {
        List<Loaded> loaded = load();
        List<Exported> exported = export(loaded);
        readBack(exported);
        return new ExperimentTour(clients.experiments(experimentService()), terminal).run();
    }

    private List<Loaded> load() {
        terminal.title("1. Load sample traces through the intake (POST /runs/multipart)");
        TraceLoader loader = new TraceLoader(clients, experimentService());
        List<Loaded> loaded = new ArrayList<>();
        for (Sample sample : Sample.all()) {
            List<JsonNode> runs = sample.runs();
            loader.load(runs, terminal.bar(sample.session()));
            loaded.add(new Loaded(sample, runs));
        }
        return loaded;
    }

    private List<Exported> export(List<Loaded> loaded) {
        terminal.title("2. Export them to the bucket as Parquet (POST /api/v1/bulk-exports, v2_beta, zstandard)");
        Exporter exporter = new Exporter(clients, stack.service(ServiceKind.EXPORT).address());
        UUID destination = exporter.destination("Quickstart bucket", PREFIX, stack);
        List<Exported> exported = new ArrayList<>();
        for (Loaded sample : loaded) {
            UUID id = exporter.start(new CreateBulkExportRequest(destination, sessionId(sample.sample().session()),
                    sample.start(), sample.end(), null, null, null, null, "v2_beta", "zstandard"));
            BulkExportResponse export = exporter.awaitEnd(id, terminal.bar(sample.sample().session() + " (days)"));
            if (export.status() != BulkExportStatus.COMPLETED) {
                throw new StackException(
                        "export " + id + " ended with status " + export.status() + ": " + exporter.runs(id));
            }
            exported.add(new Exported(sample, id));
        }
        return exported;
    }

    private void readBack(List<Exported> exported) {
        terminal.title("3. Read the files back with DuckDB and compare");
        terminal.line("%-24s %8s %8s %8s %6s %10s", "session", "sent", "rows", "ids", "files", "bytes");
        try (Bucket bucket = stack.bucket(); ParquetReader reader = new ParquetReader()) {
            List<Path> all = new ArrayList<>();
            for (Exported export : exported) {
                ExportedFiles files = ExportedFiles.download(bucket, PREFIX, export.exportId(), downloads);
                compare(export, files, reader);
                all.addAll(files.files());
            }
            terminal.line("The files contain every sent run exactly once; sizes and hashes match the manifests.");
            show(reader, all);
        }
    }

    private void compare(Exported export, ExportedFiles files, ParquetReader reader) {
        Set<String> found = reader.query(files.files(), "SELECT id::VARCHAR FROM runs").stream()
                .map(row -> String.valueOf(row.getFirst()))
                .collect(Collectors.toSet());
        Object rows = reader.query(files.files(), "SELECT count(*) FROM runs").getFirst().getFirst();
        Set<String> sent = export.loaded().ids();
        terminal.line("%-24s %,8d %,8d %,8d %,6d %,10d", export.loaded().sample().session(), sent.size(), rows, found.size(),
                files.files().size(), files.bytes());
        if (!found.equals(sent) || !rows.equals((long) sent.size()) || files.rows() != sent.size()) {
            throw new StackException("the files differ from the sent runs");
        }
    }

    private void show(ParquetReader reader, List<Path> files) {
        terminal.title("   For example, tokens by kind of run (DuckDB over the exported files):");
        String sql = """
                SELECT run_type, count(*), coalesce(sum(total_tokens), 0)::BIGINT, count(error)
                FROM runs GROUP BY run_type ORDER BY count(*) DESC LIMIT 6""";
        terminal.line("%-12s %8s %14s %8s", "run_type", "runs", "total_tokens", "errors");
        for (List<Object> row : reader.query(files, sql)) {
            terminal.line("%-12s %,8d %,14d %,8d", row.toArray());
        }
    }

    private UUID sessionId(String name) {
        return clients.traces(experimentService()).findSession(name).orElseThrow().id();
    }

    private URI experimentService() {
        return stack.service(ServiceKind.EXPERIMENT).address();
    }

    /** A sample and its runs. */
    private record Loaded(Sample sample, List<JsonNode> runs) {

        Set<String> ids() {
            return runs.stream().map(run -> run.required("id").textValue()).collect(Collectors.toSet());
        }

        Instant start() {
            return runs.stream().map(Loaded::startTime).min(Instant::compareTo).orElseThrow();
        }

        /** Returns a time after the last start, because the range is half open. */
        Instant end() {
            return runs.stream().map(Loaded::startTime).max(Instant::compareTo).orElseThrow().plus(1, ChronoUnit.SECONDS);
        }

        private static Instant startTime(JsonNode run) {
            return Instant.parse(run.required("start_time").textValue());
        }
    }

    private record Exported(Loaded loaded, UUID exportId) {
    }
}
