package dev.waybill.export.destination;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Rows;
import dev.waybill.common.idempotency.CreatedResourceRecorder;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.export.destination.CredentialEncryptor.EncryptedCredentials;
import dev.waybill.export.destination.CredentialValidator.ValidatedCredentials;
import dev.waybill.export.destination.OpenDestination.Capabilities;
import dev.waybill.export.storage.AddressingStyle;
import dev.waybill.export.storage.ObjectSettings;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Stores destinations in {@code export.destinations}. */
@Singleton
class DestinationRepository {

    // Columns are listed by name: a cached prepared statement with * fails once a migration adds a column.
    private static final String COLUMNS = """
            tenant_id, id, destination_type, display_name, bucket_name, prefix, region, endpoint_url, include_bucket_in_prefix, credentials,
                credentials_keys, may_read, may_delete, may_abort, may_list_uploads, virtual_host, acl, encryption_type, kms_key_id,
                created_at, updated_at
            """;
    private static final String INSERT = """
            INSERT INTO export.destinations (tenant_id, id, credentials, credentials_keys, may_read, may_delete, may_abort,
                may_list_uploads, virtual_host, destination_type, display_name, bucket_name, prefix, region, endpoint_url,
                include_bucket_in_prefix, acl, encryption_type, kms_key_id, created_at, updated_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, now(), now())
            RETURNING """ + " " + COLUMNS;
    private static final String UPDATE_CREDENTIALS = """
            UPDATE export.destinations
            SET credentials = $3, credentials_keys = $4, may_read = $5, may_delete = $6, may_abort = $7, may_list_uploads = $8,
                virtual_host = $9, updated_at = now()
            WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL
            RETURNING """ + " " + COLUMNS;
    private static final String REFRESH = """
            UPDATE export.destinations
            SET credentials = $3, credentials_keys = $4, may_read = $5, may_delete = $6, may_abort = $7, may_list_uploads = $8,
                virtual_host = $9
            WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL AND credentials IS NOT DISTINCT FROM $10
            """;
    private static final String FIND = "SELECT " + COLUMNS + """
             FROM export.destinations WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL
            """;
    private static final String LIST = "SELECT " + COLUMNS + """
            , count(*) OVER () AS total FROM export.destinations
            WHERE tenant_id = $1 AND deleted_at IS NULL
            ORDER BY created_at DESC, id
            LIMIT $2 OFFSET $3
            """;
    private static final String COUNT = """
            SELECT count(*) AS total FROM export.destinations WHERE tenant_id = $1 AND deleted_at IS NULL
            """;
    private static final String DELETE = """
            UPDATE export.destinations SET deleted_at = now(), updated_at = now(), credentials = NULL, credentials_keys = '{}'
            WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL
            """;

    private final CreatedResourceRecorder idempotency;

    DestinationRepository(CreatedResourceRecorder idempotency) {
        this.idempotency = idempotency;
    }

    Uni<Destination> insert(SqlConnection connection, UUID tenantId, UUID id, NewDestination destination) {
        Bucket bucket = destination.bucket();
        return connection.preparedQuery(INSERT)
                .execute(credentials(tenantId, id, destination.credentials())
                        .addString(bucket.type())
                        .addString(destination.displayName())
                        .addString(bucket.name())
                        .addString(bucket.prefix())
                        .addString(bucket.region())
                        .addString(bucket.endpointUrl())
                        .addBoolean(bucket.includeNameInPrefix())
                        .addString(bucket.settings().acl())
                        .addString(bucket.settings().encryption())
                        .addString(bucket.settings().kmsKeyId()))
                .map(rows -> destination(rows.iterator().next()))
                .call(() -> idempotency.recordCreated(id, connection));
    }

    /** Replaces the credentials; fails with 404 if the destination was deleted in the meantime. */
    Uni<Destination> updateCredentials(SqlConnection connection, UUID tenantId, UUID id, ValidatedCredentials credentials) {
        return connection.preparedQuery(UPDATE_CREDENTIALS)
                .execute(credentials(tenantId, id, credentials))
                .invoke(rows -> requireOne(rows, id))
                .map(rows -> destination(rows.iterator().next()));
    }

    /** Stores the result of a validation, unless the credentials were replaced since {@code tested} was read. */
    Uni<Void> refresh(SqlConnection connection, Destination tested, ValidatedCredentials validated) {
        return connection.preparedQuery(REFRESH)
                .execute(credentials(tested.tenantId(), tested.id(), validated)
                        .addValue(buffer(tested.credentials().encrypted().ciphertext())))
                .replaceWithVoid();
    }

