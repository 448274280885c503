package dev.waybill.export.verification;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.common.testing.Accounts;
import dev.waybill.export.Bucket;
import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import dev.waybill.export.file.FileStoreFactory;
import io.restassured.response.Response;

/** Verifications of exports in a real bucket, intact and tampered with. */
@ExportServiceTest
class VerificationTest {

    private static final int DAYS = 4;

    private Bucket bucket;
    private Exports exports;
    private Verifications verifications;

    // Not a field initializer: the service must be listening.
    @BeforeEach
    void open() {
        bucket = new Bucket();
        exports = Exports.create();
        verifications = new Verifications(exports);
    }

    @AfterEach
    void close() {
        bucket.close();
    }

    @Test
    void countedRowsAreInFilesAndManifest() {
        // Given
        UUID id = export("");

        // When
        Response verified = verifications.perform(id);

        // Then
        assertThat(verified.jsonPath().getMap("")).containsOnlyKeys("id", "tenant_id", "bulk_export_id", "status",
                "created_at", "updated_at", "finished_at", "progress", "result", "error", "receipt")
                .containsEntry("bulk_export_id", id.toString()).containsEntry("status", "Completed")
                .containsEntry("error", null);
        assertThat(verified.jsonPath().getMap("result")).isEqualTo(Map.of("intact", true, "rows_counted", 400,
                "rows_encoded", 400, "rows_in_files", 400, "rows_in_manifest", 400, "objects_listed", true,
                "mismatches_total", 0, "mismatches", List.of()));
        int bytes = exports.client().export(id).path("progress.bytes_exported");
        assertThat(verified.jsonPath().getMap("progress")).isEqualTo(Map.of("files_total", DAYS, "files_checked", DAYS,
                "bytes_total", bytes, "bytes_checked", bytes));
    }

    @ParameterizedTest
    @Tag("full")
    @CsvSource({ "v1, none", "v1, gzip", "v2_beta, snappy", "v2_beta, zstandard" })
    void everyVersionAndCompressionIsIntact(String version, String compression) {
        UUID id = export(", \"format_version\": \"" + version + "\", \"compression\": \"" + compression + "\"");

        assertThat((boolean) verifications.perform(id).path("result.intact")).isTrue();
    }

    @Test
    void exportWithoutRowsIsIntact() {
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        Response verified = verifications.perform(id);

        assertThat((boolean) verified.path("result.intact")).isTrue();
        assertThat((int) verified.path("progress.files_total")).isZero();
        assertThat((Object) verified.path("receipt")).isNotNull();
    }

    @Test
    void missingTruncatedChangedAndAddedFilesAreNamed() {
        // Given
        UUID id = export("");
        List<String> files = files(id);
        bucket.delete(files.get(0));
        byte[] whole = bucket.get(files.get(1));
        bucket.put(files.get(1), Arrays.copyOf(whole, whole.length / 2));
        byte[] content = bucket.get(files.get(2));
        content[content.length / 2] ^= 1;
        bucket.put(files.get(2), content);
        String added = exports.folder(id) + "runs/year=2026/month=1/day=5/part-00009.parquet";
        bucket.put(added, content);

        // When
        Response verified = verifications.perform(id);

        // Then
        assertThat((String) verified.path("status")).isEqualTo("Completed");
        assertThat((boolean) verified.path("result.intact")).isFalse();
        assertThat(Verifications.mismatches(verified)).containsExactly(tuple(files.get(0), "missing"),
                tuple(files.get(1), "truncated"), tuple(files.get(2), "changed"), tuple(added, "unexpected"));
        assertThat((int) verified.path("result.mismatches_total")).isEqualTo(4);
        assertThat((int) verified.path("result.rows_in_files")).isEqualTo(100);
        assertThat((int) verified.path("result.mismatches[1].actual_bytes")).isEqualTo(whole.length / 2);
        assertThat((int) verified.path("result.mismatches[1].expected_bytes")).isEqualTo(whole.length);
        assertThat((String) verified.path("result.mismatches[2].actual_sha256")).hasSize(64)
                .isNotEqualTo(verified.path("result.mismatches[2].expected_sha256"));
        assertThat((Object) verified.path("receipt")).isNull();
    }

    @Test
    void emptiedAndExtendedFilesAreNamed() {
        // Given
        UUID id = export("");
        List<String> files = files(id);
        bucket.put(files.get(0), new byte[0]);
        byte[] content = bucket.get(files.get(1));
        bucket.put(files.get(1), Arrays.copyOf(content, content.length + 1));
        bucket.put(files.get(2), bucket.get(files.get(3)));

        // When
        Response verified = verifications.perform(id);

        // Then
        assertThat(Verifications.mismatches(verified).subList(0, 2)).containsExactly(tuple(files.get(0), "truncated"),
                tuple(files.get(1), "changed"));
        assertThat((int) verified.path("result.mismatches_total")).isEqualTo(3);
        assertThat((String) verified.path("result.mismatches[2].path")).isEqualTo(files.get(2));
    }

