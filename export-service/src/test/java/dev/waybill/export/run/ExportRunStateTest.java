package dev.waybill.export.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.waybill.common.api.export.BulkExportRunStatus;

class ExportRunStateTest {

    private static final Map<ExportRunState, Set<ExportRunState>> SUCCESSORS = Map.of(
            ExportRunState.CREATED, Set.of(ExportRunState.RUNNING, ExportRunState.CANCELLED, ExportRunState.TIMED_OUT),
            ExportRunState.RUNNING,
            Set.of(ExportRunState.COMMITTING, ExportRunState.COMPLETED, ExportRunState.FAILED, ExportRunState.CANCELLED,
                    ExportRunState.TIMED_OUT),
            // Running again if the store lost an upload.
            ExportRunState.COMMITTING,
            Set.of(ExportRunState.COMPLETED, ExportRunState.RUNNING, ExportRunState.FAILED, ExportRunState.CANCELLED,
                    ExportRunState.TIMED_OUT));

    @TestFactory
    Stream<DynamicTest> transitionsAreComplete() {
        return Arrays.stream(ExportRunState.values())
                .flatMap(from -> Arrays.stream(ExportRunState.values())
                        .map(to -> DynamicTest.dynamicTest(from + " to " + to, () -> assertThat(from.mayBecome(to))
                                .isEqualTo(SUCCESSORS.getOrDefault(from, Set.of()).contains(to)))));
    }

    @Test
    void onlyEndStatesAreFinal() {
        // When
        List<ExportRunState> ends = Arrays.stream(ExportRunState.values()).filter(ExportRunState::isFinal).toList();

        // Then
        assertThat(ends).containsExactly(ExportRunState.COMPLETED, ExportRunState.FAILED, ExportRunState.TIMED_OUT,
                ExportRunState.CANCELLED);
    }

    @Test
    void runCompletesFromCommittingOrWithoutFiles() {
        // When
        String[] before = ExportRunState.COMPLETED.storedPredecessors();

        // Then
        assertThat(before).containsExactlyInAnyOrder("Running", "Committing");
    }

    @ParameterizedTest
    @EnumSource(ExportRunState.class)
    void unfinishedRunCanBeCancelledAndTimedOut(ExportRunState state) {
        // When
        boolean canEnd = state.mayBecome(ExportRunState.CANCELLED) && state.mayBecome(ExportRunState.TIMED_OUT);

        // Then
        assertThat(canEnd).isEqualTo(!state.isFinal());
    }

    @Test
    void committingIsShownAsRunning() {
        // When
        BulkExportRunStatus shown = ExportRunState.COMMITTING.status();

        // Then
        assertThat(shown).isEqualTo(BulkExportRunStatus.RUNNING);
    }

    @ParameterizedTest
    @EnumSource(ExportRunState.class)
    void storedValuesAreParsed(ExportRunState state) {
        // When
        ExportRunState read = ExportRunState.parse(state.stored());

        // Then
        assertThat(read).isEqualTo(state);
    }
}
