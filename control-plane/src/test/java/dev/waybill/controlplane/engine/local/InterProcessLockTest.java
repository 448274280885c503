package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes compete for one lock. */
class InterProcessLockTest {

    private static final int TIMES = 200;

    @TempDir
    private Path folder;

    @Test
    void isExclusiveBetweenProcesses() throws IOException, InterruptedException {
        // Given
        Files.writeString(folder.resolve("count"), "0");
        Process other = start("count");

        // When
        count(folder);
        int ended = other.waitFor();

        // Then
        assertThat(ended).isZero();
        assertThat(Files.readString(folder.resolve("count"))).isEqualTo(Integer.toString(2 * TIMES));
    }

    @Test
    void isReleasedWhenTheHolderDies() throws IOException, InterruptedException {
        // Given
        Process other = start("stay");
        assertThat(other.inputReader().readLine()).isEqualTo("inside");

        // When
        other.destroyForcibly();

        // Then
        assertThat(InterProcessLock.withLock(folder.resolve("lock"), () -> "mine")).isEqualTo("mine");
    }

    /** Main method of the other process, with arguments {@code folder count|stay}. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path folder = Path.of(arguments[0]);
        if (arguments[1].equals("count")) {
            count(folder);
            return;
        }
        InterProcessLock.withLock(folder.resolve("lock"), () -> {
            System.out.println("inside");
            new CountDownLatch(1).await();
            return true;
        });
    }

    private static void count(Path folder) throws IOException, InterruptedException {
        for (int i = 0; i < TIMES; i++) {
            InterProcessLock.withLock(folder.resolve("lock"), () -> {
                int before = Integer.parseInt(Files.readString(folder.resolve("count")));
                return Files.writeString(folder.resolve("count"), Integer.toString(before + 1));
            });
        }
    }

    private Process start(String what) throws IOException {
        return new ProcessBuilder(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), InterProcessLockTest.class.getName(), folder.toString(), what))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
