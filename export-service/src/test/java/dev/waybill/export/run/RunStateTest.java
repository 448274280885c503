package dev.waybill.export.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.waybill.common.api.export.BulkExportRunStatus;

class RunStateTest {

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
