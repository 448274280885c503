package dev.waybill.export.trace;

import org.postgresql.ds.PGSimpleDataSource;

import dev.waybill.common.testing.TestDatabase;

/** Creates readers of the test database. */
public final class TraceReaders {

    private TraceReaders() {
    }

    /** Returns a reader with the permissions of the export service. */
    public static TraceReader reader() {
        var dataSource = new PGSimpleDataSource();
        dataSource.setUrl(TestDatabase.get().url());
        dataSource.setUser("waybill_export");
        dataSource.setPassword("test");
        return new TraceReader(dataSource);
    }
}
