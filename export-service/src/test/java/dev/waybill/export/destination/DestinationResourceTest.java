package dev.waybill.export.destination;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.export.Bucket;
import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import dev.waybill.export.storage.FaultProxy;
import dev.waybill.export.storage.FaultProxy.Fault;
import io.restassured.response.Response;

/** Tests the destination API (contract.md "Bulk export"). */
@ExportServiceTest
class DestinationResourceTest {

    private static final String PATH = "/api/v1/bulk-exports/destinations";

    private final Account account = Accounts.account().create();
    private final Client client = Client.as(account);

    @Test
    void responseContainsNoSecrets() {
        // Given
        DestinationBody order = DestinationBody.valid().prefix("/a/b/");

        // When
        Response created = client.post(PATH, order.json());

        // Then
        assertThat(created.statusCode()).as(created.asString()).isEqualTo(200);
        assertThat(created.jsonPath().getMap("$").keySet()).map(Object::toString).containsExactlyInAnyOrder("id", "tenant_id",
                "destination_type", "display_name", "config", "credentials_keys", "created_at", "updated_at");
        assertThat((String) created.path("tenant_id")).isEqualTo(account.workspaceId().toString());
        assertThat((String) created.path("destination_type")).isEqualTo("s3");
        assertThat((String) created.path("config.prefix")).isEqualTo("a/b");
        assertThat((boolean) created.path("config.include_bucket_in_prefix")).isFalse();
        assertThat((List<String>) created.path("credentials_keys")).containsExactly("access_key_id", "secret_access_key");
        assertThat(UUID.fromString(created.path("id")).version()).isEqualTo(7);
        assertThat(client.get(PATH + "/" + created.path("id")).asString()).isEqualTo(created.asString());
    }

    @Test
    @Tag("full")
    void testObjectIsDeletedAfterwards() {
        try (Bucket bucket = new Bucket()) {
            // When
            create();

            // Then
            assertThat(bucket.keys("tmp/waybill-")).isEmpty();
            assertThat(bucket.openUploads("tmp/waybill-")).isEmpty();
        }
    }

    @Test
    void sessionTokenIsStored() {
        // When
        Response created = client.post(PATH, DestinationBody.valid().token("temporary").json());

        // Then
        assertThat((List<String>) created.path("credentials_keys"))
                .containsExactly("access_key_id", "secret_access_key", "session_token");
    }

    @Test
    void listIsCompleteUnlessAPageIsRequested() {
        // Given
        String first = create();
        String second = create();
        String third = create();

        // When
        Response whole = client.get(PATH);
        Response page = client.get(PATH + "?limit=1&offset=1");
        Response beyond = client.get(PATH + "?limit=1&offset=9");

        // Then
        assertThat((List<String>) whole.path("id")).containsExactly(third, second, first);
        assertThat((List<String>) page.path("id")).containsExactly(second);
        assertThat((List<String>) beyond.path("id")).isEmpty();
        assertThat(List.of(whole, page, beyond)).allSatisfy(
                list -> assertThat(list.header("X-Pagination-Total")).isEqualTo("3"));
    }

    @Test
    void credentialsAreReplacedOnlyAfterValidation() {
        // Given
        String id = create();

        // When
        Response refused = client.patch(PATH + "/" + id, DestinationBody.valid().secret("wrong").update());
        Response updated = client.patch(PATH + "/" + id, DestinationBody.valid().token("temporary").update());

        // Then
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat((String) refused.path("title")).isEqualTo("Access denied");
        assertThat(updated.statusCode()).as(updated.asString()).isEqualTo(200);
        assertThat((List<String>) updated.path("credentials_keys")).contains("session_token");
        assertThat((String) updated.path("updated_at")).isGreaterThan(updated.path("created_at"));
        assertThat(client.patch(PATH + "/" + id, "{}").statusCode()).isEqualTo(422);
    }

