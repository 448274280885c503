package dev.waybill.experiment.lake;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import dev.waybill.common.lake.TextCondition;
import dev.waybill.common.lake.TextIndex.SelectedRows;
import dev.waybill.experiment.lake.LakeDay.LakeFile;

/** The rows to search that text indexes selected last: a search and its pages select them several times. */
final class SelectedRowsCache {

    private static final int MAX_ENTRIES = 1_024;
    // Filters may have texts of 32,768 characters, which are not repeated so often that they need the memory.
    private static final int MAX_GRAMS = 256;

    // The least recently used first.
    private final Map<Key, SelectedRows> entries = new LinkedHashMap<>(16, 0.75F, true);

    synchronized Optional<SelectedRows> get(LakeFile file, TextCondition condition) {
        return Optional.ofNullable(entries.get(new Key(file, condition)));
    }

    synchronized void put(LakeFile file, TextCondition condition, SelectedRows rows) {
        if (condition.size() > MAX_GRAMS) {
            return;
        }
        entries.put(new Key(file, condition), rows);
        if (entries.size() > MAX_ENTRIES) {
            entries.remove(entries.keySet().iterator().next());
        }
    }

    private record Key(LakeFile file, TextCondition condition) {
    }
}
