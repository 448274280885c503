package dev.waybill.experiment.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.experiment.lake.LakeCache.PinnedFiles;
import dev.waybill.experiment.lake.LakeDay.LakeFile;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

class LakeCacheTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    private final List<String> downloads = new ArrayList<>();
    private final AtomicLong now = new AtomicLong();
    private CompletableFuture<Object> permission = CompletableFuture.completedFuture("now");

    @Test
    void leastRecentlyUsedFilesAreDeletedFirst() throws Exception {
        LakeCache cache = cache(30);
        open(cache, file("a", 10), file("b", 10), file("c", 10)).close();
        open(cache, file("a", 10)).close();

        open(cache, file("d", 20)).close();

        open(cache, file("a", 10), file("d", 20)).close();
        assertThat(downloads).containsExactly("a", "b", "c", "d");
        assertThat(cache.bytes()).isEqualTo(30);
        assertThat(files()).hasSize(2);
    }

    @Test
    void filesOfRunningQueriesAreNotDeleted() throws Exception {
        LakeCache cache = cache(30);
        try (PinnedFiles pinned = open(cache, file("a", 20))) {
            assertThatThrownBy(() -> open(cache, file("b", 20))).isInstanceOf(LakeException.class);
            assertThat(pinned.paths()).allMatch(Files::exists);
        }

        open(cache, file("b", 20)).close();
        assertThat(files()).hasSize(1);
    }

    @Test
    void concurrentQueriesShareOneDownload() throws Exception {
        permission = new CompletableFuture<>();
        LakeCache cache = cache(30);
        List<CompletableFuture<Void>> queries = Stream.generate(() -> CompletableFuture.runAsync(() -> {
            try (PinnedFiles pinned = open(cache, file("a", 10))) {
                assertThat(pinned.paths()).allMatch(path -> path.toFile().length() == 10);
            }
        }, command -> Thread.ofVirtual().start(command))).limit(5).toList();
        assertThat(files()).noneMatch(path -> path.toString().endsWith(".parquet"));

        permission.complete("now");

        queries.forEach(CompletableFuture::join);
        assertThat(downloads).containsExactly("a");
    }

    @Test
    void incompleteFilesAreNeverVisible() throws Exception {
        LakeCache cache = cache(30);
        LakeFile larger = new LakeFile("a10", 11);

        assertThatThrownBy(() -> open(cache, larger)).isInstanceOf(LakeException.class);

        assertThat(files()).isEmpty();
        assertThat(cache.bytes()).isZero();
    }

    @Test
    void failedDownloadsAreRetriedAfterAnInterval() throws Exception {
        permission = CompletableFuture.failedFuture(new IOException("no space left on device"));
        LakeCache cache = cache(30);
        assertThatThrownBy(() -> open(cache, file("a", 10))).isInstanceOf(LakeException.class);
        assertThatThrownBy(() -> open(cache, file("a", 10))).isInstanceOf(LakeException.class);
        permission = CompletableFuture.completedFuture("now");

        now.addAndGet(Duration.ofSeconds(31).toNanos());

        open(cache, file("a", 10)).close();
        assertThat(downloads).containsExactly("a", "a");
    }

    @Test
    void discardedFilesAreDeleted() throws Exception {
        LakeCache cache = cache(30);
        open(cache, file("a", 10)).close();

        cache.discard(List.of(file("a", 10)));

        assertThat(files()).isEmpty();
        assertThatThrownBy(() -> open(cache, file("a", 10))).isInstanceOf(LakeException.class);
    }

    @Test
    void completeFilesRemainAfterRestart() throws Exception {
        open(cache(30), file("a", 10)).close();
        Files.write(directory.resolve("crashed.part"), new byte[5]);

        LakeCache restarted = cache(30);

        assertThat(restarted.bytes()).isEqualTo(10);
        open(restarted, file("a", 10)).close();
        assertThat(downloads).containsExactly("a");
        assertThat(files()).hasSize(1);
    }

    @Test
    void twoProcessesUseDifferentDirectories() throws Exception {
        try (CacheDirectory first = CacheDirectory.lock(directory); CacheDirectory second = CacheDirectory.lock(directory)) {
            assertThat(first.path()).isNotEqualTo(second.path());
        }
        try (CacheDirectory again = CacheDirectory.lock(directory)) {
            assertThat(again.path().getFileName()).hasToString("0");
        }
    }

    // The key consists of a letter and the size of the object.
    private static LakeFile file(String name, int bytes) {
        return new LakeFile(name + bytes, bytes);
    }

    private LakeCache cache(long maxBytes) throws IOException {
        return new LakeCache(directory, maxBytes, this::download, Runnable::run, new LakeMetrics(new SimpleMeterRegistry()),
                now::get);
    }

    private CompletableFuture<?> download(String key, Path file) {
        synchronized (downloads) {
            downloads.add(key.substring(0, 1));
        }
        return permission.thenAccept(_ -> {
            try {
                Files.write(file, new byte[Integer.parseInt(key.substring(1))]);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static PinnedFiles open(LakeCache cache, LakeFile... files) {
        try {
            return cache.open(List.of(files), TIMEOUT);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }
}
