package dev.waybill.local.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretsTest {

    @TempDir
    private Path directory;

    @Test
    void areStoredAndReadableByOwnerOnly() throws IOException {
        // Given
        HomeDirectory home = new HomeDirectory(directory);
        Secrets generated = Secrets.loadOrCreate(home);

        // When
        Secrets loaded = Secrets.loadOrCreate(home);

        // Then
        assertThat(loaded).isEqualTo(generated);
        assertThat(Files.getPosixFilePermissions(home.secrets()))
                .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        assertThat(generated.apiKey()).matches("wb_[0-9a-f]{8}_[A-Za-z0-9_-]{43}");
        assertThat(generated).asString().doesNotContain(generated.apiKey());
    }

    @Test
    void differBetweenHomeDirectories() {
        // When
        Secrets one = Secrets.loadOrCreate(new HomeDirectory(directory.resolve("one")));
        Secrets other = Secrets.loadOrCreate(new HomeDirectory(directory.resolve("other")));

        // Then
        assertThat(one.apiKey()).isNotEqualTo(other.apiKey());
        assertThat(one.encryptionKey()).isNotEqualTo(other.encryptionKey());
    }
}
