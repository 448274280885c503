package dev.waybill.runtime.storage.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.runtime.storage.CheckpointStorage.StoredCheckpoint;
import dev.waybill.runtime.storage.CheckpointStorage.StoredValue;
import dev.waybill.runtime.storage.RunStorage.Replica;
import dev.waybill.runtime.storage.RunStorage.StartedRun;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.ThreadStorage.NewThread;
import dev.waybill.runtime.storage.ThreadStorage.StoredThread;
import io.smallrye.mutiny.Uni;

class SqliteCrashTest {

    private static final int KILLS = 10;
    private static final int MAX_EVENTS = 12;
    private static final int MAX_DELAY_MICROS = 8_000;

    @TempDir
    Path directory;

    @Test
    void secondProcessIsRejectedWithAdvice() throws Exception {
        try (Storage storage = SqliteStorage.open(directory, Clock.systemUTC())) {
            assertThat(storage).isNotNull();
            Process second = start(0);

            String error = new String(second.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(second.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(second.exitValue()).isNotZero();
            assertThat(error).contains("process " + ProcessHandle.current().pid(), "waybill.runtime.threads.directory");
        }
    }

    @Test
    @Tag("full")
    void killedProcessLosesNothingThatWasAcknowledged() throws Exception {
        Random random = new Random();
        try (Storage storage = SqliteStorage.open(directory, Clock.systemUTC())) {
            await(storage.threads().create(StorageProgram.OWNER, new NewThread(StorageProgram.THREAD, "{}", "{}", null)));
        }
        int next = 1;
        for (int kill = 0; kill < KILLS; kill++) {
            Acknowledged acknowledged = runAndKill(next, random);
            assertIntegrity();
            next = verify(acknowledged) + 1;
        }
    }

    private Acknowledged runAndKill(int first, Random random) throws IOException, InterruptedException {
        Process process = start(first);
        Acknowledged acknowledged = new Acknowledged(first - 1, first - 1);
        try (BufferedReader lines = process.inputReader()) {
            int events = 1 + random.nextInt(MAX_EVENTS);
            String line;
            for (int i = 0; i < events && (line = lines.readLine()) != null; i++) {
                acknowledged = acknowledged.with(line);
            }
            TimeUnit.MICROSECONDS.sleep(random.nextInt(MAX_DELAY_MICROS));
            process.destroyForcibly().waitFor();
            while ((line = readLine(lines)) != null) {
                acknowledged = acknowledged.with(line);
            }
        }
        return acknowledged;
    }

    private static @Nullable String readLine(BufferedReader lines) {
        try {
            return lines.readLine();
        } catch (IOException e) {
            return null;
        }
    }

    /** Returns the last stored step. */
    private int verify(Acknowledged acknowledged) {
        try (Storage storage = SqliteStorage.open(directory, Clock.systemUTC())) {
            StoredThread thread = await(storage.threads().find(StorageProgram.OWNER, StorageProgram.THREAD)).orElseThrow();
            int ended = thread.values().isEmpty() ? 0 : Integer.parseInt(thread.values().get("step").json());
            assertThat(ended).isGreaterThanOrEqualTo(acknowledged.ended());
            StoredCheckpoint newest = await(storage.checkpoints().get(thread.key(), "", null)).orElse(null);
            int step = newest == null ? 0 : (int) newest.id().getMostSignificantBits();
            assertThat(step).isGreaterThanOrEqualTo(acknowledged.checkpoint()).isBetween(ended, ended + 1);
            if (newest != null) {
                assertWhole(storage, thread, newest.blobs().getFirst().value(), step);
            }
            StoredCheckpoint atEnd = await(storage.checkpoints().get(thread.key(), StorageProgram.END, null)).orElse(null);
            assertThat(atEnd == null ? 0 : (int) atEnd.id().getMostSignificantBits()).as("stored with its end")
                    .isEqualTo(ended);
            if (atEnd != null) {
                assertWhole(storage, thread, atEnd.blobs().getFirst().value(), ended);
            }
            List<StartedRun> claimed = await(
                    storage.runs().claimLost(new Replica(UUID.randomUUID(), Duration.ofMinutes(1), List.of(),
                            List.of()), 10));
            assertThat(claimed).hasSizeLessThanOrEqualTo(1);
            for (StartedRun run : claimed) {
                assertThat(run.hasCheckpoint()).isEqualTo(step > ended);
                await(storage.runs().end(run.fence(), StorageProgram.end(step).with(
                        List.of(StorageProgram.checkpoint(StorageProgram.END, step)))));
            }
            return step;
        }
    }

    private static void assertWhole(Storage storage, StoredThread thread, StoredValue value, int step) {
        byte[] bytes = await(storage.checkpoints().read(thread.key(), value.key(), 0, value.size())).orElseThrow();
        assertThat(bytes).hasSize(StorageProgram.VALUE_BYTES);
        assertThat(ByteBuffer.wrap(bytes).getInt(0)).isEqualTo(step);
        assertThat(ByteBuffer.wrap(bytes).getInt(bytes.length - Integer.BYTES)).isEqualTo(step);
    }

    private void assertIntegrity() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("threads.db"));
                var statement = connection.createStatement();
                ResultSet result = statement.executeQuery("PRAGMA integrity_check")) {
            assertThat(result.next()).isTrue();
            assertThat(result.getString(1)).isEqualTo("ok");
        }
    }

    private Process start(int first) throws IOException {
        return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xshare:auto",
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp",
                System.getProperty("java.class.path"), StorageProgram.class.getName(), directory.toString(),
                Integer.toString(first)).start();
    }

    private static <T> T await(Uni<T> result) {
        return result.await().atMost(Duration.ofSeconds(60));
    }

    /** The last acknowledged steps. */
    private record Acknowledged(int checkpoint, int ended) {

        Acknowledged with(String line) {
            int step = Integer.parseInt(line.substring(line.indexOf(' ') + 1));
            return switch (line.substring(0, line.indexOf(' '))) {
                case "checkpoint" -> new Acknowledged(step, ended);
                case "end" -> new Acknowledged(checkpoint, step);
                default -> this;
            };
        }
    }
}
