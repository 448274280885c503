package dev.waybill.experiment.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.body.AdmissionControl.Admitted;
import dev.waybill.experiment.body.AdmissionControl.Refusal;

/** Four requests at once, three of one workspace; 100 bytes, 75 of one workspace. */
class AdmissionControlTest {

    private static final UUID ONE = new UUID(0, 1);
    private static final UUID OTHER = new UUID(0, 2);

    private final AdmissionControl admission = new AdmissionControl(4, 3, 100, 75);

    @Test
    void oneWorkspaceCannotTakeAllRequests() {
        // Given
        Admitted first = admission.enter(ONE, 0);
        admission.enter(ONE, 0);
        admission.enter(ONE, 0);

        // When / Then
        assertRefused(() -> admission.enter(ONE, 0), Refusal.WORKSPACE_REQUESTS);
        admission.enter(OTHER, 0);
        assertRefused(() -> admission.enter(OTHER, 0), Refusal.REQUESTS);
        first.leave();
        first.leave();
        assertThat(admission.requests()).isEqualTo(3);
        assertThat(admission.enter(ONE, 0)).isNotNull();
    }

    @Test
    void oneWorkspaceCannotTakeAllMemoryWithSeveralRequests() {
        // Given
        Admitted first = admission.enter(ONE, 0);
        Admitted second = admission.enter(ONE, 0);
        first.reserve(70);

        // When / Then
        assertRefused(() -> second.reserve(6), Refusal.WORKSPACE_MEMORY);
        second.reserve(5);
        Admitted others = admission.enter(OTHER, 25);
        others.reserve(25);
        assertRefused(() -> others.reserve(1), Refusal.MEMORY);
        assertThat(admission.bytes()).isEqualTo(100);
    }

    @Test
    void theOnlyRequestOfAWorkspaceMayTakeWhatIsFree() {
        // Given
        Admitted only = admission.enter(ONE, 100);

        // When
        only.reserve(100);

        // Then
        assertRefused(() -> admission.enter(OTHER, 1), Refusal.MEMORY);
    }

    @Test
    void whatIsAnnouncedIsRefusedBeforeItIsRead() {
        // Given
        admission.enter(ONE, 0).reserve(60);

        // When / Then
        assertRefused(() -> admission.enter(ONE, 16), Refusal.WORKSPACE_MEMORY);
        assertRefused(() -> admission.enter(OTHER, 41), Refusal.MEMORY);
        assertThat(admission.requests()).isEqualTo(1);
        assertThat(admission.refused(Refusal.MEMORY)).isEqualTo(1);
    }

    @Test
    void whatWasGivenBackIsThereForOthers() {
        // Given
        Admitted first = admission.enter(ONE, 0);
        first.reserve(100);

        // When
        first.leave();
        first.release(100);

        // Then
        assertThat(admission.bytes()).isZero();
        admission.enter(OTHER, 100).reserve(100);
    }

    @Test
    void whatIsStillUnpackedWhenItsClientIsGoneTakesNothing() {
        // Given
        AdmissionControl large = new AdmissionControl(4, 3, 1 << 20, 1 << 20);
        BodyBuffer unpacked = new BodyBuffer(large.enter(ONE, 0), 1 << 20, () -> new ProblemException(
                CommonProblem.TOO_LARGE, "too large"));
        unpacked.append(new byte[10], 10);

        // When
        unpacked.release();

        // Then
        assertThatThrownBy(() -> unpacked.append(new byte[10], 10)).isInstanceOf(IllegalStateException.class);
        unpacked.release();
        assertThat(large.bytes()).isZero();
    }

    private static void assertRefused(ThrowingCallable entering, Refusal reason) {
        assertThatThrownBy(entering).isInstanceOfSatisfying(ProblemException.class,
                problem -> assertThat(problem.type()).isEqualTo(CommonProblem.TOO_MANY_REQUESTS))
                .hasMessageStartingWith(sentence(reason)).hasMessageContaining("Retry-After");
    }

    private static String sentence(Refusal reason) {
        return switch (reason) {
            case MEMORY -> "The service is taking in as much";
            case WORKSPACE_MEMORY -> "This workspace is sending as much";
            case REQUESTS -> "The service has as many requests";
            case WORKSPACE_REQUESTS -> "This workspace has as many requests";
        };
    }
}
