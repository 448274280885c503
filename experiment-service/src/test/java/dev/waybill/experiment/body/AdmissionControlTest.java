package dev.waybill.experiment.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.body.AdmissionControl.Permit;
import dev.waybill.experiment.body.AdmissionControl.RejectionReason;

/** Limits: four requests, three per workspace; 100 bytes, 75 per workspace. */
class AdmissionControlTest {

    private static final UUID ONE = new UUID(0, 1);
    private static final UUID OTHER = new UUID(0, 2);

    private final AdmissionControl admission = new AdmissionControl(new AdmissionControl.Limits(4, 3, 100, 75));

    @Test
    void rejectsAWorkspaceAtItsRequestLimit() {
        // Given
        Permit first = admission.admit(ONE, 0);
        admission.admit(ONE, 0);
        admission.admit(ONE, 0);

        // When / Then
        assertRejected(() -> admission.admit(ONE, 0), RejectionReason.WORKSPACE_REQUESTS);
        admission.admit(OTHER, 0);
        assertRejected(() -> admission.admit(OTHER, 0), RejectionReason.REQUESTS);
        first.close();
        first.close();
        assertThat(admission.requests()).isEqualTo(3);
        assertThat(admission.admit(ONE, 0)).isNotNull();
    }

    @Test
    void rejectsAWorkspaceAtItsMemoryLimit() {
        // Given
        Permit first = admission.admit(ONE, 0);
        Permit second = admission.admit(ONE, 0);
        first.reserve(70);

        // When / Then
        assertRejected(() -> second.reserve(6), RejectionReason.WORKSPACE_MEMORY);
        second.reserve(5);
        Permit others = admission.admit(OTHER, 25);
        others.reserve(25);
        assertRejected(() -> others.reserve(1), RejectionReason.MEMORY);
        assertThat(admission.bytes()).isEqualTo(100);
    }

    @Test
    void onlyRequestOfAWorkspaceMayUseAllFreeMemory() {
        // Given
        Permit only = admission.admit(ONE, 100);

        // When
        only.reserve(100);

        // Then
        assertRejected(() -> admission.admit(OTHER, 1), RejectionReason.MEMORY);
    }

    @Test
    void rejectsByContentLengthBeforeReading() {
        // Given
        admission.admit(ONE, 0).reserve(60);

        // When / Then
        assertRejected(() -> admission.admit(ONE, 16), RejectionReason.WORKSPACE_MEMORY);
        assertRejected(() -> admission.admit(OTHER, 41), RejectionReason.MEMORY);
        assertThat(admission.requests()).isEqualTo(1);
        assertThat(admission.rejected(RejectionReason.MEMORY)).isEqualTo(1);
    }

    @Test
    void releasedMemoryIsAvailableToOthers() {
        // Given
        Permit first = admission.admit(ONE, 0);
        first.reserve(100);

        // When
        first.close();
        first.release(100);

        // Then
        assertThat(admission.bytes()).isZero();
        admission.admit(OTHER, 100).reserve(100);
    }

    @Test
    void releasedBufferRejectsFurtherBytes() {
        // Given
        AdmissionControl large = new AdmissionControl(new AdmissionControl.Limits(4, 3, 1 << 20, 1 << 20));
        Body buffer = new Body(large.admit(ONE, 0), null, 1 << 20, () -> new ProblemException(
                CommonProblem.TOO_LARGE, "too large"));
        buffer.append(new byte[10], 10);

        // When
        buffer.release();

        // Then
        assertThatThrownBy(() -> buffer.append(new byte[10], 10)).isInstanceOf(IllegalStateException.class);
        buffer.release();
        assertThat(large.bytes()).isZero();
    }

    private static void assertRejected(ThrowingCallable action, RejectionReason reason) {
        assertThatThrownBy(action).isInstanceOfSatisfying(ProblemException.class,
                problem -> assertThat(problem.type()).isEqualTo(CommonProblem.TOO_MANY_REQUESTS))
                .hasMessageStartingWith(message(reason)).hasMessageContaining("Retry-After");
    }

    private static String message(RejectionReason reason) {
        return switch (reason) {
            case MEMORY -> "The request bodies in progress use all memory";
            case WORKSPACE_MEMORY -> "The request bodies in progress of this workspace";
            case REQUESTS -> "The service has reached its limit";
            case WORKSPACE_REQUESTS -> "This workspace has reached its limit";
        };
    }
}
