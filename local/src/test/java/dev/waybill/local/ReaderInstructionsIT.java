package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.local.stack.Stack;
import dev.waybill.local.tour.ExportedFiles;

/** Runs the instructions for readers of an export: the snippets and docs/verify-an-export.md. */
class ReaderInstructionsIT {

    private static final Instant FIRST_DAY = Instant.parse("2026-05-31T00:00:00Z");

    private final Workspace workspace = Workspace.create("readers");

    @TempDir
    private Path folder;

    /** Reads from the S3 server with the snippet, in which only the keys are replaced. */
    @ParameterizedTest
    @ValueSource(strings = { "v1", "v2_beta" })
    void polarsReadsBucketWithSnippet(String formatVersion) throws Exception {
        // Given
        String text = workspace.exporter().snippet(export(formatVersion), "polars")
                .replace("<ACCESS_KEY_ID>", workspace.running().stack.secrets().s3AccessKeyId())
                .replace("<SECRET_ACCESS_KEY>", workspace.running().stack.secrets().s3SecretAccessKey());

        // When
        String output = NodeProgram.print("snippet.mjs", text);

        // Then
        List<List<String>> cells = output.lines()
                .filter(line -> line.startsWith("│"))
                .map(line -> Stream.of(line.split("[│┆]")).map(String::strip).filter(cell -> !cell.isEmpty()).toList())
                .toList();
        assertThat(cells).as(output).contains(List.of("year", "month", "day", "runs"), List.of("2026", "5", "31", "2"),
                List.of("2026", "6", "1", "3"));
    }

    /** Reads a copy of the bucket, because DuckDB would have to download its S3 client. */
    @ParameterizedTest
    @ValueSource(strings = { "v1", "v2_beta" })
    void duckDbReadsCopyOfBucketWithSnippet(String formatVersion) throws SQLException {
        // Given
        UUID export = export(formatVersion);
        String text = workspace.exporter().snippet(export, "duckdb");
        workspace.download(export, folder);

        // When
        List<String> days = rows(text.substring(text.indexOf("CREATE OR REPLACE VIEW"))
                .replace("s3://" + Stack.BUCKET, folder.toString()));

        // Then
        assertThat(days).containsExactly("2026 5 31 2", "2026 6 1 3");
    }

    @Test
    void verificationDetectsChangedFiles() throws Exception {
        // Given
        ExportedFiles files = workspace.download(export("v2_beta"), folder);
        Path export = files.files().getFirst().getParent().getParent().getParent().getParent().getParent();
        Files.writeString(export.resolve("_manifest.json"), files.manifest().toString());
        String lines = verification(export);

        // When
        List<String> unchanged = rows(lines);
        modify(files.files().get(0), files.files().get(1));
        List<String> changed = rows(lines);

        // Then
        assertThat(files.files()).hasSize(2);
        assertThat(unchanged).isEmpty();
        assertThat(changed).hasSize(3)
                .anySatisfy(row -> assertThat(row).contains("day=31/part-00000.parquet true true true true false"))
                .anySatisfy(row -> assertThat(row).contains("day=1/part-00000.parquet true false false false false"))
                .anySatisfy(row -> assertThat(row).contains("day=1/part-00001.parquet false true false false false"));
    }

    /** Changes a byte of the first file and renames the second one. */
    private static void modify(Path first, Path second) throws IOException {
        byte[] bytes = Files.readAllBytes(first);
        bytes[100] ^= 1;
        Files.write(first, bytes);
        Files.move(second, second.resolveSibling("part-00001.parquet"));
    }

    /** Returns the statements of the page with the export's folder. */
    private static String verification(Path export) throws IOException {
        String page = Files.readString(RunningStack.root().resolve("docs/verify-an-export.md"), StandardCharsets.UTF_8);
        String sql = page.substring(page.indexOf("```sql\n") + 7, page.indexOf("\n```\n"));
        assertThat(sql.lines()).hasSize(5);
        return sql.replaceFirst("'s3://[^']*'", "'" + export + "'");
    }

    /** Exports two runs of a day and three of the next. */
    private UUID export(String formatVersion) {
        workspace.load(IntStream.range(0, 5).mapToObj(n -> HandmadeRun
                .in("readers", FIRST_DAY.plus(Duration.ofHours(12)).plus(Duration.ofHours(8L * n))).json()));
        UUID id = workspace.order(workspace.session("readers").id(), FIRST_DAY,
                FIRST_DAY.plus(Duration.ofDays(3)), formatVersion, "zstandard");
        workspace.awaitCompleted(id);
        return id;
    }

    private static List<String> rows(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> rows = new ArrayList<>();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    row.add(result.getString(i));
                }
                rows.add(String.join(" ", row));
            }
            return rows;
        }
    }
}
