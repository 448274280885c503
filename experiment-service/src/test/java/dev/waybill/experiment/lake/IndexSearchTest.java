package dev.waybill.experiment.lake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.common.lake.TextCondition;
import dev.waybill.common.lake.TextIndex.RowRange;
import dev.waybill.common.lake.TextIndex.SelectedRows;
import dev.waybill.common.lake.TextIndexWriter;
import dev.waybill.experiment.lake.LakeDay.LakeFile;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

class IndexSearchTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    @TempDir
    Path directory;
    @TempDir
    Path bucket;

    private int downloads;

    @Test
    void cancelledSearchKeepsItsIndexes() throws Exception {
        LakeFile file = store("file", "fish", "whale", "fish");
        LakeCache cache = cache();
        assertThat(search(cache).select(List.of(file), () -> TIMEOUT)).containsEntry(file, List.of(new RowRange(1, 2)));

        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> search(cache).select(List.of(file), () -> TIMEOUT)).isInstanceOf(InterruptedException.class);

        assertThat(Thread.interrupted()).isFalse();
        assertThat(search(cache).select(List.of(file), () -> TIMEOUT)).containsEntry(file, List.of(new RowRange(1, 2)));
    }

    @Test
    void daysAreCountedByTheSelectedShareOfTheirFiles() throws Exception {
        List<LakeDay> days = List.of(new LakeDay(LocalDate.EPOCH, List.of(store("first", "fish", "whale", "fish", "fish"))),
                new LakeDay(LocalDate.EPOCH.plusDays(1), List.of(store("second", "whale", "whale"))));
        LakeCache cache = cache();
        IndexSearch search = search(cache);

        assertThat(search.countWithin(days, 100, () -> TIMEOUT)).as("without the second index").isEqualTo(1);
        search.select(days.getLast().files(), () -> TIMEOUT);

        assertThat(search.countWithin(days, 1, () -> TIMEOUT)).isZero();
        assertThat(search.countWithin(days, 8, () -> TIMEOUT)).isEqualTo(1);
        assertThat(search.countWithin(days, 9, () -> TIMEOUT)).isEqualTo(2);
    }

    @Test
    void selectedRowsAreNotReadAgain() throws Exception {
        LakeFile file = store("file", "fish", "whale", "fish");
        LakeCache cache = cache();
        IndexSearch search = search(cache);
        search.select(List.of(file), () -> TIMEOUT);

        cache.discard(List.of(file.index().orElseThrow()));

        assertThat(search.select(List.of(file), () -> TIMEOUT)).containsEntry(file, List.of(new RowRange(1, 2)));
    }

    @Test
    void daysAreCountedByTheRowsThatAreSearched() throws Exception {
        String[] names = new String[200];
        Arrays.setAll(names, row -> row % 3 == 0 ? "whale" : "fish");
        LakeFile file = store("file", names);

        assertThat(search(cache()).select(List.of(file), () -> TIMEOUT)).as("all rows").containsEntry(file, List.of());
        assertThat(search(cache()).countWithin(List.of(new LakeDay(LocalDate.EPOCH, List.of(file))), 6, () -> TIMEOUT))
                .isZero();
    }

    @Test
    void indexesOfRememberedRowsAreNotDownloadedAgain() throws Exception {
        LakeFile file = store("file", "fish", "whale", "fish");
        SelectedRowsCache selections = new SelectedRowsCache();
        new IndexSearch(cache(), selections, TextCondition.contains("whale")).select(List.of(file), () -> TIMEOUT);
        IndexSearch search = new IndexSearch(cache(), selections, TextCondition.contains("whale"));
        downloads = 0;

        assertThat(search.indexes(List.of(file))).isEmpty();
        assertThat(search.select(List.of(file), () -> TIMEOUT)).containsEntry(file, List.of(new RowRange(1, 2)));

        assertThat(downloads).isZero();
    }

    @Test
    void longTextsAreNotRemembered() throws Exception {
        LakeFile file = store("file", "fish", "whale", "fish");
        SelectedRowsCache selections = new SelectedRowsCache();
        SelectedRows rows = new SelectedRows(List.of(new RowRange(1, 2)), 3);
        TextCondition longText = TextCondition.contains(new Random(1).ints(2_000, 'a', 'z' + 1)
                .mapToObj(Character::toString).collect(Collectors.joining()));

        selections.put(file, longText, rows);
        selections.put(file, TextCondition.contains("whale"), rows);

        assertThat(selections.get(file, longText)).isEmpty();
        assertThat(selections.get(file, TextCondition.contains("whale"))).contains(rows);
    }

    private LakeCache cache() throws IOException {
        return new LakeCache(Files.createTempDirectory(directory, "cache"), 1 << 20, this::download, Runnable::run,
                new LakeMetrics(new SimpleMeterRegistry()), System::nanoTime);
    }

    private static IndexSearch search(LakeCache cache) {
        return new IndexSearch(cache, new SelectedRowsCache(), TextCondition.contains("whale"));
    }

    private LakeFile store(String key, String... names) throws IOException {
        Path index = bucket.resolve(key + ".index");
        try (OutputStream target = Files.newOutputStream(index)) {
            TextIndexWriter writer = new TextIndexWriter(target);
            for (String name : names) {
                writer.addText(name.getBytes(UTF_8), 0, name.length());
                writer.endRow();
                writer.endBlock();
            }
            writer.finish(7);
        }
        return new LakeFile(key, 7, Files.size(index), false);
    }

    private CompletableFuture<?> download(LakeFile object, Path file) {
        downloads++;
        try {
            return CompletableFuture.completedFuture(Files.copy(bucket.resolve(object.key()), file));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
