package dev.waybill.export.lake.iceberg;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.OverwriteFiles;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadata.MetadataLogEntry;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.mapping.MappingUtil;
import org.apache.iceberg.mapping.NameMappingParser;
import org.jspecify.annotations.Nullable;

/** The table of a workspace's runs, as it was loaded. Blocks. */
public final class RunsTable {

    /** Queries of engines that began before a snapshot was replaced still read its files. */
    static final Duration SNAPSHOT_RETENTION = Duration.ofHours(1);
    /** The request that the table fulfils; each publication commits it, so that no earlier one can commit afterwards. */
    private static final String REQUEST = "waybill.publication";
    /** Each new file needs a request for its statistics, and several kilobytes of heap until the commit. */
    private static final int MAX_ADDED = 1000;
    /** Each publication reads all manifests of the table; the default of 100 would make a backlog expensive. */
    static final String MIN_MERGE_COUNT = "10";

    private final BaseTable table;
    private final ObjectFileIO io;
    private final TableOperations operations;
    private final TableMetadata base;
    private final List<String> metadataKeys;

    RunsTable(BaseTable table, ObjectFileIO io) {
        this.table = table;
        this.io = io;
        this.operations = table.operations();
        this.base = operations.current();
        // Before the files are read and long before the commit: see deleteUnusedMetadata.
        this.metadataKeys = io.list(io.key(table.location()) + "/metadata/");
    }

    /**
     * Replaces files of the table in one commit, and removes snapshots that were replaced before the retention. After a commit
     * that does not contain all changes, another one is due at once.
     *
     * @param files all files that the table should contain
     * @param obsolete keys of replaced files; only with such files are the manifests of former snapshots read
     * @throws org.apache.iceberg.exceptions.CommitFailedException if the table has changed since it was loaded
     */
    public Publication publish(Collection<PublishedFile> files, Collection<String> obsolete, long request, Instant now) {
        List<Snapshot> history = history(base);
        Set<Long> expired = expired(history, now.minus(SNAPSHOT_RETENTION));
        Set<String> unreferenced = unreferenced(obsolete,
                history.stream().filter(snapshot -> !expired.contains(snapshot.snapshotId())).toList());
        TableChanges changes = changes(files);
        commit(new SingleCommit(operations, metadata -> update(metadata, expired, request)), changes);
        changes.added().forEach(file -> unreferenced.remove(file.key()));
        List<Snapshot> retained = history(operations.refresh());
        return new Publication(unreferenced, retained.size(), changes.isLast() ? nextExpiry(retained) : now);
    }

    /**
     * Deletes metadata that no retained snapshot refers to. It was listed before the commit, so a publisher that wrote it can
     * no longer commit it.
     */
    public void deleteUnusedMetadata() {
        Set<String> used = usedMetadata(operations.refresh());
        metadataKeys.stream()
                .map(io::location)
                .filter(location -> !used.contains(location))
                .forEach(io::deleteFile);
    }

    private Set<String> usedMetadata(TableMetadata metadata) {
        Set<String> used = new HashSet<>();
        used.add(metadata.metadataFileLocation());
        metadata.previousFiles().stream().map(MetadataLogEntry::file).forEach(used::add);
        for (Snapshot snapshot : metadata.snapshots()) {
            used.add(snapshot.manifestListLocation());
            snapshot.allManifests(io).stream().map(ManifestFile::path).forEach(used::add);
        }
        return used;
    }

    private void commit(SingleCommit commit, TableChanges changes) {
        if (changes.isEmpty()) {
            commit.commit(base, base);
            return;
        }
        OverwriteFiles overwrite = new BaseTable(commit, table.name()).newOverwrite();
        changes.added().forEach(file -> overwrite.addFile(dataFile(file)));
        changes.removed().forEach(overwrite::deleteFile);
        overwrite.commit();
    }

