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

class RunStateTest {

    private static final Map<RunState, Set<RunState>> SUCCESSORS = Map.of(
            RunState.CREATED, Set.of(RunState.RUNNING, RunState.CANCELLED, RunState.TIMED_OUT),
            RunState.RUNNING, Set.of(RunState.COMMITTING, RunState.COMPLETED, RunState.FAILED, RunState.CANCELLED,
                    RunState.TIMED_OUT),
            // Running again if the store lost an upload.
            RunState.COMMITTING, Set.of(RunState.COMPLETED, RunState.RUNNING, RunState.FAILED, RunState.CANCELLED,
                    RunState.TIMED_OUT));

    @TestFactory
    Stream<DynamicTest> transitionsAreComplete() {
        return Arrays.stream(RunState.values())
                .flatMap(from -> Arrays.stream(RunState.values())
                        .map(to -> DynamicTest.dynamicTest(from + " to " + to, () -> assertThat(from.mayBecome(to))
                                .isEqualTo(SUCCESSORS.getOrDefault(from, Set.of()).contains(to)))));
    }

    @Test
    void onlyEndStatesAreFinal() {
        // When
        List<RunState> ends = Arrays.stream(RunState.values()).filter(RunState::isFinal).toList();

        // Then
        assertThat(ends).containsExactly(RunState.COMPLETED, RunState.FAILED, RunState.TIMED_OUT, RunState.CANCELLED);
    }

    @Test
    void runCompletesFromCommittingOrWithoutFiles() {
        // When
        String[] before = RunState.COMPLETED.storedPredecessors();

        // Then
        assertThat(before).containsExactlyInAnyOrder("Running", "Committing");
    }

    @ParameterizedTest
    @EnumSource(RunState.class)
    void unfinishedRunCanBeCancelledAndTimedOut(RunState state) {
        // When
        boolean canEnd = state.mayBecome(RunState.CANCELLED) && state.mayBecome(RunState.TIMED_OUT);

        // Then
        assertThat(canEnd).isEqualTo(!state.isFinal());
    }

    @Test
    void committingIsShownAsRunning() {
        // When
        BulkExportRunStatus shown = RunState.COMMITTING.status();

        // Then
        assertThat(shown).isEqualTo(BulkExportRunStatus.RUNNING);
    }

    @ParameterizedTest
    @EnumSource(RunState.class)
    void storedValuesAreParsed(RunState state) {
        // When
        RunState read = RunState.parse(state.stored());

        // Then
        assertThat(read).isEqualTo(state);
    }
}
