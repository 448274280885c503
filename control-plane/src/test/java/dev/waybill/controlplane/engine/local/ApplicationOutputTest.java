package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApplicationOutputTest {

    private static final String REASON = "{\"graph\": \"agent\", \"cause\": \"It is not there.\", \"advice\": \"Export it.\"}\n";

    @TempDir
    private Path directory;

    @Test
    void incompleteFirstLineIsOmitted() throws IOException {
        // Given: a line whose beginning is not read, so that half a secret could remain
        Files.writeString(directory.resolve("output.log"), "first\n" + "x".repeat(100_000) + "hush\nlast\n");

        // Then
        assertThat(output().lastLines()).containsExactly("last");
    }

    @Test
    void returnsAllLinesOfAShortLog() throws IOException {
        Files.writeString(directory.resolve("output.log"), "first\n\nlast\n");

        assertThat(output().lastLines()).containsExactly("first", "last");
    }

    @Test
    void lastLinesAreThoseOfTheLastProcess() throws Exception {
        // Given
        output().begin();
        Files.writeString(directory.resolve("output.log"), "of the first process\n");

        // When
        output().begin();
        Files.writeString(directory.resolve("output.log"), "of the second\n", StandardOpenOption.APPEND);

        // Then
        assertThat(output().lastLines()).containsExactly("of the second");
    }

    @Test
    void returnsTheReasonAndTheWorkersOutput() throws IOException {
        Files.writeString(directory.resolve("output.log"), "of the runtime\n");
        Files.writeString(directory.resolve("failure"), "of the worker\n" + REASON);

        assertThat(output().startFailure()).hasValue("It is not there. Export it.");
        assertThat(output().lastLines()).containsExactly("of the worker");
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "\n", "{\"cause\": \"It is", "{}", "[]", "no JSON", "{\"cause\": 1" })
    void returnsNoReasonForAMalformedReport(String text) throws IOException {
        Files.writeString(directory.resolve("failure"), text);

        assertThat(output().startFailure()).isEmpty();
    }

    @Test
    void ignoresLinksAndLargeFiles() throws IOException {
        Path elsewhere = Files.writeString(directory.resolve("elsewhere"), REASON);
        Files.createSymbolicLink(directory.resolve("failure"), elsewhere);

        assertThat(output().startFailure()).isEmpty();

        Files.delete(directory.resolve("failure"));
        Files.writeString(directory.resolve("failure"), "x".repeat(100_000) + "\n" + REASON);

        assertThat(output().startFailure()).isEmpty();
    }

    private ApplicationOutput output() {
        return new ApplicationOutput(directory);
    }
}
