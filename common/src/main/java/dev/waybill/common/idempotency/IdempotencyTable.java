package dev.waybill.common.idempotency;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Database;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Access to the table {@code <schema>.idempotency_keys}. Uses the database's clock, so that clock differences between replicas
 * have no effect.
 */
@Singleton
class IdempotencyTable {

    private static final String CLAIM = """
            INSERT INTO %1$s.idempotency_keys AS k
                (tenant_id, operation, key, id, attempt, request, lease_until, expires_at)
            VALUES ($1, $2, $3, $4, 1, $5, now() + make_interval(secs => $6), now() + make_interval(secs => $7))
            ON CONFLICT (tenant_id, operation, key) DO UPDATE
            SET id = EXCLUDED.id, attempt = 1, request = EXCLUDED.request, created_id = NULL, answer = NULL,
                lease_until = EXCLUDED.lease_until, expires_at = EXCLUDED.expires_at
            WHERE k.expires_at <= now()
            RETURNING k.id
            """;

    private static final String FIND = """
            SELECT id, attempt, request, created_id, answer, extract(epoch FROM lease_until - now())::float8 AS lease_left
            FROM %s.idempotency_keys
            WHERE tenant_id = $1 AND operation = $2 AND key = $3
            """;

    private static final String TAKE_OVER = """
            UPDATE %s.idempotency_keys
            SET attempt = attempt + 1, lease_until = now() + make_interval(secs => $5)
            WHERE tenant_id = $1 AND operation = $2 AND key = $3 AND attempt = $4
                AND lease_until <= now() AND created_id IS NULL AND answer IS NULL
            """;

    private static final String SET_CREATED_ID = """
            UPDATE %s.idempotency_keys SET created_id = $5
            WHERE tenant_id = $1 AND operation = $2 AND key = $3 AND attempt = $4 AND created_id IS NULL
            """;

    private static final String STORE = """
            UPDATE %s.idempotency_keys SET answer = $5
            WHERE tenant_id = $1 AND operation = $2 AND key = $3 AND attempt = $4
            """;

    private static final String RELEASE = """
            DELETE FROM %s.idempotency_keys
            WHERE tenant_id = $1 AND operation = $2 AND key = $3 AND attempt = $4 AND created_id IS NULL
            """;

    private static final String DELETE_EXPIRED = "DELETE FROM %s.idempotency_keys WHERE expires_at <= now()";

    /** The schema of the service, which contains the table. */
    static final String SCHEMA_KEY = "quarkus.flyway.default-schema";

    static final Duration MIN_RETRY_AFTER = Duration.ofSeconds(1);
    /** Nearly all requests finish within this time unless their service crashed. */
    private static final Duration TYPICAL_MAX_DURATION = Duration.ofSeconds(5);

    private final Database database;
    private final String schema;
    private final Duration lease;
    private static final Duration RETENTION = Duration.ofHours(24);

    IdempotencyTable(Database database, IdempotencyConfig config,
            @ConfigProperty(name = SCHEMA_KEY) Optional<String> schema) {
        this.database = database;
        this.schema = schema.orElse("");
        this.lease = config.leaseDuration();
    }

    /** Claims the key; empty if it is already in use. */
    Uni<Optional<Claim>> claim(IdempotencyKey key, UUID id, byte[] request) {
        return in(key, connection -> connection.preparedQuery(sql(CLAIM))
                .execute(Tuple.from(new Object[] { key.scope(), key.operation(), key.value(), id, Buffer.buffer(request),
                        seconds(lease), seconds(RETENTION) })))
                .map(rows -> rows.size() == 1 ? Optional.of(new Claim(key, id, 1)) : Optional.empty());
    }

    /**
     * Returns the value for {@code Retry-After}: one second at first, later the rest of the lease because the request has
     * probably crashed.
     */
    Duration retryAfter(IdempotencyRecord stored) {
        Duration age = lease.minus(stored.leaseLeft());
        return age.compareTo(TYPICAL_MAX_DURATION) < 0 ? MIN_RETRY_AFTER : stored.leaseLeft().plusMillis(999);
    }