    private DataFile dataFile(PublishedFile file) {
        PartitionSpec spec = base.spec();
        PartitionData partition = new PartitionData(spec.partitionType());
        partition.set(0, Math.toIntExact(file.day().toEpochDay()));
        try {
            return DataFiles.builder(spec)
                    .withPath(io.location(file.key()))
                    .withFormat(FileFormat.PARQUET)
                    .withFileSizeInBytes(file.bytes())
                    .withPartition(partition)
                    .withSortOrder(base.sortOrder())
                    .withMetrics(FileMetrics.read(io, file, RunColumns.schema()))
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TableMetadata update(TableMetadata metadata, Set<Long> expired, long request) {
        TableMetadata.Builder builder = TableMetadata.buildFrom(metadata)
                .removeSnapshots(expired)
                .setProperties(Map.of(REQUEST, Long.toString(request),
                        TableProperties.MANIFEST_MIN_MERGE_COUNT, MIN_MERGE_COUNT));
        Schema merged = RunColumns.merge(metadata.schema(), RunColumns.schema());
        if (!merged.sameSchema(metadata.schema())) {
            builder.setCurrentSchema(merged, RunColumns.lastColumnId(metadata, merged));
        }
        // Files of earlier releases contain names only.
        String mapping = NameMappingParser.toJson(MappingUtil.create(merged));
        if (!mapping.equals(metadata.property(TableProperties.DEFAULT_NAME_MAPPING, null))) {
            builder.setProperties(Map.of(TableProperties.DEFAULT_NAME_MAPPING, mapping));
        }
        return builder.build();
    }

    /** Returns the obsolete keys that no snapshot refers to. */
    private Set<String> unreferenced(Collection<String> obsolete, List<Snapshot> snapshots) {
        Set<String> unreferenced = new HashSet<>(obsolete);
        Set<String> manifests = new HashSet<>();
        for (Snapshot snapshot : snapshots) {
            if (unreferenced.isEmpty()) {
                break;
            }
            snapshot.dataManifests(io).stream()
                    .filter(manifest -> manifests.add(manifest.path()))
                    .forEach(manifest -> read(ManifestFiles.readPaths(manifest, io, base.specsById()),
                            location -> unreferenced.remove(io.key(location))));
        }
        return unreferenced;
    }

    /** Compares the files with those of the current snapshot, without holding what remains. */
    private TableChanges changes(Collection<PublishedFile> files) {
        Set<String> wanted = files.stream().map(PublishedFile::key).collect(Collectors.toSet());
        Set<String> present = new HashSet<>();
        List<DataFile> outdated = new ArrayList<>();
        if (base.currentSnapshot() != null) {
            base.currentSnapshot().dataManifests(io)
                    .forEach(manifest -> read(ManifestFiles.read(manifest, io, base.specsById()), file -> {
                        String key = io.key(file.location());
                        if (wanted.contains(key)) {
                            present.add(key);
                        } else {
                            outdated.add(file.copyWithoutStats());
                        }
                    }));
        }
        return TableChanges.of(files, present, outdated, MAX_ADDED);
    }

    private static <T> void read(CloseableIterable<T> entries, Consumer<T> reader) {
        try (entries) {
            entries.forEach(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Snapshot> history(TableMetadata metadata) {
        return metadata.snapshots().stream().sorted(Comparator.comparingLong(Snapshot::sequenceNumber)).toList();
    }

    // A snapshot is replaced by its successor, at whose time queries may have begun to read it.
    private static Set<Long> expired(List<Snapshot> history, Instant replacedBefore) {
        return IntStream.range(0, history.size() - 1)
                .filter(i -> history.get(i + 1).timestampMillis() < replacedBefore.toEpochMilli())
                .mapToObj(i -> history.get(i).snapshotId())
                .collect(Collectors.toSet());
    }

    // All former snapshots in one publication: after a backlog, each would need its own otherwise.
    private static @Nullable Instant nextExpiry(List<Snapshot> history) {
        return history.size() < 2 ? null
                : Instant.ofEpochMilli(history.getLast().timestampMillis()).plus(SNAPSHOT_RETENTION).plusMillis(1);
    }

    /**
     * The result of a publication.
     *
     * @param unreferencedKeys the keys of the obsolete files that no retained snapshot refers to
     * @param snapshots the number of retained snapshots
     * @param nextDue the time from which a further publication adds files or removes a snapshot; null if none does
     */
    public record Publication(Set<String> unreferencedKeys, int snapshots, @Nullable Instant nextDue) {

        public Publication {
            unreferencedKeys = Set.copyOf(unreferencedKeys);
        }
    }
}
