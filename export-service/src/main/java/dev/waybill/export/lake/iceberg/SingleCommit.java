package dev.waybill.export.lake.iceberg;

import java.util.function.UnaryOperator;

import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;
import org.jspecify.annotations.Nullable;

/**
 * Commits once, to the metadata that it was created with, and adds changes to that commit. Iceberg's updates load the present
 * metadata before they commit, so a publication with outdated files would replace a later one.
 */
final class SingleCommit implements TableOperations {

    private final TableOperations operations;
    private final TableMetadata base;
    private final UnaryOperator<TableMetadata> changes;
    private boolean committed;

    SingleCommit(TableOperations operations, UnaryOperator<TableMetadata> changes) {
        this.operations = operations;
        this.base = operations.current();
        this.changes = changes;
    }

    @Override
    public TableMetadata current() {
        return committed ? operations.current() : base;
    }

    @Override
    public TableMetadata refresh() {
        return committed ? operations.refresh() : base;
    }

    @Override
    public void commit(@Nullable TableMetadata expected, TableMetadata metadata) {
        operations.commit(base, changes.apply(metadata));
        committed = true;
    }

    @Override
    public FileIO io() {
        return operations.io();
    }

    @Override
    public String metadataFileLocation(String fileName) {
        return operations.metadataFileLocation(fileName);
    }

    @Override
    public LocationProvider locationProvider() {
        return operations.locationProvider();
    }
}