    @Test
    void objectsAnywhereInTheFolderOfTheExportAreFound() {
        // Given
        UUID id = export("");
        String root = exports.prefix() + "/export_id=" + id + "/";
        bucket.put(root + "other.parquet", new byte[3]);
        bucket.put(root + "folder/", new byte[0]);
        bucket.put(exports.prefix() + "/unrelated", new byte[3]);

        // When
        Response verified = verifications.perform(id);

        // Then
        assertThat(Verifications.mismatches(verified)).containsExactly(tuple(root + "other.parquet", "unexpected"));
        assertThat((int) verified.path("result.mismatches[0].actual_bytes")).isEqualTo(3);
    }

    @Test
    void removedManifestIsNamed() {
        UUID id = export("");
        bucket.delete(exports.folder(id) + "_manifest.json");

        Response verified = verifications.perform(id);

        assertThat(Verifications.mismatches(verified))
                .containsExactly(tuple(exports.folder(id) + "_manifest.json", "missing"));
        assertThat((Object) verified.path("result.rows_in_manifest")).isNull();
        assertThat((int) verified.path("result.rows_in_files")).isEqualTo(400);
        assertThat((boolean) verified.path("result.intact")).isFalse();
    }

    @ParameterizedTest
    @Tag("full")
    @CsvSource(delimiter = '|', textBlock = """
            "rows" : 400     | "rows" : 399         | Its member rows is not 400.
            part-00000       | part-00001           | It lists a file that the export did not write:
            "rows" : 100,    | "rows" : 101,        | Its entry of a file differs:
            "version" : 1    | "version" : one      | It is not a valid JSON object,
            "filter" : null  | "filter" : "eq(x)"   | Its member filter is not null.
            "v1"             | "v2_beta"            | Its member format_version is not v1.
            "schema_sha256" : " | "schema_sha256" : "0 | Its member schema_sha256 is not
            "rows" : 400     | "rows" : 400, "x": 1 | It has an unknown member: x.
            """)
    void changedManifestIsNamed(String original, String replacement, String message) {
        // Given
        UUID id = export("");
        String key = exports.folder(id) + "_manifest.json";
        String manifest = new String(bucket.get(key), StandardCharsets.UTF_8);
        assertThat(manifest).contains(original);
        bucket.put(key, manifest.replaceFirst(original, replacement).getBytes(StandardCharsets.UTF_8));

        // When
        Response verified = verifications.perform(id);

        // Then
        assertThat(Verifications.mismatches(verified)).containsExactly(tuple(key, "changed"));
        assertThat((String) verified.path("result.mismatches[0].message")).startsWith(message);
        assertThat((boolean) verified.path("result.intact")).isFalse();
    }

    @Test
    void manifestInAnotherFormattingIsIntact() {
        UUID id = export("");
        String key = exports.folder(id) + "_manifest.json";
        byte[] manifest = bucket.get(key);
        bucket.put(key, new String(manifest, StandardCharsets.UTF_8).replace(" : ", ":").getBytes(StandardCharsets.UTF_8));
        assertThat(bucket.get(key)).isNotEqualTo(manifest);

        assertThat((boolean) verifications.perform(id).path("result.intact")).isTrue();
    }

    @Test
    @Tag("full")
    void mismatchesAreListedUpToTheirLimit() {
        // Given
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");
        for (int i = 0; i < 105; i++) {
            bucket.put(exports.folder(id) + "added-" + i, new byte[1]);
        }

        // When
        Response verified = verifications.perform(id);

        // Then
        assertThat((int) verified.path("result.mismatches_total")).isEqualTo(105);
        assertThat(verified.jsonPath().getList("result.mismatches")).hasSize(100);
    }

    @Test
    void secondDestinationTypeIsVerified() {
        // Given
        Traces.execute("UPDATE export.destinations SET destination_type = ?, bucket_name = ? WHERE tenant_id = ?",
                FileStoreFactory.TYPE, exports.prefix(), exports.tenantId());
        UUID id = export("");

        // When / Then: the store returns lists in pages of two objects.
        assertThat(verifications.perform(id).jsonPath().getMap("result")).containsEntry("intact", true)
                .containsEntry("objects_listed", true);
    }

    @Test
    void onlyCompletedExportIsVerified() {
        // Given
        UUID running = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");
        Traces.execute("UPDATE export.bulk_exports SET status = 'Running', finished_at = NULL,"
                + " next_attempt_at = now() + interval '1 hour' WHERE id = ?", running);
        UUID schedule = exports.start(MONDAY.plus(Duration.ofDays(365)), null, ", \"interval_hours\": 24");

        // When / Then
        assertThat(verifications.create(running).statusCode()).isEqualTo(409);
        assertThat((String) verifications.create(running).path("detail")).contains("Running");
        assertThat((String) verifications.create(schedule).path("detail")).contains("the exports that it created");
        assertThat(verifications.create(UUID.randomUUID()).statusCode()).isEqualTo(404);
        assertThat(verifications.list(running, "").jsonPath().getList("")).isEmpty();
    }

