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

import dev.waybill.controlplane.engine.StepFailedException;

class ProcessLauncherTest {

    @TempDir
    private Path directory;

    @Test
    void rejectsSecretsThatTheLocaleCannotEncode() {
        // Given
        Map<String, String> secrets = Map.of("PLAIN", "a\nb", "WORD", "Zürich");

        // When, Then
        assertThat(environment(StandardCharsets.UTF_8, secrets)).containsAllEntriesOf(secrets);
        assertThatThrownBy(() -> environment(StandardCharsets.US_ASCII, secrets)).isInstanceOf(StepFailedException.class)
                .hasMessageContaining("characters that this machine cannot pass to a process: WORD. Encode them in ASCII")
                .hasMessageNotContaining("rich");
    }

    @Test
    void usesTheControlPlanesJava() throws IOException {
        // Given
        Path own = java("own/bin");
        java("other/bin");

        // When, Then
        assertThat(launcher(Map.of("JAVA_HOME", directory.resolve("other").toString()))
                .java(directory.resolve("own").toString())).isEqualTo(own.toString());
    }

    /** A native binary has no property java.home. */
    @Test
    void nativeControlPlaneUsesJavaHomeOrPath() throws IOException {
        // Given
        Path installed = java("installed/bin");
        Path onPath = java("path");

        // When, Then
        assertThat(
                launcher(Map.of("JAVA_HOME", directory.resolve("installed").toString(), "PATH", onPath.getParent().toString()))
                        .java(null))
                .isEqualTo(installed.toString());
        assertThat(
                launcher(Map.of("JAVA_HOME", directory.resolve("gone").toString(), "PATH", "/nowhere::" + onPath.getParent()))
                        .java(null))
                .isEqualTo(onPath.toString());
    }

    @Test
    void reportsMissingJava() {
        assertThatThrownBy(() -> launcher(Map.of("PATH", "/nowhere")).java(null)).isInstanceOf(IOException.class)
                .hasMessageContaining("set JAVA_HOME or PATH");
    }

    private Path java(String folder) throws IOException {
        return Files.createFile(Files.createDirectories(directory.resolve(folder)).resolve("java"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    private ProcessLauncher launcher(Map<String, String> environment) {
        return new ProcessLauncher(new LocalEngineFixture.Settings(Optional.empty(), directory), environment);
    }

    private Map<String, String> environment(Charset encoding, Map<String, String> given) {
        return new ProcessLauncher(new LocalEngineFixture.Settings(Optional.empty(), directory), Map.of(), encoding)
                .environment(directory, directory, directory, given);
    }
}
