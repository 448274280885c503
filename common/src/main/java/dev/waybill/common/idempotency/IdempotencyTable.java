package dev.waybill.common.idempotency;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Database;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** The table {@code <schema>.idempotency_keys}. Time is the database's, so that clocks of replicas do not matter. */
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

    private static final String MARK = """
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

    private static final String SWEEP = "DELETE FROM %s.idempotency_keys WHERE expires_at <= now()";

    static final Duration SOON = Duration.ofSeconds(1);
    /** What a request takes at most that has not crashed, but for few. */
    private static final Duration USUAL = Duration.ofSeconds(5);

    private final Database database;
    private final String schema;
    private final Duration lease;
    private final Duration keep;

    IdempotencyTable(Database database, IdempotencyConfig config) {
        this.database = database;
        this.schema = config.schema().orElse("");
        this.lease = config.lease();
        this.keep = config.keep();
    }

    /** The right to do the work, when the key is not in use yet. */
    Uni<Optional<Claim>> claim(IdempotencyKey use, UUID id, byte[] request) {
        return in(use, connection -> connection.preparedQuery(sql(CLAIM))
                .execute(Tuple.from(new Object[] { use.scope(), use.operation(), use.key(), id, Buffer.buffer(request),
                        seconds(lease), seconds(keep) })))
                .map(rows -> rows.size() == 1 ? Optional.of(new Claim(use, id, 1)) : Optional.empty());
    }

    /** Returns after what pause to ask again: soon, but until the lease ends where the request has probably crashed. */
    Duration pause(IdempotencyRecord stored) {
        Duration age = lease.minus(stored.leaseLeft());
        return age.compareTo(USUAL) < 0 ? SOON : stored.leaseLeft().plusMillis(999);
    }

    /** What is known of the key's use; empty when it is gone since. */
    Uni<Optional<IdempotencyRecord>> find(IdempotencyKey use) {
        return in(use, connection -> connection.preparedQuery(sql(FIND))
                .execute(Tuple.of(use.scope(), use.operation(), use.key())))
                .map(rows -> {
                    var found = rows.iterator();
                    return found.hasNext() ? Optional.of(stored(use, found.next())) : Optional.empty();
                });
    }

    /** The right to do the work in place of a request whose lease has run out; empty when somebody else was faster. */
    Uni<Optional<Claim>> takeOver(Claim old) {
        return in(old.use(), connection -> connection.preparedQuery(sql(TAKE_OVER))
                .execute(values(old, seconds(lease))))
                .map(rows -> rows.rowCount() == 1
                        ? Optional.of(new Claim(old.use(), old.id(), old.attempt() + 1))
                        : Optional.empty());
    }

    /** The statement that notes what was made, for the transaction that makes it. */
    String markSql() {
        return sql(MARK);
    }

    Uni<?> store(Claim claim, byte[] answer) {
        return in(claim.use(), connection -> connection.preparedQuery(sql(STORE))
                .execute(values(claim, Buffer.buffer(answer))));
    }

    /** Forgets the use, unless something was made. */
    Uni<?> release(Claim claim) {
        return in(claim.use(), connection -> connection.preparedQuery(sql(RELEASE))
                .execute(values(claim)));
    }

    /** Removes what is older than keys are kept. */
    Uni<Void> sweep() {
        return schema.isEmpty()
                ? Uni.createFrom().voidItem()
                : database.everyWorkspace(connection -> connection.query(sql(SWEEP)).execute()).replaceWithVoid();
    }

    static Tuple values(Claim claim, Object... more) {
        Tuple values = Tuple.tuple()
                .addUUID(claim.use().scope())
                .addString(claim.use().operation())
                .addString(claim.use().key())
                .addInteger(claim.attempt());
        for (Object value : more) {
            values.addValue(value);
        }
        return values;
    }

    private <T> Uni<T> in(IdempotencyKey use, Function<SqlConnection, Uni<T>> work) {
        return database.inWorkspace(use.scope(), work);
    }

    private String sql(String template) {
        if (schema.isEmpty()) {
            throw new IllegalStateException("waybill.idempotency.schema is not set, but a resource is @Idempotent");
        }
        return template.formatted(schema);
    }

    private static IdempotencyRecord stored(IdempotencyKey use, Row row) {
        Claim claim = new Claim(use, row.getUUID("id"), row.getInteger("attempt"));
        return new IdempotencyRecord(claim, row.getBuffer("request").getBytes(), row.getUUID("created_id"),
                bytes(row.getBuffer("answer")), Duration.ofMillis(Math.round(row.getDouble("lease_left") * 1000)));
    }

    private static byte @Nullable [] bytes(io.vertx.mutiny.core.buffer.@Nullable Buffer buffer) {
        return buffer == null ? null : buffer.getBytes();
    }

    private static double seconds(Duration length) {
        return length.toMillis() / 1000.0;
    }
}