    @Test
    void unfinishedVerificationIsReturnedAgain() {
        // Given
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");
        String first = verifications.perform(id).path("id");
        Traces.execute("UPDATE export.verifications SET status = 'Created', finished_at = NULL, intact = NULL, receipt = NULL,"
                + " next_attempt_at = now() + interval '1 hour' WHERE tenant_id = ?", exports.tenantId());

        // When
        Response again = verifications.create(id);

        // Then
        assertThat((String) again.path("id")).isEqualTo(first);
        assertThat((String) again.path("status")).isEqualTo("Created");
        assertThat((Object) again.path("result")).isNull();
        Traces.execute("UPDATE export.verifications SET next_attempt_at = now() WHERE tenant_id = ?", exports.tenantId());
        verifications.awaitEnd(id, first);
        assertThat((String) verifications.perform(id).path("id")).isNotEqualTo(first);
    }

    @Test
    void workspacePerformsOneVerificationAtATime() {
        // Given: a verification that another replica performs
        UUID first = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");
        UUID second = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");
        verifications.perform(first);
        Traces.execute("UPDATE export.verifications SET status = 'Running', finished_at = NULL, intact = NULL, receipt = NULL,"
                + " lease_owner = 'other', lease_until = now() + interval '1 hour' WHERE tenant_id = ?", exports.tenantId());

        // When
        String waiting = verifications.create(second).path("id");
        Exports other = Exports.create();
        new Verifications(other).perform(other.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), ""));

        // Then
        assertThat((String) verifications.get(second, waiting).path("status")).isEqualTo("Created");
        Traces.execute("UPDATE export.verifications SET lease_until = now() WHERE tenant_id = ?", exports.tenantId());
        assertThat((boolean) verifications.awaitEnd(second, waiting).path("result.intact")).isTrue();
    }

    @Test
    void unfinishedVerificationsAreLimited() {
        // Given
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");
        Traces.execute("""
                INSERT INTO export.bulk_exports (tenant_id, id, destination_id, session_id, start_time, end_time, key_prefix,
                    format, format_version, compression, status, started_at, finished_at)
                SELECT tenant_id, gen_random_uuid(), destination_id, session_id, start_time, end_time, key_prefix,
                    format, format_version, compression, status, started_at, finished_at
                FROM export.bulk_exports CROSS JOIN generate_series(1, 20)
                WHERE id = ?
                """, id);
        Traces.execute("""
                INSERT INTO export.verifications (tenant_id, id, export_id, files_total, bytes_total, next_attempt_at)
                SELECT tenant_id, gen_random_uuid(), id, 0, 0, now() + interval '1 hour'
                FROM export.bulk_exports
                WHERE tenant_id = ? AND id <> ?
                """, exports.tenantId(), id);

        // When
        Response rejected = verifications.create(id);

        // Then
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(rejected.header("Retry-After")).isEqualTo("60");
        assertThat((String) rejected.path("detail")).contains("20 unfinished verifications");
        assertThat(verifications.list(id, "").jsonPath().getList("")).isEmpty();
    }

    @Test
    void verificationsAreListedNewestFirstInPages() {
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");
        String first = verifications.perform(id).path("id");
        String second = verifications.perform(id).path("id");

        assertThat(verifications.list(id, "").jsonPath().getList("id")).containsExactly(second, first);
        assertThat(verifications.list(id, "?limit=1&offset=1").jsonPath().getList("id")).containsExactly(first);
        assertThat(verifications.list(id, "").header("X-Pagination-Total")).isEqualTo("2");
        assertThat(verifications.list(id, "?status=Failed").statusCode()).isEqualTo(422);
        assertThat(verifications.get(id, UUID.randomUUID().toString()).statusCode()).isEqualTo(404);
    }

    @Test
    void repeatedRequestWithIdempotencyKeyCreatesOne() {
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");
        String key = UUID.randomUUID().toString();
        String path = Client.EXPORTS + "/" + id + "/verify";

        String first = exports.client().post(path, "", "Idempotency-Key", key).path("id");
        verifications.awaitEnd(id, first);

        assertThat((String) exports.client().post(path, "", "Idempotency-Key", key).path("id")).isEqualTo(first);
        assertThat(verifications.list(id, "").jsonPath().getList("id")).containsExactly(first);
    }

    @Test
    void memberVerifiesAndOtherWorkspacesFindNothing() {
        // Given
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");
        Client member = Client.as(Accounts.account().inWorkspaceOf(exports.client().account()).role("member").create());
        Client other = Client.as(Accounts.account().create());

        // When
        Response created = member.post(Client.EXPORTS + "/" + id + "/verify");

        // Then
        assertThat(created.statusCode()).as(created.asString()).isEqualTo(200);
        String path = Client.EXPORTS + "/" + id + "/verifications/" + created.path("id");
        assertThat(member.get(path).statusCode()).isEqualTo(200);
        assertThat(other.get(path).statusCode()).isEqualTo(404);
        assertThat(other.post(Client.EXPORTS + "/" + id + "/verify").statusCode()).isEqualTo(404);
    }

    private UUID export(String more) {
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofSeconds(864), DAYS * 100);
        return exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(DAYS)), more);
    }

    private List<String> files(UUID exportId) {
        return exports.client().get(Client.EXPORTS + "/" + exportId + "/files").path("path");
    }
}
