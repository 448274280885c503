package dev.waybill.experiment.lake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.common.lake.TextCondition;
import dev.waybill.common.lake.TextIndex.RowRange;
import dev.waybill.common.lake.TextIndexWriter;
import dev.waybill.experiment.lake.LakeDay.LakeFile;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

class IndexSearchTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    @TempDir
    Path directory;
    @TempDir
    Path bucket;

    @Test
    void cancelledSearchKeepsItsIndexes() throws Exception {
        LakeFile file = store("file", "fish", "whale", "fish");
        LakeCache cache = new LakeCache(directory, 1 << 20, this::download, Runnable::run,
                new LakeMetrics(new SimpleMeterRegistry()), System::nanoTime);
        IndexSearch search = new IndexSearch(cache, TextCondition.contains("whale"));
        assertThat(search.select(List.of(file), () -> TIMEOUT)).containsEntry(file, List.of(new RowRange(1, 2)));

        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> search.select(List.of(file), () -> TIMEOUT)).isInstanceOf(InterruptedException.class);

        assertThat(Thread.interrupted()).isFalse();
        assertThat(search.select(List.of(file), () -> TIMEOUT)).containsEntry(file, List.of(new RowRange(1, 2)));
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
        try {
            return CompletableFuture.completedFuture(Files.copy(bucket.resolve(object.key()), file));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
