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
 * Notes what a request with an {@code Idempotency-Key} made, inside the transaction that makes it: either both are in the
 * database or neither (see {@link Idempotent}). Without a key, and outside of requests, it does nothing.
 */
@Singleton
public class IdempotentCreation {

    private final CurrentClaim present;
    private final IdempotencyTable table;

    IdempotentCreation(CurrentClaim present, IdempotencyTable table) {
        this.present = present;
        this.table = table;
    }

    /** For services on the reactive client: {@code .call(created -> mark.made(created.id(), connection))}. */
    public Uni<Void> made(UUID createdId, SqlConnection connection) {
        return made(createdId, (sql, values) -> connection.preparedQuery(sql)
                .execute(Tuple.from(values))
                .map(updated -> updated.rowCount()));
    }

    /** For services on another client of the same database. */
    public Uni<Void> made(UUID createdId, Statements statements) {
        Optional<Claim> claim = claim();
        if (claim.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        IdempotencyKey use = claim.get().use();
        return statements
                .update(table.markSql(),
                        List.of(use.scope(), use.operation(), use.key(), claim.get().attempt(), createdId))
                .invoke(IdempotentCreation::requireOne)
                .replaceWithVoid();
    }

    private Optional<Claim> claim() {
        return Arc.container().requestContext().isActive() ? present.get() : Optional.empty();
    }

    private static void requireOne(int updated) {
        if (updated != 1) {
            throw ProblemException.conflict(
                    "This request took so long that another one with the same Idempotency-Key has overtaken it.");
        }
    }

    /** Executes statements in the transaction that creates. */
    @FunctionalInterface
    public interface Statements {

        /** Executes {@code sql}, whose parameters are {@code $1, $2, ...}; answers how many rows it changed. */
        Uni<Integer> update(String sql, List<Object> values);
    }
}
