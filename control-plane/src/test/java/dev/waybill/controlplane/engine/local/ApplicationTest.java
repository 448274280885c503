package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplicationTest {

    @TempDir
    private Path directory;

    @Test
    void aLineWhoseBeginningIsNotReadIsNotTold() throws IOException {
        // Given: a line of which only the end would be read, and so perhaps half a secret
        Files.writeString(directory.resolve("output.log"), "first\n" + "x".repeat(100_000) + "hush\nlast\n");

        // Then
        assertThat(lastWords()).isEqualTo(" Its last lines:\nlast");
    }

    @Test
    void aShortLogIsToldWhole() throws IOException {
        Files.writeString(directory.resolve("output.log"), "first\n\nlast\n");

        assertThat(lastWords()).isEqualTo(" Its last lines:\nfirst\nlast");
    }

    private String lastWords() throws IOException {
        EngineGround.Settings settings = new EngineGround.Settings(Optional.empty(), directory);
        try (HttpClient client = HttpClient.newHttpClient()) {
            return new Application(directory, settings, new Launch(settings, Map.of()), new Ports(new Places(directory)),
                    client)
                    .lastWords();
        }
    }
}
