package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.client.RunEvent;
import dev.waybill.common.api.export.BulkExportResponse;
import dev.waybill.common.api.export.BulkExportStatus;
import dev.waybill.common.api.export.CreateBulkExportRequest;
import dev.waybill.local.client.Bucket;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.StackSettings;
import dev.waybill.local.tour.DeployedApplication;
import dev.waybill.local.tour.Deployer;
import dev.waybill.local.tour.ExportedFiles;
import dev.waybill.local.tour.ParquetReader;
import dev.waybill.local.tour.Progress;
import dev.waybill.local.tour.Sample;
import dev.waybill.local.tour.SourceRepository;
import dev.waybill.local.tour.TraceLoader;

class QuickstartIT {

    private final RunningStack running = RunningStack.get();

    @TempDir
    private Path downloads;

    @ParameterizedTest
    @CsvSource({ "v1, gzip", "v2_beta, zstandard" })
    void exportsEverySampleRunOnce(String formatVersion, String compression) {
        for (Sample sample : Sample.all()) {
            // Given
            List<JsonNode> runs = sample.runs();
            loader().load(runs, Progress.NONE);

            // When
            ExportedFiles files = export(sample, formatVersion, compression);

            // Then
            Set<String> sent = runs.stream().map(run -> run.get("id").textValue()).collect(Collectors.toSet());
            try (ParquetReader reader = new ParquetReader()) {
                List<String> found = reader.query(files.files(), "SELECT id::VARCHAR FROM runs").stream()
                        .map(row -> String.valueOf(row.getFirst()))
                        .toList();
                assertThat(found).containsExactlyInAnyOrderElementsOf(sent);
                assertThat(reader.query(files.files(), "SELECT DISTINCT session_id::VARCHAR, tenant_id::VARCHAR FROM runs"))
                        .hasSize(1);
            }
            assertThat(files.rows()).isEqualTo(sent.size());
        }
    }

    @ParameterizedTest
    @CsvSource({ "v1, gzip", "v2_beta, zstandard" })
    void usageInExportEqualsSessionStatistics(String formatVersion, String compression) {
        for (Sample sample : Sample.all()) {
            // Given
            loader().load(sample.runs(), Progress.NONE);
            JsonNode statistics = running.client.json().get(running.address(ServiceKind.EXPERIMENT).resolve(
                    "/api/v1/sessions/" + running.session(sample.session()).id() + "?include_stats=true"));

            // When
            UUID id = complete(sample, formatVersion, compression);
            String snippet = running.exporter().snippet(id, "duckdb");
            String view = snippet.substring(snippet.indexOf("WITH above"), snippet.indexOf("SELECT year, month, day"))
                    .replace("waybill_runs", "runs").replace("runs AS runs", "runs").strip();
            List<List<Object>> sums;
            try (ParquetReader reader = new ParquetReader()) {
                sums = reader.query(download(id).files(), """
                        SELECT sum(total_tokens)::VARCHAR, sum(prompt_tokens)::VARCHAR, sum(completion_tokens)::VARCHAR,
                            sum(total_cost)::VARCHAR FROM (%s)""".formatted(view.substring(0, view.length() - 1)));
            }

            // Then
            List<String> members = List.of("total_tokens", "prompt_tokens", "completion_tokens", "total_cost");
            for (int i = 0; i < members.size(); i++) {
                assertThat(number(sums.getFirst().get(i))).as(members.get(i))
                        .isEqualTo(number(
                                statistics.get(members.get(i)).isNull() ? null : statistics.get(members.get(i)).asText()));
            }
        }
    }

    @Test
    void repeatedLoadChangesNothing() {
        // Given
        Sample sample = Sample.all().getLast();
        loader().load(sample.runs(), Progress.NONE);

        // When
        loader().load(sample.runs(), Progress.NONE);

        // Then
        assertThat(export(sample, "v2_beta", "snappy").rows()).isEqualTo(sample.runs().size());
    }