    Uni<Destination> require(SqlConnection connection, UUID tenantId, UUID id) {
        return require(connection, FIND, tenantId, id);
    }

    /** Locks the destination against changes and deletion until the transaction ends. */
    Uni<Destination> requireForShare(SqlConnection connection, UUID tenantId, UUID id) {
        return require(connection, FIND + " FOR SHARE", tenantId, id);
    }

    /** Locks the destination against concurrent use until the transaction ends. */
    Uni<Destination> requireForUpdate(SqlConnection connection, UUID tenantId, UUID id) {
        return require(connection, FIND + " FOR UPDATE", tenantId, id);
    }

    Uni<Page<Destination>> list(SqlConnection connection, UUID tenantId, PageParameters page) {
        return connection.preparedQuery(LIST)
                .execute(Tuple.of(tenantId, page.limit(), page.offset()))
                .chain(rows -> page(connection, tenantId, rows));
    }

    Uni<Void> delete(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(DELETE)
                .execute(Tuple.of(tenantId, id))
                .replaceWithVoid();
    }

    private Uni<Page<Destination>> page(SqlConnection connection, UUID tenantId, RowSet<Row> rows) {
        List<Destination> found = Rows.list(rows, DestinationRepository::destination);
        // A page beyond the last row contains no row with the total.
        return found.isEmpty()
                ? connection.preparedQuery(COUNT).execute(Tuple.of(tenantId))
                        .map(counted -> new Page<>(found, counted.iterator().next().getLong("total")))
                : Uni.createFrom().item(new Page<>(found, rows.iterator().next().getLong("total")));
    }

    private static Uni<Destination> require(SqlConnection connection, String query, UUID tenantId, UUID id) {
        return connection.preparedQuery(query)
                .execute(Tuple.of(tenantId, id))
                .invoke(rows -> requireOne(rows, id))
                .map(rows -> destination(rows.iterator().next()));
    }

    private static void requireOne(RowSet<Row> rows, UUID id) {
        if (rows.rowCount() != 1) {
            throw ProblemException.notFound("destination", id);
        }
    }

    private static Tuple credentials(UUID tenantId, UUID id, ValidatedCredentials credentials) {
        Capabilities capabilities = credentials.result().capabilities();
        return Tuple.of(tenantId, id)
                .addValue(buffer(credentials.encrypted().ciphertext()))
                .addArrayOfString(credentials.encrypted().keys().toArray(String[]::new))
                .addBoolean(capabilities.read())
                .addBoolean(capabilities.delete())
                .addBoolean(capabilities.abort())
                .addBoolean(capabilities.listUploads())
                .addBoolean(credentials.result().addressing() == AddressingStyle.VIRTUAL_HOST);
    }

    private static @Nullable Buffer buffer(byte @Nullable [] ciphertext) {
        return ciphertext == null ? null : Buffer.buffer(ciphertext);
    }

    private static Destination destination(Row row) {
        Bucket bucket = new Bucket(row.getString("destination_type"), row.getString("bucket_name"), row.getString("prefix"),
                row.getString("region"), row.getString("endpoint_url"), row.getBoolean("include_bucket_in_prefix"),
                new ObjectSettings(row.getString("acl"), row.getString("encryption_type"), row.getString("kms_key_id")));
        byte[] ciphertext = Rows.bytes(row, "credentials");
        ValidatedCredentials credentials = new ValidatedCredentials(
                new EncryptedCredentials(ciphertext, Arrays.asList(row.getArrayOfStrings("credentials_keys"))),
                new ProbeResult(new Capabilities(row.getBoolean("may_read"), row.getBoolean("may_delete"),
                        row.getBoolean("may_abort"), row.getBoolean("may_list_uploads")),
                        row.getBoolean("virtual_host") ? AddressingStyle.VIRTUAL_HOST : AddressingStyle.PATH));
        return new Destination(row.getUUID("tenant_id"), row.getUUID("id"), row.getString("display_name"), bucket, credentials,
                row.getOffsetDateTime("created_at").toInstant(), row.getOffsetDateTime("updated_at").toInstant());
    }

    /** A validated destination that is not stored yet. */
    record NewDestination(String displayName, Bucket bucket, ValidatedCredentials credentials) {
    }
}
