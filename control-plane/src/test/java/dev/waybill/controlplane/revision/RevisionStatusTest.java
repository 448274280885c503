package dev.waybill.controlplane.revision;

import static dev.waybill.common.api.deployment.RevisionStatus.AWAITING_BUILD;
import static dev.waybill.common.api.deployment.RevisionStatus.AWAITING_DEPLOY;
import static dev.waybill.common.api.deployment.RevisionStatus.BUILDING;
import static dev.waybill.common.api.deployment.RevisionStatus.BUILD_FAILED;
import static dev.waybill.common.api.deployment.RevisionStatus.CREATE_FAILED;
import static dev.waybill.common.api.deployment.RevisionStatus.CREATING;
import static dev.waybill.common.api.deployment.RevisionStatus.DEPLOYED;
import static dev.waybill.common.api.deployment.RevisionStatus.DEPLOYING;
import static dev.waybill.common.api.deployment.RevisionStatus.DEPLOY_FAILED;
import static dev.waybill.common.api.deployment.RevisionStatus.INTERRUPTED;
import static dev.waybill.common.api.deployment.RevisionStatus.QUEUED;
import static dev.waybill.common.api.deployment.RevisionStatus.SKIPPED;
import static dev.waybill.common.api.deployment.RevisionStatus.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import dev.waybill.common.api.deployment.RevisionStatus;

/** The state diagram of contract.md "Deployment management", for every pair of statuses. */
class RevisionStatusTest {

    private static final Map<RevisionStatus, Set<RevisionStatus>> SUCCESSORS = Map.of(
            CREATING, Set.of(QUEUED, CREATE_FAILED, SKIPPED, INTERRUPTED),
            QUEUED, Set.of(AWAITING_BUILD, SKIPPED, INTERRUPTED),
            AWAITING_BUILD, Set.of(BUILDING, SKIPPED, INTERRUPTED),
            BUILDING, Set.of(AWAITING_DEPLOY, BUILD_FAILED, SKIPPED, INTERRUPTED),
            AWAITING_DEPLOY, Set.of(DEPLOYING, SKIPPED, INTERRUPTED),
            DEPLOYING, Set.of(DEPLOYED, DEPLOY_FAILED, SKIPPED, INTERRUPTED),
            DEPLOYED, Set.of(UNKNOWN),
            UNKNOWN, Set.of(DEPLOYED));

    @TestFactory
    Stream<DynamicTest> transitionsMatchContract() {
        return Arrays.stream(RevisionStatus.values())
                .flatMap(from -> Arrays.stream(RevisionStatus.values())
                        .map(to -> DynamicTest.dynamicTest(from + " to " + to, () -> assertThat(from.mayBecome(to))
                                .isEqualTo(SUCCESSORS.getOrDefault(from, Set.of()).contains(to)))));
    }

    @Test
    void failedAndInterruptedStatusesAreFinal() {
        assertThat(RevisionStatus.values()).filteredOn(RevisionStatus::isFinal)
                .containsExactlyInAnyOrder(CREATE_FAILED, BUILD_FAILED, DEPLOY_FAILED, SKIPPED, INTERRUPTED);
    }

    @Test
    void statusesBeforeDeployedAreInProgress() {
        assertThat(RevisionStatus.inProgressNames()).containsExactlyInAnyOrder("CREATING", "QUEUED", "AWAITING_BUILD",
                "BUILDING",
                "AWAITING_DEPLOY", "DEPLOYING");
    }
}
