package dev.waybill.export.lake.iceberg;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.apache.iceberg.DataFile;

/**
 * The changes of one commit: complete days, the newest first, so that no query reads parts of two versions of a day.
 *
 * @param isLast whether the table has all files after these changes
 */
record TableChanges(List<PublishedFile> added, List<DataFile> removed, boolean isLast) {

    /**
     * Returns the changes of as many days as have at most {@code maxAdded} new files, at least one.
     *
     * @param files all files that the table should contain
     * @param present the keys of those that it contains
     * @param outdated its other files
     */
    static TableChanges of(Collection<PublishedFile> files, Set<String> present, Collection<DataFile> outdated,
            int maxAdded) {
        Map<LocalDate, TableChanges> days = new TreeMap<>(Comparator.reverseOrder());
        files.stream()
                .filter(file -> !present.contains(file.key()))
                .forEach(file -> changes(days, file.day()).added.add(file));
        outdated.forEach(
                file -> changes(days, LocalDate.ofEpochDay(file.partition().get(0, Integer.class))).removed.add(file));
        List<PublishedFile> added = new ArrayList<>();
        List<DataFile> removed = new ArrayList<>();
        for (TableChanges day : days.values()) {
            if (!added.isEmpty() && added.size() + day.added.size() > maxAdded) {
                return new TableChanges(added, removed, false);
            }
            added.addAll(day.added);
            removed.addAll(day.removed);
        }
        return new TableChanges(added, removed, true);
    }

    private static TableChanges changes(Map<LocalDate, TableChanges> days, LocalDate day) {
        return days.computeIfAbsent(day, ignored -> new TableChanges(new ArrayList<>(), new ArrayList<>(), true));
    }

    boolean isEmpty() {
        return added.isEmpty() && removed.isEmpty();
    }
}
