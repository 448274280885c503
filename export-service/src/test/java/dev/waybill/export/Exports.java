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
 * A workspace with a session and a destination of its own, from which exports are ordered.
 *
 * @param prefix of the destination; every test has its own
 */
public record Exports(Client client, UUID tenantId, UUID sessionId, UUID destinationId, String prefix) {

    public static final Instant MONDAY = Instant.parse("2026-01-05T00:00:00Z");

    /** In a new workspace. */
    public static Exports create() {
        return create(Accounts.account().create());
    }

    /** In the account's workspace. */
    public static Exports create(Account account) {
        String prefix = "t" + UUID.randomUUID();
        return create(account, prefix, Bucket.destination(prefix, false));
    }

    /** In a new workspace, to a store that is reached at another address. */
    public static Exports through(URI endpoint) {
        String prefix = "t" + UUID.randomUUID();
        return create(Accounts.account().create(), prefix,
                Bucket.destination(Bucket.name(), endpoint.toString(), prefix, false));
    }

    /** In the account's workspace, with a destination of this request body. */
    public static Exports create(Account account, String prefix, String body) {
        Client client = Client.as(account);
        Response destination = client.post(Client.EXPORTS + "/destinations", body);
        assertThat(destination.statusCode()).as(destination.asString()).isEqualTo(200);
        return new Exports(client, account.workspaceId(), Traces.session(account.workspaceId()),
                UUID.fromString(destination.path("id")), prefix);
    }

    /** An order of a range, with further members of the body, beginning with a comma. */
    public String order(@Nullable Instant from, @Nullable Instant to, String more) {
        return "{\"bulk_export_destination_id\": \"" + destinationId + "\", \"session_id\": \"" + sessionId + "\""
                + (from == null ? "" : ", \"start_time\": \"" + from + "\"")
                + (to == null ? "" : ", \"end_time\": \"" + to + "\"") + more + "}";
    }

    public Response post(String body) {
        return client.post(Client.EXPORTS, body);
    }

    /** Orders an export and answers its id. */
    public UUID start(Instant from, Instant to, String more) {
        Response created = post(order(from, to, more));
        assertThat(created.statusCode()).as(created.asString()).isEqualTo(200);
        return UUID.fromString(created.path("id"));
    }

    /** Waits for the export to end so. */
    public Response awaitStatus(UUID id, String status) {
        await().untilAsserted(() -> assertThat((String) client.export(id).path("status")).isEqualTo(status));
        return client.export(id);
    }

    /** Orders an export and waits for it to be completed. */
    public UUID complete(Instant from, Instant to, String more) {
        UUID id = start(from, to, more);
        awaitStatus(id, "Completed");
        return id;
    }

    /** The runs of an export once it has some that satisfy the condition. */
    public Response awaitRun(UUID exportId, String path, Object value) {
        await().untilAsserted(() -> assertThat((Object) client.runs(exportId).path(path)).isEqualTo(value));
        return client.runs(exportId);
    }

    /** The folder of the export in the bucket, with a slash at its end. */
    public String folder(UUID exportId) {
        return prefix + "/export_id=" + exportId + "/tenant_id=" + tenantId + "/session_id=" + sessionId + "/";
    }
}
