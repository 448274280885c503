package dev.waybill.export.snippet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import dev.waybill.export.parquet.ExportField;
import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.parquet.FormatVersion;
import dev.waybill.export.run.ExportLayout;
import dev.waybill.export.snippet.ExportedFiles.BucketAddress;

/**
 * Compares every snippet with its reviewed text in src/test/resources/snippets; {@code -Dsnippets.update=true} rewrites these
 * files.
 */
class SnippetGoldenFileTest {

    private static final Path GOLDEN = Path.of("src/test/resources/snippets");
    private static final UUID ID = UUID.fromString("019b9f0e-0000-7000-8000-000000000001");
    private static final UUID NEXT_ID = UUID.fromString("019b9f0e-0000-7000-8000-000000000002");
    private static final UUID TENANT = UUID.fromString("aaaaaaaa-0000-4000-8000-000000000000");
    private static final UUID SESSION = UUID.fromString("bbbbbbbb-0000-4000-8000-000000000000");
    private static final Instant NEW_YEARS_EVE = Instant.parse("2025-12-31T00:00:00Z");
    private static final BucketAddress AWS = new BucketAddress("acme-traces", "eu-central-1", null, false);
    private static final BucketAddress GCS = new BucketAddress("acme.traces", null,
            URI.create("https://storage.googleapis.com"),
            false);
    private static final BucketAddress OWN = new BucketAddress("acme", "here-1", URI.create("http://minio.internal:9000/"),
            false);
    private static final BucketAddress HOSTED = new BucketAddress("acme", "de", URI.create("https://store.example"), true);

    static Stream<Arguments> exports() {
        return Stream.of(
                Arguments.of("v2-aws", export(AWS, "waybill/exports/", FormatVersion.V2_BETA, ID)),
                Arguments.of("v1-own-store-awkward-prefix", export(OWN, "it's (a,b)/team=x/", FormatVersion.V1, ID)),
                Arguments.of("v2-virtual-host", export(HOSTED, "", FormatVersion.V2_BETA, ID)),
                Arguments.of("v2-gcs-scheduled", scheduled(GCS, "", FormatVersion.V2_BETA)),
                Arguments.of("v1-aws-scheduled", scheduled(AWS, "waybill/", FormatVersion.V1)));
    }

    @ParameterizedTest
    @MethodSource("exports")
    void snippetsEqualTheReviewedTexts(String name, ExportedFiles data) throws IOException {
        String texts = Arrays.stream(Tool.values())
                .map(tool -> "==== " + tool.wireName() + " (" + tool.language() + "): " + tool.title() + "\n" + tool.text(data))
                .collect(Collectors.joining("\n"));
        Path golden = GOLDEN.resolve(name + ".txt");
        if (Boolean.getBoolean("snippets.update")) {
            Files.createDirectories(GOLDEN);
            Files.writeString(golden, texts);
        }

        assertThat(texts).isEqualTo(Files.readString(golden));
    }

    /** Today's prefixes cannot contain these characters; literals must remain safe if the rule is relaxed. */
    @ParameterizedTest
    @EnumSource
    void namesCannotEscapeTheirLiterals(Tool tool) {
        String hostile = "a'b\"c\\d`e\n-- f\u2028// g\r# h/";
        String text = tool.text(export(OWN, hostile, FormatVersion.V2_BETA, ID));
        String plain = tool.text(export(OWN, "plain/", FormatVersion.V2_BETA, ID));

        // Only literals of standard SQL may span several lines.
        if (tool != Tool.DUCKDB) {
            assertThat(text.lines().count()).isEqualTo(plain.lines().count());
        }
        assertThat(withoutLiterals(tool, text)).isEqualTo(withoutLiterals(tool, plain));
    }

    private static String withoutLiterals(Tool tool, String text) {
        String literal = switch (tool) {
            case DUCKDB -> "'(?:[^']|'')*'";
            case ATHENA, BIGQUERY, SNOWFLAKE, CLICKHOUSE -> "'(?:[^'\\\\]|\\\\.)*'";
            case SPARK, POLARS -> "\"(?:[^\"\\\\]|\\\\.)*\"";
        };
        String code = text.replaceAll("(?m)^(--|#|//) The export is complete when .*\n", "");
        return code.replaceAll(literal, "LITERAL");
    }

    private static ExportedFiles export(BucketAddress bucket, String prefix, FormatVersion version, UUID... ids) {
        return new ExportedFiles(ids[0], false, false, bucket, layouts(prefix, version, ids),
                ExportSchema.of(ExportField.defaults(), version), "zstandard", NEW_YEARS_EVE,
                NEW_YEARS_EVE.plusSeconds(86_400));
    }

    private static ExportedFiles scheduled(BucketAddress bucket, String prefix, FormatVersion version) {
        ExportSchema schema = ExportSchema.of(List.of(ExportField.ID, ExportField.START_TIME, ExportField.TAGS), version);
        return new ExportedFiles(new UUID(0, 0), true, true, bucket, layouts(prefix, version, ID, NEXT_ID), schema, "gzip",
                NEW_YEARS_EVE, NEW_YEARS_EVE.plusSeconds(2 * 86_400));
    }

    private static List<ExportLayout> layouts(String prefix, FormatVersion version, UUID... ids) {
        return Arrays.stream(ids).map(id -> new ExportLayout(prefix, id, TENANT, SESSION, version)).toList();
    }
}
