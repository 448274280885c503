package dev.waybill.experiment.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
    void unusedFilesAreDeletedAfterAnHour() throws Exception {
        LakeCache cache = cache(30);
        now.set(Duration.ofMinutes(30).toNanos());
        open(cache, file("a", 10), file("b", 10)).close();
        try (PinnedFiles pinned = open(cache, file("c", 10))) {
            now.addAndGet(Duration.ofMinutes(59).toNanos());
            open(cache, file("b", 10)).close();
            cache.deleteUnused();
            assertThat(files()).hasSize(3);

            now.addAndGet(Duration.ofMinutes(2).toNanos());
            cache.deleteUnused();

            assertThat(pinned.paths()).allMatch(Files::exists);
        }
        assertThat(files()).hasSize(2);
        assertThat(cache.bytes()).isEqualTo(20);
        assertThat(cache.contains(List.of(file("b", 10), file("c", 10)))).isTrue();
        assertThat(cache.contains(List.of(file("a", 10), file("b", 10)))).isFalse();
    }

    @Test
    void filesOfEndedProcessesAreDeleted() throws Exception {
        Path first = Files.createDirectory(directory.resolve("0"));
        Path second = Files.createDirectory(directory.resolve("1"));
        for (Path left : List.of(first.resolve("a.parquet"), first.resolve("b.part"), second.resolve("c.parquet"))) {
            Files.write(left, new byte[5]);
        }

        CacheDirectory locked = CacheDirectory.lock(directory);

        assertThat(first.toFile().list()).containsExactly("lock");
        assertThat(second.toFile().list()).containsExactly("lock");
        Files.write(locked.path().resolve("d.parquet"), new byte[5]);
        locked.close();
        assertThat(first.toFile().list()).containsExactly("lock");
    }

    @Test
    void otherUsersCannotReadTheDirectory() throws Exception {
        Path parent = directory.resolve("parent");
        try (CacheDirectory locked = CacheDirectory.lock(parent)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(parent))).isEqualTo("rwx------");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(locked.path()))).isEqualTo("rwx------");
        }
    }

    @Test
    void directoryOfAnotherUserIsRejected() throws Exception {
        Path parent = Files.createDirectory(directory.resolve("parent"));
        assumeTrue((Integer) Files.getAttribute(parent, "unix:uid") == 0, "only root can change the owner");
        Files.setAttribute(parent, "unix:uid", 12_345);

        assertThatThrownBy(() -> CacheDirectory.lock(parent)).isInstanceOf(IOException.class)
                .hasMessageContaining("another user");
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

    private LakeCache cache(long maxBytes) {
        return new LakeCache(directory, maxBytes, this::download, Runnable::run, new LakeMetrics(new SimpleMeterRegistry()),
                now::get);
    }

    private CompletableFuture<?> download(LakeFile object, Path file) {
        String key = object.key();
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
