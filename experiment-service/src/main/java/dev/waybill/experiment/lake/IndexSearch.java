package dev.waybill.experiment.lake;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import org.jboss.logging.Logger;

import dev.waybill.common.lake.TextCondition;
import dev.waybill.common.lake.TextIndex;
import dev.waybill.common.lake.TextIndex.RowRange;
import dev.waybill.common.lake.TextIndex.SelectedRows;
import dev.waybill.experiment.lake.LakeCache.PinnedFiles;
import dev.waybill.experiment.lake.LakeDay.LakeFile;

/** Finds the files, and the rows in them, that the condition on texts of a query does not exclude. */
final class IndexSearch {

    private static final Logger LOG = Logger.getLogger(IndexSearch.class);

    private final LakeCache cache;
    private final SelectedRowsCache selections;
    private final TextCondition condition;

    IndexSearch(LakeCache cache, SelectedRowsCache selections, TextCondition condition) {
        this.cache = cache;
        this.selections = selections;
        this.condition = condition;
    }

    /** Returns the indexes that have to be read because they can exclude runs. */
    List<LakeFile> indexes(List<LakeFile> files) {
        return condition.equals(TextCondition.ANY) ? List.of()
                : files.stream().filter(file -> selections.get(file, condition).isEmpty()).map(LakeFile::index)
                        .flatMap(Optional::stream).toList();
    }

    /**
     * Returns the files that may contain matching runs, each with the ranges of its rows to search. There are no ranges if all
     * rows are to be searched, also because the index is missing or cannot be read.
     *
     * @param timeout remaining time for downloads of indexes
     */
    Map<LakeFile, List<RowRange>> select(List<LakeFile> files, Supplier<Duration> timeout) throws InterruptedException {
        prefetch(files);
        Map<LakeFile, List<RowRange>> selected = new LinkedHashMap<>();
        for (LakeFile file : files) {
            Optional<SelectedRows> rows = rows(file, timeout);
            if (rows.isEmpty() || !rows.get().ranges().isEmpty()) {
                selected.put(file, rows.filter(some -> some.share() < 1).map(SelectedRows::ranges).orElse(List.of()));
            }
        }
        return selected;
    }

    /**
     * Returns of how many of the first days {@link #select} leaves at most {@code maxBytes} together, without downloads for
     * other days than the first.
     *
     * @param timeout remaining time for downloads of indexes
     */
    int countWithin(List<LakeDay> days, long maxBytes, Supplier<Duration> timeout) throws InterruptedException {
        prefetch(days.getFirst().files());
        double bytes = 0;
        int count = 0;
        for (LakeDay day : days) {
            if (count > 0 && !cache.contains(indexes(day.files()))) {
                return count;
            }
            for (LakeFile file : day.files()) {
                bytes += file.bytes() * rows(file, timeout).map(SelectedRows::share).orElse(1.0);
            }
            if (bytes > maxBytes) {
                return count;
            }
            count++;
        }
        return count;
    }

    private void prefetch(List<LakeFile> files) {
        List<LakeFile> indexes = indexes(files);
        if (!cache.contains(indexes)) {
            cache.prefetch(indexes);
        }
    }

    private Optional<SelectedRows> rows(LakeFile file, Supplier<Duration> timeout) throws InterruptedException {
        Optional<SelectedRows> known = selections.get(file, condition);
        Optional<LakeFile> index = file.index();
        return known.isPresent() || index.isEmpty() || condition.equals(TextCondition.ANY) ? known
                : rows(file, index.get(), timeout.get());
    }

    private Optional<SelectedRows> rows(LakeFile file, LakeFile index, Duration timeout) throws InterruptedException {
        try (PinnedFiles pinned = cache.open(List.of(index), timeout)) {
            SelectedRows rows = FileRows.searched(TextIndex.select(pinned.paths().getFirst(), file.bytes(), condition));
            selections.put(file, condition, rows);
            return Optional.of(rows);
        } catch (LakeException e) {
            LOG.debug("a text index is not available", e);
            return Optional.empty();
        } catch (ClosedByInterruptException e) {
            Thread.interrupted();
            throw interrupted(e);
        } catch (IOException e) {
            LOG.warnf("text index %s could not be read, so its file is searched completely: %s", index.key(), e.getMessage());
            cache.discard(List.of(index));
            return Optional.empty();
        }
    }

    // The search was cancelled, so the index may be intact.
    private static InterruptedException interrupted(ClosedByInterruptException cause) {
        InterruptedException interrupted = new InterruptedException("the search of the lake was cancelled");
        interrupted.initCause(cause);
        return interrupted;
    }
}