    @Test
    void deletedDestinationReturns404() {
        // Given
        String id = create();

        // When
        int status = client.delete(PATH + "/" + id).statusCode();

        // Then
        assertThat(status).isEqualTo(204);
        assertThat(client.get(PATH + "/" + id).statusCode()).isEqualTo(404);
        assertThat(client.delete(PATH + "/" + id).statusCode()).isEqualTo(404);
        assertThat((List<?>) client.get(PATH).path("$")).isEmpty();
        assertThat(DatabaseRows.text("SELECT id FROM export.destinations WHERE id = '" + id + "' AND credentials IS NULL"))
                .hasSize(1);
    }

    @Test
    void returns409WhenDeletingDestinationInUse() {
        try (FaultProxy proxy = FaultProxy.before(URI.create(DestinationBody.setting("endpoint")))) {
            // Given
            String id = client.post(PATH, DestinationBody.valid().endpoint(proxy.endpoint()).json()).path("id");
            proxy.always("CreateMultipartUpload", new Fault.NoResponse());
            Exports exports = new Exports(client, account.workspaceId(), Traces.session(account.workspaceId()),
                    UUID.fromString(id), "");
            Traces.runs(exports.tenantId(), exports.sessionId(), Exports.MONDAY, Duration.ofMinutes(1), 1);
            UUID export = exports.start(Exports.MONDAY, Exports.MONDAY.plus(Duration.ofDays(1)), "");

            // When
            Response refused = client.delete(PATH + "/" + id);

            // Then
            assertThat(refused.statusCode()).as(refused.asString()).isEqualTo(409);
            assertThat((String) refused.path("detail")).contains("unfinished");
            assertThat(client.cancel(export).statusCode()).isEqualTo(200);
            assertThat(client.delete(PATH + "/" + id).statusCode()).isEqualTo(204);
        }
    }

    @Test
    void sameIdempotencyKeyCreatesOneDestination() {
        // Given
        String body = DestinationBody.valid().json();
        String key = UUID.randomUUID().toString();

        // When
        Response first = client.post(PATH, body, "Idempotency-Key", key);
        Response again = client.post(PATH, body, "Idempotency-Key", key);

        // Then
        assertThat(again.asString()).isEqualTo(first.asString());
        assertThat((List<?>) client.get(PATH).path("$")).hasSize(1);
    }

    @Test
    void membersReadAndOnlyAdminsChangeDestinations() {
        // Given
        String id = create();
        Client member = Client.as(Accounts.account().inWorkspaceOf(account).role("member").create());
        String body = DestinationBody.valid().json();

        // When / Then
        assertThat(member.get(PATH).statusCode()).isEqualTo(200);
        assertThat(member.get(PATH + "/" + id).statusCode()).isEqualTo(200);
        assertThat(member.post(PATH, body).statusCode()).isEqualTo(403);
        assertThat(member.patch(PATH + "/" + id, DestinationBody.valid().update()).statusCode()).isEqualTo(403);
        assertThat(member.delete(PATH + "/" + id).statusCode()).isEqualTo(403);
    }

