package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.tour.ExportedFiles;

/** Values and times at the edge of what must come through. */
class EdgeCasesIT {

    private static final Instant MIDNIGHT = Instant.parse("2024-02-29T00:00:00Z");
    private static final String NUL = "before\u0000after";

    private final Workspace workspace = Workspace.create("edges");

    @TempDir
    private Path folder;

    @Test
    void nulCharactersAndSurrogatesInJsonComeOutAsTheyWentIn() {
        JsonNode run = HandmadeRun.in("nul", MIDNIGHT).input("nul", NUL).input("astral", "\uD83D\uDE80 \uFFFF \u2028").json();
        requireOut("nul", "v1", run);
        requireOut("nul", "v2_beta", run);
    }

    @Test
    void anInputOfSeveralMegabytesComesOut() {
        String text = "All the world's a stage, and all the men and women merely players. ".repeat(42_000);
        requireOut("long", "v2_beta", HandmadeRun.in("long", MIDNIGHT).input("text", text).json());
    }

    @Test
    void aRangeHoldsItsFirstMicrosecondAndNotItsLast() {
        // Given
        Instant start = Instant.parse("2024-02-29T06:00:00.000001Z");
        Instant end = Instant.parse("2024-03-03T00:00:00Z");
        List<JsonNode> inside = runsAt("range", start, Instant.parse("2024-02-29T23:59:59.999999Z"),
                Instant.parse("2024-03-01T00:00:00Z"), end.minusNanos(1000));
        List<JsonNode> outside = runsAt("range", start.minusNanos(1000), end);
        workspace.load(Stream.concat(inside.stream(), outside.stream()));

        // When
        ExportedFiles files = export("range", start, end, "v1");

        // Then: the day between is empty and has no file
        assertThat(rows(files, inside)).isEqualTo(inside.size());
        assertThat(files.files()).hasSize(3);
        assertThat(files.files()).noneMatch(file -> file.toString().contains("month=3/day=3"));
    }

    @Test
    void daysWithoutRunsMakeNoFileAndStillAManifest() {
        // Given
        workspace.load(runsAt("empty", MIDNIGHT).stream());

        // When
        ExportedFiles files = export("empty", MIDNIGHT.plusSeconds(86_400), MIDNIGHT.plusSeconds(10 * 86_400), "v2_beta");

        // Then
        assertThat(files.files()).isEmpty();
        assertThat(files.rows()).isZero();
        assertThat(files.manifest().get("schema")).isNotEmpty();
    }

    private void requireOut(String session, String formatVersion, JsonNode run) {
        workspace.load(Stream.of(run));
        ExportedFiles files = export(session, MIDNIGHT, MIDNIGHT.plusSeconds(1), formatVersion);
        assertThat(rows(files, List.of(run))).isEqualTo(1);
    }

    private static List<JsonNode> runsAt(String session, Instant... starts) {
        return Stream.of(starts).map(start -> HandmadeRun.in(session, start).json()).toList();
    }

    private ExportedFiles export(String session, Instant start, Instant end, String formatVersion) {
        String id = workspace.order(workspace.session(session).get("id").textValue(), start, end, formatVersion, "zstandard");
        workspace.awaitCompleted(id);
        return workspace.download(id, folder);
    }

    /** @return how many rows there are, each of which is one of the runs */
    private int rows(ExportedFiles files, List<JsonNode> runs) {
        Map<String, JsonNode> expected = new HashMap<>();
        runs.forEach(run -> expected.put(run.get("id").textValue(), run));
        int[] rows = { 0 };
        for (FileReader reader : FileReader.values()) {
            rows[0] = 0;
            reader.read(files.files(), folder, row -> {
                JsonNode run = expected.get(row.get("id"));
                new ExpectedRow(run, workspace.session(run.get("session_name").textValue())).requireSame(row);
                rows[0]++;
            });
        }
        return rows[0];
    }
}