    @Test
    void redeploysSameApplicationAndFindsTraceOfRun() {
        // Given
        Deployer deployer = new Deployer(running.client, running.address(ServiceKind.CONTROL_PLANE));
        List<String> states = new ArrayList<>();
        List<String> repeatedStates = new ArrayList<>();
        List<RunEvent> events = new ArrayList<>();

        // When
        URI address = deploy(deployer, states);
        URI same = deploy(deployer, repeatedStates);
        DeployedApplication application = new DeployedApplication(running.client, address,
                running.address(ServiceKind.EXPERIMENT));
        String run = application.stream("three small pieces", "messages-tuple", events::add);

        // Then
        assertThat(states).last().isEqualTo("DEPLOYED");
        assertThat(same).isEqualTo(address);
        assertThat(repeatedStates).containsExactly("DEPLOYED");
        assertThat(events).extracting(RunEvent::name).containsExactly("metadata", "messages", "messages", "messages", "end");
        assertThat(events.stream().map(event -> event.data().at("/0/content").asText()).collect(Collectors.joining()))
                .isEqualTo("three small pieces");
        List<JsonNode> trace = application.awaitTrace(run, 2);
        assertThat(trace).extracting(row -> row.get("name").textValue() + " " + row.get("run_type").textValue())
                .containsExactly("agent chain", "echo llm");
        JsonNode root = trace.getFirst();
        JsonNode step = trace.getLast();
        assertThat(root.get("id").textValue()).isEqualTo(run);
        assertThat(root.get("session_id").textValue()).isEqualTo(running.session("sample-application").id().toString());
        assertThat(step.get("parent_run_id").textValue()).isEqualTo(run);
        assertThat(root.get("status").textValue()).isEqualTo("success");
        assertThat(root.at("/outputs/messages/1/content").textValue()).isEqualTo("three small pieces");
        assertThat(step.get("total_tokens").intValue()).isEqualTo(6);
        assertThat(application.converse("first", "second").path("messages").valueStream()
                .map(message -> message.path("content").asText())).containsExactly("first", "first", "second", "second");
        assertThat(List.of(root, step)).allSatisfy(row -> assertThat(row.get("first_token_time").isTextual()).isTrue());
    }

    private static Optional<BigDecimal> number(@Nullable Object text) {
        return Optional.ofNullable(text).map(value -> new BigDecimal(value.toString()).stripTrailingZeros());
    }

    private URI deploy(Deployer deployer, List<String> states) {
        try (SourceRepository repository = SourceRepository.in(running.directory.resolve("repositories/sample.git"))) {
            repository.commit(SourceRepository.files(StackSettings.sampleApplication(RunningStack.root())),
                    "The sample application");
            return deployer.deploy("sample-application", repository, states::add);
        }
    }

    private TraceLoader loader() {
        return new TraceLoader(running.client, running.address(ServiceKind.EXPERIMENT));
    }

    private ExportedFiles export(Sample sample, String formatVersion, String compression) {
        return download(complete(sample, formatVersion, compression));
    }

    private UUID complete(Sample sample, String formatVersion, String compression) {
        List<Instant> starts = sample.runs().stream().map(run -> Instant.parse(run.get("start_time").textValue())).sorted()
                .toList();
        UUID id = running.exporter().start(new CreateBulkExportRequest(running.destination("quickstart"),
                running.session(sample.session()).id(), starts.getFirst(), starts.getLast().plusSeconds(1), null, null, null,
                null, formatVersion, compression));
        BulkExportResponse finished = running.exporter().awaitEnd(id, Progress.NONE);
        assertThat(finished.status()).as("%s", finished).isEqualTo(BulkExportStatus.COMPLETED);
        return id;
    }

    private ExportedFiles download(UUID id) {
        try (Bucket bucket = running.bucket()) {
            await().atMost(Duration.ofMinutes(5)).until(() -> bucket.countIncompleteUploads("quickstart/") == 0);
            return ExportedFiles.download(bucket, "quickstart", id, downloads);
        }
    }
}
