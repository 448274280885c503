package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LaunchTest {

    @TempDir
    private Path directory;

    @Test
    void aSecretThatTheMachineWouldMisspellIsNotHandedOn() {
        // Given
        Map<String, String> secrets = Map.of("PLAIN", "a\nb", "WORD", "Zürich");

        // When, Then
        assertThat(environment(StandardCharsets.UTF_8, secrets)).containsAllEntriesOf(secrets);
        assertThatThrownBy(() -> environment(StandardCharsets.US_ASCII, secrets)).isInstanceOf(StepFailure.class)
                .hasMessageContaining("letters that this machine cannot hand on to a process: WORD. Give them in ASCII")
                .hasMessageNotContaining("rich");
    }

    private Map<String, String> environment(Charset letters, Map<String, String> given) {
        return new Launch(new EngineGround.Settings(Optional.empty(), directory), Map.of(), letters)
                .environment(directory, directory, directory, given);
    }
}
