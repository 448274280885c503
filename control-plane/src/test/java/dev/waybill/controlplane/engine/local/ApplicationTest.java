package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplicationTest {

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    @AfterEach
    void close() {
        client.close();
    }

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

    @Test
    void aLogThatHasGrownLargeIsBegunAnew() throws IOException {
        // Given
        Path log = Files.writeString(directory.resolve("output.log"), "short\n");
        Application application = application();
        application.shortenLog();
        boolean keptWhileShort = Files.size(log) > 0;
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
            file.setLength((10L << 20) + 1);
        }

        // When
        application.shortenLog();

        // Then
        assertThat(keptWhileShort).isTrue();
        assertThat(log).isEmptyFile();
    }

    private String lastWords() throws IOException {
        return application().lastWords();
    }

    private Application application() {
        EngineGround.Settings settings = new EngineGround.Settings(Optional.empty(), directory);
        return new Application(directory, settings, new Launch(settings, Map.of()), new Ports(new Places(directory)), client);
    }
}
