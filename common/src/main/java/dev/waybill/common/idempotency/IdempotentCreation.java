package dev.waybill.common.idempotency;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.problem.ProblemException;
import io.quarkus.arc.Arc;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Stores the id of a resource created by a request with an {@code Idempotency-Key} in the creating transaction, so that either
 * both are committed or neither (see {@link Idempotent}). Has no effect without a key and outside of requests.
 */
@Singleton
public class IdempotentCreation {

    private final CurrentClaim currentClaim;
    private final IdempotencyTable table;

    IdempotentCreation(CurrentClaim currentClaim, IdempotencyTable table) {
        this.currentClaim = currentClaim;
        this.table = table;
    }

    /** For services on the reactive client: {@code .call(created -> creation.recordCreated(created.id(), connection))}. */
    public Uni<Void> recordCreated(UUID createdId, SqlConnection connection) {
        return recordCreated(createdId, (sql, values) -> connection.preparedQuery(sql)
                .execute(Tuple.from(values))
                .map(updated -> updated.rowCount()));
    }

    /** For services on another client of the same database. */
    public Uni<Void> recordCreated(UUID createdId, Statements statements) {
        Optional<Claim> claim = claim();
        if (claim.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        IdempotencyKey key = claim.get().key();
        return statements
                .update(table.setCreatedIdSql(),
                        List.of(key.scope(), key.operation(), key.value(), claim.get().attempt(), createdId))
                .invoke(IdempotentCreation::requireOne)
                .replaceWithVoid();
    }

    private Optional<Claim> claim() {
        return Arc.container().requestContext().isActive() ? currentClaim.get() : Optional.empty();
    }

    private static void requireOne(int updated) {
        if (updated != 1) {
            throw ProblemException.conflict(
                    "This request took longer than its lease, and another request with the same Idempotency-Key has replaced it.");
        }
    }

    /** Executes statements in the creating transaction. */
    @FunctionalInterface
    public interface Statements {

        /** Executes {@code sql}, whose parameters are {@code $1, $2, ...}; returns the number of changed rows. */
        Uni<Integer> update(String sql, List<Object> values);
    }
}
