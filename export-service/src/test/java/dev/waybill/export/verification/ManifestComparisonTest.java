package dev.waybill.export.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.json.JsonCustomizer;
import dev.waybill.export.execution.Manifest;
import dev.waybill.export.job.ManifestInput;
import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.parquet.FormatVersion;
import dev.waybill.export.run.ExportLayout;

class ManifestComparisonTest {

    private static final ObjectMapper JSON = mapper();
    private static final Instant START = Instant.parse("2026-01-05T00:00:00Z");
    private static final ExpectedExport EXPORT = new ExpectedExport(new ManifestInput(new UUID(0, 1), START,
            START.plusSeconds(86_400),
            new ExportLayout("", new UUID(0, 2), new UUID(0, 3), new UUID(0, 4), FormatVersion.V1),
            ExportSchema.named(List.of("id", "name"), FormatVersion.V1), "gzip", "eq(name, \"step\")",
            List.of(new ManifestInput.File("a", 10, 100, "aa", START, START.plusSeconds(1)),
                    new ManifestInput.File("b", 20, 200, "bb", START.plusSeconds(2), START.plusSeconds(3))),
            0, START.plusSeconds(90_000), 0), 30);
    private static final String MANIFEST = new String(Manifest.of(EXPORT.manifest()).toJson(JSON), StandardCharsets.UTF_8);

    @Test
    void sameManifestHasNoDifferenceHoweverItIsSplit() {
        for (int length : List.of(1, 7, 100, 10_000)) {
            ManifestComparison comparison = new ManifestComparison(EXPORT, JSON);

            assertThat(difference(comparison, MANIFEST, length)).as("parts of %s bytes", length).isNull();
            assertThat(comparison.rows()).isEqualTo(30);
        }
    }

    @Test
    void otherFormattingAndOrderOfMembersHaveNoDifference() throws JsonProcessingException {
        ObjectNode manifest = (ObjectNode) JSON.readTree(MANIFEST);
        ObjectNode reordered = JSON.createObjectNode();
        reordered.set("files", manifest.remove("files"));
        reordered.setAll(manifest);

        assertThat(difference(reordered.toString())).isNull();
    }

    @Test
    void manifestOfAnEarlierReleaseHasNoDifference() {
        assertThat(difference(MANIFEST.replace("\"truncated_rows\" : 0,", ""))).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "rows" : 30      | "rows" : 31       | Its member rows is not 30.
            "rows" : 30      | "rows" : 30.0     | Its member rows is not 30.
            "bytes" : 300    | "bytes" : "x"     | Its member bytes is not 300.
            000002           | 000009            | Its member export_id is not
            "version" : 1    | "version" : "1"   | Its member version is not 1.
            "version" : 1,   | ''                | Its member version is not 1.
            step             | other             | Its member filter is not eq(name, "step").
            "filter"         | "note":1,"filter" | It has an unknown member: note.
            "filter"         | "version":1,"filter" | It is not a valid JSON object, or a member occurs twice.
            "id"             | "Id"              | Its member schema is not [{"name":"id",
            "v1"             | "v2_beta"         | Its member format_version is not v1.
            "gzip"           | "none"            | Its member compression is not gzip.
            "truncated_rows" : 0 | "truncated_rows" : 1 | Its member truncated_rows is not 0.
            "start_time" : "2026-01-05 | "start_time" : "2026-01-04 | Its member start_time is not 2026-01-05T00:00:00
            2026-01-06T00    | 2026-01-07T00     | Its member end_time is not 2026-01-06T00:00:00
            2026-01-06T01    | 2026-01-07T01     | Its member created_at is not 2026-01-06T01:00:00
            "schema_sha256" : " | "schema_sha256" : "0 | Its member schema_sha256 is not
            "path" : "b"     | "path" : "c"      | It lists a file that the export did not write: c.
            "path" : "b"     | "path" : "a"      | Its entry of a file differs: a.
            "sha256" : "bb"  | "sha256" : "bc"   | Its entry of a file differs: b.
            "rows" : 20      | "rows" : 21       | Its entry of a file differs: b.
            00:00:02         | 00:00:01          | Its entry of a file differs: b.
            00:00:03         | 00:00:09          | Its entry of a file differs: b.
            "path" : "b"     | "x":1,"path":"b"  | Its entry of a file differs: b.
            "path" : "b"     | "rows":1,"path":"b" | It is not a valid JSON object, or a member occurs twice.
            "files"          | "data"            | It has an unknown member: data.
            "created_at"     | created_at        | It is not a valid JSON object, or a member occurs twice.
            """)
    void firstDifferenceIsNamed(String original, String replacement, String expected) {
        String changed = MANIFEST.replace(original, replacement);
        assertThat(changed).isNotEqualTo(MANIFEST);

        assertThat(difference(changed)).startsWith(expected);
    }

    @Test
    void filesInAnotherOrderDiffer() throws JsonProcessingException {
        ObjectNode manifest = (ObjectNode) JSON.readTree(MANIFEST);
        manifest.withArray("files").add(manifest.withArray("files").remove(0));

        assertThat(difference(manifest.toString())).isEqualTo("It lists the files in another order.");
    }

    @Test
    void missingFileIsNamed() throws JsonProcessingException {
        ObjectNode manifest = (ObjectNode) JSON.readTree(MANIFEST);
        manifest.withArray("files").remove(0);

        assertThat(difference(manifest.toString())).isEqualTo("It does not list a file of the export: a.");
    }

    @ParameterizedTest
    @ValueSource(strings = { "{} %s", "%s {}", "%s 1", "[%s]", "{\"manifest\": %s}", "" })
    void manifestInsideOrBesideAnotherValueDiffers(String format) {
        assertThat(difference(format.formatted(MANIFEST))).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = { "3", "null", "{}", "[3]", "[[]]" })
    void listOfOtherValuesDiffers(String files) throws JsonProcessingException {
        ObjectNode manifest = (ObjectNode) JSON.readTree(MANIFEST);
        manifest.set("files", JSON.readTree(files));

        assertThat(difference(manifest.toString())).isNotNull();
    }

    @Test
    void longMemberDiffers() {
        String changed = MANIFEST.replaceFirst("\"version\" : 1", "\"version\": [" + "0,".repeat(20_000) + "0]");

        assertThat(difference(changed)).isEqualTo("Its member version is too long.");
    }

    @Test
    void truncatedManifestDiffers() {
        for (int length = 0; length < MANIFEST.length(); length++) {
            assertThat(difference(MANIFEST.substring(0, length))).as("%s bytes", length).isNotNull();
        }
    }

    private static @Nullable String difference(String manifest) {
        return difference(new ManifestComparison(EXPORT, JSON), manifest, 16);
    }

    private static @Nullable String difference(ManifestComparison comparison, String manifest, int length) {
        byte[] bytes = manifest.getBytes(StandardCharsets.UTF_8);
        for (int start = 0; start < bytes.length; start += length) {
            comparison.add(Arrays.copyOfRange(bytes, start, Math.min(bytes.length, start + length)));
        }
        return comparison.finish();
    }

    private static ObjectMapper mapper() {
        ObjectMapper mapper = new ObjectMapper();
        new JsonCustomizer().customize(mapper);
        return mapper;
    }
}
