package dev.waybill.local.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.waybill.client.ExperimentClient;
import dev.waybill.local.RunningStack;
import dev.waybill.local.Workspace;
import dev.waybill.local.stack.ServiceKind;

/** The quickstart's tour of experiments, in the stack of the other end-to-end tests. */
class ExperimentTourIT {

    private final Workspace workspace = Workspace.create("tour");
    private final ExperimentClient client = workspace.client()
            .experiments(RunningStack.get().address(ServiceKind.EXPERIMENT));

    @Test
    void uploadsComparesAndGatesTwoExperiments() {
        // When
        List<String> lines = run();

        // Then
        assertThat(lines).anyMatch(line -> line.matches("support-answers-baseline +40 rows"))
                .anyMatch(line -> line.matches("support-answers-candidate +40 rows"))
                .anyMatch(line -> line.startsWith("correct ") && line.endsWith(" better"))
                .anyMatch(line -> line.startsWith("helpful ") && line.endsWith(" better"))
                .anyMatch(line -> line.startsWith("answer_length "));
        assertThat(lines).last().isEqualTo("Gate (correct may drop by 0.02): passed");
    }

    @Test
    void canBeRepeated() {
        // Given
        List<String> first = run();

        // When
        List<String> second = run();

        // Then
        assertThat(second).isEqualTo(first);
    }

    private List<String> run() {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        new ExperimentTour(client, new Terminal(new PrintStream(output, true, StandardCharsets.UTF_8), false)).run();
        return output.toString(StandardCharsets.UTF_8).lines().map(String::strip).toList();
    }
}
