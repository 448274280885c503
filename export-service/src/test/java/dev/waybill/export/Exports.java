package dev.waybill.export;

import static dev.waybill.common.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import io.restassured.response.Response;

/**
 * A workspace with its own session and destination, in which tests create exports.
 *
 * @param prefix the destination's prefix, unique per test
 */
public record Exports(Client client, UUID tenantId, UUID sessionId, UUID destinationId, String prefix) {

    public static final Instant MONDAY = Instant.parse("2026-01-05T00:00:00Z");

    /** Creates it in a new workspace. */
    public static Exports create() {
        return create(Accounts.account().create());
    }

    /** Creates it in the account's workspace. */
    public static Exports create(Account account) {
        String prefix = "t" + UUID.randomUUID();
        return create(account, prefix, Bucket.destination(prefix, false));
    }

    /** Creates it in a new workspace, with a store at another endpoint. */
    public static Exports through(URI endpoint) {
        String prefix = "t" + UUID.randomUUID();
        return create(Accounts.account().create(), prefix,
                Bucket.destination(Bucket.name(), endpoint.toString(), prefix, false));
    }

    /** Creates it in the account's workspace, with a destination of this request body. */
    public static Exports create(Account account, String prefix, String body) {
        Client client = Client.as(account);
        Response destination = client.post(Client.EXPORTS + "/destinations", body);
        assertThat(destination.statusCode()).as(destination.asString()).isEqualTo(200);
        return new Exports(client, account.workspaceId(), Traces.session(account.workspaceId()),
                UUID.fromString(destination.path("id")), prefix);
    }

    /** Returns the body of a request for an export; {@code more} adds members and starts with a comma. */
    public String order(@Nullable Instant from, @Nullable Instant to, String more) {
        return "{\"bulk_export_destination_id\": \"" + destinationId + "\", \"session_id\": \"" + sessionId + "\""
                + (from == null ? "" : ", \"start_time\": \"" + from + "\"")
                + (to == null ? "" : ", \"end_time\": \"" + to + "\"") + more + "}";
    }

    public Response post(String body) {
        return client.post(Client.EXPORTS, body);
    }

    /** Creates an export and returns its id. */
    public UUID start(Instant from, Instant to, String more) {
        Response created = post(order(from, to, more));
        assertThat(created.statusCode()).as(created.asString()).isEqualTo(200);
        return UUID.fromString(created.path("id"));
    }

    /** Waits until the export has the status. */
    public Response awaitStatus(UUID id, String status) {
        await().untilAsserted(() -> assertThat((String) client.export(id).path("status")).isEqualTo(status));
        return client.export(id);
    }

    /** Creates an export and waits until it is completed. */
    public UUID complete(Instant from, Instant to, String more) {
        UUID id = start(from, to, more);
        awaitStatus(id, "Completed");
        return id;
    }

    /** Waits until a path in the export's runs has the value, and returns the runs. */
    public Response awaitRun(UUID exportId, String path, Object value) {
        await().untilAsserted(() -> assertThat((Object) client.runs(exportId).path(path)).isEqualTo(value));
        return client.runs(exportId);
    }

    /** Returns the folder of the export in the bucket, with a trailing slash. */
    public String folder(UUID exportId) {
        return prefix + "/export_id=" + exportId + "/tenant_id=" + tenantId + "/session_id=" + sessionId + "/";
    }
}
