package dev.waybill.export.trace;

import org.postgresql.ds.PGSimpleDataSource;

import dev.waybill.common.testing.TestDatabase;

/** Readers of the tests' database. */
public final class TraceReaders {

    private TraceReaders() {
    }

    /** A reader with the rights of the export service. */
    public static TraceReader reader() {
        var dataSource = new PGSimpleDataSource();
        dataSource.setUrl(TestDatabase.get().url());
        dataSource.setUser("waybill_export");
        dataSource.setPassword("test");
        return new TraceReader(dataSource);
    }
}
