package dev.waybill.common.limit;

import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;

class BulkheadTest {

    private static final UUID ONE = new UUID(0, 1);

    private final Bulkhead single = new Bulkhead(1, BulkheadTest::rejection);
    private final Bulkhead keyed = new Bulkhead(2, 1, BulkheadTest::rejection);

    @Test
    void excessWorkIsRejected() {
        // Given
        run(single, Uni.createFrom().nothing());

        // When, Then
        run(single, Uni.createFrom().item("late")).assertFailedWith(ProblemException.class, "retry later");
    }

    @Test
    void permitIsReleasedHoweverWorkEnds() {
        // When
        run(single, Uni.createFrom().item("well")).assertItem("well");
        run(single, Uni.createFrom().failure(new IllegalStateException("badly"))).assertFailedWith(IllegalStateException.class);
        single.execute(() -> {
            throw new IllegalStateException("immediate failure");
        }).subscribe().withSubscriber(UniAssertSubscriber.create()).assertFailedWith(IllegalStateException.class);
        run(single, Uni.createFrom().nothing()).cancel();

        // Then
        run(single, Uni.createFrom().item("next")).assertItem("next");
    }

    @Test
    void workOfOneKeyIsLimited() {
        // Given
        UniAssertSubscriber<String> first = run(ONE, Uni.createFrom().nothing());

        // When, Then
        run(ONE, Uni.createFrom().item("result")).assertFailedWith(ProblemException.class, "retry later");
        first.cancel();
        run(ONE, Uni.createFrom().item("result")).assertItem("result");
    }

    @Test
    void workOfAllKeysIsLimited() {
        // Given
        run(UUID.randomUUID(), Uni.createFrom().nothing());
        run(UUID.randomUUID(), Uni.createFrom().nothing());

        // When, Then
        run(UUID.randomUUID(), Uni.createFrom().item("result")).assertFailedWith(ProblemException.class);
    }

    @Test
    void endOfWorkAllowsTheNextOfItsKey() {
        run(ONE, Uni.createFrom().item("result")).assertItem("result");
        run(ONE, Uni.createFrom().failure(new IllegalStateException("failed"))).assertFailedWith(IllegalStateException.class);

        run(ONE, Uni.createFrom().item("result")).assertItem("result");
    }

    private static ProblemException rejection() {
        return new ProblemException(CommonProblem.TOO_MANY_REQUESTS, "Too much work is in progress; retry later.");
    }

    private static UniAssertSubscriber<String> run(Bulkhead bulkhead, Uni<String> work) {
        return bulkhead.execute(() -> work).subscribe().withSubscriber(UniAssertSubscriber.create());
    }

    private UniAssertSubscriber<String> run(UUID key, Uni<String> work) {
        return keyed.execute(key, () -> work).subscribe().withSubscriber(UniAssertSubscriber.create());
    }
}
