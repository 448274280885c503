package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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

    @Test
    void applicationsRunOnTheControlPlanesOwnJava() throws IOException {
        // Given
        Path own = java("own/bin");
        java("other/bin");

        // When, Then
        assertThat(launch(Map.of("JAVA_HOME", directory.resolve("other").toString()))
                .java(directory.resolve("own").toString())).isEqualTo(own.toString());
    }

    /** A native image has no property java.home. */
    @Test
    void aNativeControlPlaneTakesTheMachinesJava() throws IOException {
        // Given
        Path installed = java("installed/bin");
        Path onPath = java("path");

        // When, Then
        assertThat(launch(Map.of("JAVA_HOME", directory.resolve("installed").toString(), "PATH", onPath.getParent().toString()))
                .java(null)).isEqualTo(installed.toString());
        assertThat(launch(Map.of("JAVA_HOME", directory.resolve("gone").toString(), "PATH", "/nowhere::" + onPath.getParent()))
                .java(null)).isEqualTo(onPath.toString());
    }

    @Test
    void withoutAnyJavaItSaysWhatToDo() {
        assertThatThrownBy(() -> launch(Map.of("PATH", "/nowhere")).java(null)).isInstanceOf(IOException.class)
                .hasMessageContaining("set JAVA_HOME or PATH");
    }

    private Path java(String folder) throws IOException {
        return Files.createFile(Files.createDirectories(directory.resolve(folder)).resolve("java"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    private Launch launch(Map<String, String> environment) {
        return new Launch(new EngineGround.Settings(Optional.empty(), directory), environment);
    }

    private Map<String, String> environment(Charset letters, Map<String, String> given) {
        return new Launch(new EngineGround.Settings(Optional.empty(), directory), Map.of(), letters)
                .environment(directory, directory, directory, given);
    }
}