    @Test
    void returns403ForPlanWithoutBulkExport() {
        // Given
        Client free = Client.as(Accounts.account().plan("free").create());
        String id = UUID.randomUUID().toString();

        // When
        List<Response> responses = List.of(free.get(PATH), free.get(PATH + "/" + id),
                free.post(PATH, DestinationBody.valid().json()),
                free.patch(PATH + "/" + id, DestinationBody.valid().update()),
                free.delete(PATH + "/" + id));

        // Then
        assertThat(responses).allSatisfy(response -> {
            assertThat(response.statusCode()).isEqualTo(403);
            assertThat((String) response.path("detail")).contains("plus or enterprise", "free");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = { "..", "a/../b", "a/..", "./a", "a//b", "a\nb", "a\u0000b", "a\u0085b", "a\ufffe",
            "a\r\nX: y", "a\u007f", "export_id=x", "a/Tenant_ID=x", "session_id=1/b", "resource=runs", "year=2026" })
    void returns422ForUnsafePrefixes(String prefix) {
        // When
        Response refused = client.post(PATH, DestinationBody.valid().prefix(prefix).json());

        // Then
        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat((List<List<String>>) refused.path("errors.loc")).contains(List.of("config", "prefix"));
    }

    @Test
    void returns422ForPrefixThatLooksLikeAPartition() {
        // When
        Response refused = client.post(PATH, DestinationBody.valid().prefix("team=search/Status=x").region("EU WEST").json());

        // Then
        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat((List<List<String>>) refused.path("errors.loc")).containsExactly(List.of("config", "prefix"),
                List.of("config", "region"));
        assertThat((String) refused.path("errors[0].message")).contains("begin with status=;");
    }

    /** Destinations created before the rule existed. */
    @Test
    @Tag("full")
    void existingDestinationWithSuchAPrefixStillWorks() {
        // Given
        Exports exports = Exports.create();
        String path = PATH + "/" + exports.destinationId();
        String prefix = "status=x/" + exports.prefix();
        Traces.execute("UPDATE export.destinations SET prefix = ? WHERE id = ?", prefix, exports.destinationId());

        // When
        UUID export = exports.complete(Exports.MONDAY, Exports.MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        assertThat(exports.client().post(path + "/test", "").statusCode()).isEqualTo(200);
        assertThat(exports.client().patch(path, DestinationBody.valid().update()).statusCode()).isEqualTo(200);
        assertThat((String) exports.client().get(path).path("config.prefix")).isEqualTo(prefix);
        try (Bucket bucket = new Bucket()) {
            assertThat(bucket.keys(prefix)).singleElement().asString().contains("export_id=" + export);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "a", "team/prod=eu/2026", "A.b_c-d+e@f,g!(h)'", "x/y/z", "a?b", "a#b", "a\\b", "a b",
            "über/日本/😀", "a%2fb", "a*", "a:b", "a&b=c;d", "<a>", "...", "a/.b./c" })
    void plainPrefixesAreAccepted(String prefix) {
        // When
        Response created = client.post(PATH, DestinationBody.valid().prefix("//" + prefix + "/").json());

        // Then
        assertThat(created.statusCode()).as(created.asString()).isEqualTo(200);
        assertThat((String) created.path("config.prefix")).isEqualTo(prefix);
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "ab", "A-bucket", "bucket/other", "bucket?x", "../bucket", "10.0.0.1", "a..b", "-abc", "abc-",
            "arn:aws:s3:::bucket", "bucket\r\n", "bücket", "a b", ".abc" })
    void returns422ForInvalidBucketNames(String bucket) {
        // When
        Response refused = client.post(PATH, DestinationBody.valid().bucket(bucket).json());

        // Then
        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat((List<List<String>>) refused.path("errors.loc")).contains(List.of("config", "bucket_name"));
    }

    @Test
    void oneResponseReportsAllViolations() {
        // When
        Response refused = client.post(PATH, """
                {"destination_type": "gcs", "display_name": "\\u0007", "config": {"prefix": 5, "region": "EU WEST"},
                 "credentials": {"access_key_id": "a b"}}""");

        // Then
        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat((List<List<String>>) refused.path("errors.loc")).contains(List.of("destination_type"),
                List.of("display_name"), List.of("config", "bucket_name"), List.of("config", "prefix"),
                List.of("config", "region"), List.of("credentials", "access_key_id"),
                List.of("credentials", "secret_access_key"));
    }

    @Test
    void serviceCredentialsAreUnavailableUnlessConfigured() {
        // When
        Response aws = client.post(PATH, DestinationBody.valid().endpoint(null).region("eu-central-1").withoutCredentials()
                .json());
        Response foreign = client.post(PATH, DestinationBody.valid().withoutCredentials().json());
        Response nowhere = client.post(PATH, DestinationBody.valid().endpoint(null).json());

        // Then
        assertThat(List.of(aws, foreign)).allSatisfy(refused -> {
            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat((List<List<String>>) refused.path("errors.loc")).containsExactly(List.of("credentials"));
        });
        assertThat((List<List<String>>) nowhere.path("errors.loc")).containsExactly(List.of("config", "region"));
    }

    private String create() {
        Response created = client.post(PATH, DestinationBody.valid().json());
        assertThat(created.statusCode()).as(created.asString()).isEqualTo(200);
        return created.path("id");
    }
}
