package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.Bucket;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.tour.ExportRequest;
import dev.waybill.local.tour.ExportedFiles;
import dev.waybill.local.tour.ParquetReader;
import dev.waybill.local.tour.Progress;
import dev.waybill.local.tour.Sample;
import dev.waybill.local.tour.TraceLoader;

class QuickstartIT {

    private final RunningStack running = RunningStack.get();

    @TempDir
    private Path downloads;

    @ParameterizedTest
    @CsvSource({ "v1, gzip", "v2_beta, zstandard" })
    void everySampleRunComesOutExactlyOnce(String formatVersion, String compression) {
        for (Sample sample : Sample.all()) {
            // Given
            List<JsonNode> runs = sample.runs();
            loader().load(runs, Progress.UNSEEN);

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

    @Test
    void sendingEverythingTwiceChangesNothing() {
        // Given
        Sample sample = Sample.all().getLast();
        loader().load(sample.runs(), Progress.UNSEEN);

        // When
        loader().load(sample.runs(), Progress.UNSEEN);

        // Then
        assertThat(export(sample, "v2_beta", "snappy").rows()).isEqualTo(sample.runs().size());
    }

    private TraceLoader loader() {
        return new TraceLoader(running.client, running.address(ServiceKind.EXPERIMENT));
    }

    private ExportedFiles export(Sample sample, String formatVersion, String compression) {
        List<Instant> starts = sample.runs().stream().map(run -> Instant.parse(run.get("start_time").textValue())).sorted()
                .toList();
        String id = running.exporter().start(new ExportRequest(running.destination("quickstart"),
                running.session(sample.session()).get("id").textValue(), starts.getFirst(), starts.getLast().plusSeconds(1),
                formatVersion, compression));
        JsonNode ended = running.exporter().awaitEnd(id, Progress.UNSEEN);
        assertThat(ended.get("status").textValue()).as("%s", ended).isEqualTo("Completed");
        try (Bucket bucket = running.bucket()) {
            assertThat(bucket.openUploads("quickstart/")).isZero();
            return ExportedFiles.download(bucket, "quickstart", id, downloads);
        }
    }
}
