package dev.waybill.export.lake.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.List;
import java.util.Set;

import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.junit.jupiter.api.Test;

/** How the changes of a workspace are divided into commits. */
class TableChangesTest {

    private static final LocalDate DAY = LocalDate.parse("2026-09-07");

    @Test
    void newestDaysAreInTheFirstCommit() {
        List<PublishedFile> files = List.of(file(DAY.minusDays(2), "1"), file(DAY.minusDays(1), "2"), file(DAY, "3"));

        TableChanges changes = TableChanges.of(files, Set.of(), List.of(), 2);

        assertThat(changes.added()).extracting(PublishedFile::key).containsExactly("3", "2");
        assertThat(changes.isLast()).isFalse();
    }

    @Test
    void daysAreNeverDivided() {
        List<PublishedFile> files = List.of(file(DAY.minusDays(1), "1"), file(DAY.minusDays(1), "2"), file(DAY, "3"));

        assertThat(TableChanges.of(files, Set.of(), List.of(), 2).added()).extracting(PublishedFile::key).containsExactly("3");
        assertThat(TableChanges.of(files, Set.of(), List.of(), 3).isLast()).isTrue();
        assertThat(TableChanges.of(files.subList(0, 2), Set.of(), List.of(), 1).added()).hasSize(2);
    }

    @Test
    void filesAreReplacedInTheCommitOfTheirDay() {
        // Given
        Set<String> present = Set.of("same");
        List<DataFile> outdated = List.of(published(DAY, "old"), published(DAY.minusDays(1), "older"));
        List<PublishedFile> files = List.of(file(DAY, "1"), file(DAY.minusDays(1), "2"), file(DAY.minusDays(2), "same"));

        // When, Then
        TableChanges first = TableChanges.of(files, present, outdated, 1);
        assertThat(first.added()).extracting(PublishedFile::key).containsExactly("1");
        assertThat(first.removed()).extracting(DataFile::location).containsExactly("old");
        TableChanges all = TableChanges.of(files, present, outdated, 2);
        assertThat(all.removed()).extracting(DataFile::location).containsExactly("old", "older");
        assertThat(all.isLast()).isTrue();
    }

    private static PublishedFile file(LocalDate day, String key) {
        return new PublishedFile(day, key, 1, 1);
    }

    private static DataFile published(LocalDate day, String key) {
        PartitionSpec spec = RunColumns.partitions(RunColumns.schema());
        PartitionData partition = new PartitionData(spec.partitionType());
        partition.set(0, Math.toIntExact(day.toEpochDay()));
        return DataFiles.builder(spec).withPath(key).withFormat("parquet").withFileSizeInBytes(1).withRecordCount(1)
                .withPartition(partition).build();
    }
}
