package dev.waybill.common.idempotency;

import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import com.fasterxml.jackson.databind.JavaType;

import dev.waybill.common.id.Ids;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import io.smallrye.mutiny.Uni;

/** Decides whether a request does its work, gets an earlier answer, or must wait; {@link Idempotent} says when. */
@Singleton
class IdempotentCreations {

    private static final Logger LOG = Logger.getLogger(IdempotentCreations.class);

    private final IdempotencyTable table;
    private final CurrentClaim present;
    private final IdempotencyCipher box;
    private final Ids ids;

    IdempotentCreations(IdempotencyTable table, CurrentClaim present, IdempotencyCipher box, Ids ids) {
        this.table = table;
        this.present = present;
        this.box = box;
        this.ids = ids;
    }

    /** The answer of {@code work}, which is done at most once for this use of a key. */
    Uni<Outcome> once(IdempotencyKey use, byte[] fingerprint, JavaType answerType, Supplier<Uni<?>> work) {
        UUID id = ids.newId();
        return box.sealRequest(use, id, fingerprint)
                .chain(request -> table.claim(use, id, request))
                .chain(claimed -> claimed.isPresent()
                        ? work(claimed.get(), work)
                        : again(use, fingerprint, answerType, work));
    }

    private Uni<Outcome> work(Claim claim, Supplier<Uni<?>> work) {
        present.set(claim);
        return Uni.createFrom().<Object> deferred(work::get)
                .onFailure().call(failure -> release(claim))
                .call(answer -> keep(claim, answer))
                .map(answer -> new Outcome(answer, false));
    }

    // Should this fail too, the lease runs out by itself; the caller is told of the first failure.
    private Uni<?> release(Claim claim) {
        return table.release(claim)
                .onFailure().invoke(failure -> LOG.warn("the key of a failed request could not be released", failure))
                .onFailure().recoverWithNull();
    }

    // What was made stays made: a store that fails costs later requests the answer, not this one.
    private Uni<?> keep(Claim claim, Object answer) {
        return box.sealAnswer(claim, answer)
                .<Object> chain(sealed -> table.store(claim, sealed))
                .onFailure().invoke(failure -> LOG.warn("the answer to an idempotent request could not be stored", failure))
                .onFailure().recoverWithNull();
    }

    private Uni<Outcome> again(IdempotencyKey use, byte[] fingerprint, JavaType answerType, Supplier<Uni<?>> work) {
        return table.find(use)
                .map(found -> found.orElseThrow(() -> underWay(IdempotencyTable.SOON)))
                .call(stored -> box.isSameRequest(stored, fingerprint).invoke(IdempotentCreations::requireSame))
                .chain(stored -> stored.answer() == null
                        ? unanswered(stored, work)
                        : box.openAnswer(stored.claim(), stored.answer(), answerType)
                                .map(answer -> new Outcome(answer, true)));
    }

    private Uni<Outcome> unanswered(IdempotencyRecord stored, Supplier<Uni<?>> work) {
        if (stored.underWay()) {
            return Uni.createFrom().failure(() -> underWay(table.pause(stored)));
        }
        if (stored.createdId() != null) {
            return Uni.createFrom().failure(answerLost(stored.createdId()));
        }
        return table.takeOver(stored.claim())
                .map(taken -> taken.orElseThrow(() -> underWay(table.pause(stored))))
                .chain(claim -> work(claim, work));
    }

    private static void requireSame(boolean same) {
        if (!same) {
            throw ProblemException.invalid(Violation.of(IdempotentInterceptor.HEADER,
                    "was used for another request already; take a new one", "reused"));
        }
    }

    private static ProblemException underWay(Duration pause) {
        return ProblemException.conflict("The first request with this Idempotency-Key is still under way, or its service has"
                + " crashed; send this one again after the pause that Retry-After names.")
                .retryAfter(pause);
    }

    private static ProblemException answerLost(UUID createdId) {
        return ProblemException.conflict("The first request with this Idempotency-Key made " + createdId
                + ", but its answer was lost; look at what was made, or delete it and take a new key.")
                .with("created_id", createdId);
    }

    /** @param replayed whether this is the answer to an earlier request */
    record Outcome(Object answer, boolean replayed) {
    }
}
