package dev.waybill.common.idempotency;

import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.idempotency.IdempotencyService.CurrentClaim;
import dev.waybill.common.idempotency.IdempotencyTable.Claim;
import dev.waybill.common.idempotency.IdempotencyTable.IdempotencyKey;
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
public class CreatedResourceRecorder {

    private final CurrentClaim currentClaim;
    private final IdempotencyTable table;

    CreatedResourceRecorder(CurrentClaim currentClaim, IdempotencyTable table) {
        this.currentClaim = currentClaim;
        this.table = table;
    }

    /** Records the resource; called in the creating transaction. */
    public Uni<Void> recordCreated(UUID createdId, SqlConnection connection) {
        Optional<Claim> claim = claim();
        if (claim.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        IdempotencyKey key = claim.get().key();
        return connection.preparedQuery(table.setCreatedIdSql())
                .execute(Tuple.of(key.scope(), key.operation(), key.value(), claim.get().attempt(), createdId))
                .invoke(updated -> requireOne(updated.rowCount()))
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
}