    /** Returns the record of the key; empty if it was deleted in the meantime. */
    Uni<Optional<IdempotencyRecord>> find(IdempotencyKey key) {
        return in(key, connection -> connection.preparedQuery(sql(FIND))
                .execute(Tuple.of(key.scope(), key.operation(), key.value())))
                .map(rows -> {
                    var found = rows.iterator();
                    return found.hasNext() ? Optional.of(stored(key, found.next())) : Optional.empty();
                });
    }

    /** Takes over the claim of a request whose lease has expired; empty if another request was faster. */
    Uni<Optional<Claim>> takeOver(Claim old) {
        return in(old.key(), connection -> connection.preparedQuery(sql(TAKE_OVER))
                .execute(values(old, seconds(lease))))
                .map(rows -> rows.rowCount() == 1
                        ? Optional.of(new Claim(old.key(), old.id(), old.attempt() + 1))
                        : Optional.empty());
    }

    /** Returns the statement that stores the id of the created resource, to be executed in the creating transaction. */
    String setCreatedIdSql() {
        return sql(SET_CREATED_ID);
    }

    Uni<?> store(Claim claim, byte[] response) {
        return in(claim.key(), connection -> connection.preparedQuery(sql(STORE))
                .execute(values(claim, Buffer.buffer(response))));
    }

    /** Deletes the record unless a resource was created. */
    Uni<?> release(Claim claim) {
        return in(claim.key(), connection -> connection.preparedQuery(sql(RELEASE))
                .execute(values(claim)));
    }

    /** Deletes expired records. */
    @Scheduled(every = "10m", delayed = "1m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> deleteExpired() {
        return schema.isEmpty()
                ? Uni.createFrom().voidItem()
                : database.everyWorkspace(connection -> connection.query(sql(DELETE_EXPIRED)).execute()).replaceWithVoid();
    }

    static Tuple values(Claim claim, Object... more) {
        Tuple values = Tuple.tuple()
                .addUUID(claim.key().scope())
                .addString(claim.key().operation())
                .addString(claim.key().value())
                .addInteger(claim.attempt());
        for (Object value : more) {
            values.addValue(value);
        }
        return values;
    }

    private <T> Uni<T> in(IdempotencyKey key, Function<SqlConnection, Uni<T>> work) {
        return database.inWorkspace(key.scope(), work);
    }

    private String sql(String template) {
        if (schema.isEmpty()) {
            throw new IllegalStateException(SCHEMA_KEY + " must be set because a resource method is @Idempotent");
        }
        return template.formatted(schema);
    }

    private static IdempotencyRecord stored(IdempotencyKey key, Row row) {
        Claim claim = new Claim(key, row.getUUID("id"), row.getInteger("attempt"));
        return new IdempotencyRecord(claim, row.getBuffer("request").getBytes(), row.getUUID("created_id"),
                bytes(row.getBuffer("answer")), Duration.ofMillis(Math.round(row.getDouble("lease_left") * 1000)));
    }

    private static byte @Nullable [] bytes(io.vertx.mutiny.core.buffer.@Nullable Buffer buffer) {
        return buffer == null ? null : buffer.getBytes();
    }

    private static double seconds(Duration length) {
        return length.toMillis() / 1000.0;
    }

    /**
     * The right to execute the operation for an idempotency key.
     *
     * @param id id of the record; stored ciphertexts are bound to it
     * @param attempt number of the attempt; a holder of an older attempt cannot write any more
     */
    record Claim(IdempotencyKey key, UUID id, int attempt) {
    }

    /**
     * The scope within which an idempotency key is unique.
     *
     * @param scope the workspace; the organization for operations without workspace; zero for the operator
     * @param operation method and path
     * @param value value of the header
     */
    record IdempotencyKey(UUID scope, String operation, String value) {
    }

    /**
     * The stored state of an idempotency key.
     *
     * @param request encrypted fingerprint of the first request
     * @param createdId id of the created resource after its transaction has committed
     * @param response encrypted response, if it is already stored
     * @param leaseLeft remaining time of the lease; zero or negative if it has expired
     */
    record IdempotencyRecord(Claim claim, byte[] request, @Nullable UUID createdId, byte @Nullable [] response,
            Duration leaseLeft) {

        boolean isInProgress() {
            return leaseLeft.isPositive();
        }
    }
}
