package dev.waybill.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RunStorage.State;
import dev.waybill.runtime.storage.RunStorage.Status;
import dev.waybill.runtime.storage.RunStorage.ThreadHead;
import dev.waybill.runtime.storage.ThreadStorage.ChannelValue;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;

class ThreadResultsTest {

    private static final ThreadHead HEAD = new ThreadHead("{}", "{}", Map.of("same", "1", "changed", "1", "removed", "1"));
    private static final String INTERRUPTED = """
            {"values": {"changed": [1]}, "versions": {"same": "1", "changed": "2"}, "next": ["ask"],
             "checkpoint": {"ns": "", "id": "1f0c0000-0000-6000-8000-000000000000"},
             "tasks": [{"id": "a", "name": "ask", "interrupts": [{"id": "i", "value": 1}]}, {"id": "b", "interrupts": []}]}""";

    @Test
    void changedValuesAndInterruptsAreStored() {
        RunEnd end = of(new Run.End(RunStatus.SUCCESS, null, null), INTERRUPTED);

        State state = end.state();
        assertThat(end.status()).isEqualTo(Status.SUCCESS);
        assertThat(end.thread()).isEqualTo(ThreadStatus.INTERRUPTED);
        assertThat(state).isNotNull();
        assertThat(state.values()).isEqualTo(Map.of("changed", new ChannelValue("2", "[1]")));
        assertThat(state.channels()).containsExactlyInAnyOrder("same", "changed");
        assertThat(state.interrupts()).isEqualTo("{\"a\":[{\"id\":\"i\",\"value\":1}]}");
        assertThat(state.checkpoint()).hasToString("1f0c0000-0000-6000-8000-000000000000");
    }

    @Test
    void cancelledRunLeavesAnIdleThreadWithoutInterrupts() {
        RunEnd end = of(new Run.End(RunStatus.INTERRUPTED, RunError.CANCELLED, null), INTERRUPTED);

        assertThat(end.thread()).isEqualTo(ThreadStatus.IDLE);
        assertThat(end.error()).isNull();
        assertThat(end.state()).isNotNull().extracting(State::interrupts).isEqualTo("{}");
    }

    @Test
    void failedRunStoresItsErrorAndLeavesTheValuesWithoutAState() {
        RunEnd end = ThreadResults.of(new Run.End(RunStatus.ERROR, RunError.LOST, null), null, HEAD);

        assertThat(end.thread()).isEqualTo(ThreadStatus.ERROR);
        assertThat(end.error()).isEqualTo(RunError.LOST.toJson().toString());
        assertThat(RunError.parse(end.error())).isEqualTo(RunError.LOST);
        assertThat(end.state()).isNull();
    }

    @Test
    void stateThatIsNoObjectHasOneChannel() {
        RunEnd end = of(new Run.End(RunStatus.SUCCESS, null, null),
                "{\"root\": 7, \"versions\": {\"\": \"3\"}, \"next\": [], \"tasks\": []}");

        assertThat(end.thread()).isEqualTo(ThreadStatus.IDLE);
        assertThat(end.state()).isNotNull().extracting(State::values)
                .isEqualTo(Map.of("", new ChannelValue("3", "7")));
    }

    private static RunEnd of(Run.End end, String state) {
        return ThreadResults.of(end, Json.parse(state.getBytes(StandardCharsets.UTF_8)), HEAD);
    }
}
