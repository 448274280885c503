package dev.waybill.export.lake;

import static dev.waybill.export.lake.LakeWorkspace.DAY;
import static dev.waybill.export.lake.LakeWorkspace.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Traces;
import io.quarkus.test.junit.TestProfile;

/**
 * Icebird, a reader in JavaScript that shares no code with Iceberg's library, reads a table from its metadata file and returns
 * the same as PostgreSQL. Runs only if it is named, and requires Node.js and a folder with Icebird (CONTRIBUTING.md).
 */
@ExportServiceTest
@TestProfile(LakeProfile.class)
class IcebirdReadsTables {

    private static final Path SCRIPT = Path.of("src/test/javascript/read_table.mjs");
    private static final String MIDNIGHT = DAY.atStartOfDay() + ":00+00:00";

    private EngineFixture fixture;

    @BeforeEach
    void open() {
        fixture = EngineFixture.create();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void countsAndSumsAreThoseOfPostgres() throws Exception {
        // Given: two sessions, a day that is compacted twice, and one without runs afterwards
        LakeWorkspace workspace = fixture.workspace();
        UUID other = Traces.session(workspace.tenantId());
        workspace.withRuns(3000);
        Traces.runs(workspace.tenantId(), other, NOON.minus(Duration.ofDays(1)), Duration.ofMillis(7), 500);
        Traces.runs(workspace.tenantId(), workspace.sessionId(), NOON.minus(Duration.ofDays(1)), Duration.ofMillis(7), 50);
        Traces.runs(workspace.tenantId(), other, NOON.minus(Duration.ofDays(2)), Duration.ofMillis(7), 100);
        Traces.execute("UPDATE trace.runs SET tags = ARRAY['a', 'b c'], total_tokens = 7, total_cost = 0.001250000"
                + " WHERE tenant_id = ?", workspace.tenantId());
        fixture.compact(3);
        workspace.publishNow(Duration.ZERO);
        Traces.execute("UPDATE trace.runs SET total_tokens = 11 WHERE tenant_id = ? AND start_time >= ?::timestamptz",
                workspace.tenantId(), MIDNIGHT);
        Traces.execute("DELETE FROM trace.runs WHERE tenant_id = ? AND start_time < ?::timestamptz - interval '1 day'",
                workspace.tenantId(), MIDNIGHT);
        fixture.compact(3);
        workspace.publishNow(Duration.ZERO);

        // When, Then: a file of each of the two days that have runs
        assertThat(read()).isEqualTo("2|" + Traces.query("""
                SELECT concat_ws('|', count(*), sum(total_tokens), sum(total_cost), sum(length(inputs)), sum(cardinality(tags)),
                    count(DISTINCT session_id), to_char(min(start_time) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
                FROM trace.runs WHERE tenant_id = ?
                """, workspace.tenantId())).startsWith("2|3550|");
    }

    private String read() throws IOException, InterruptedException {
        // Node.js searches packages beside the script.
        Path script = Path.of(System.getenv().getOrDefault("ICEBIRD_FOLDER", "target/icebird")).resolve("read_table.mjs");
        Files.copy(SCRIPT, script, StandardCopyOption.REPLACE_EXISTING);
        return String.join("\n",
                fixture.execute("icebird", List.of("node", script.toString(), fixture.metadataLocation())));
    }
}
