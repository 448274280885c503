package dev.waybill.export.lake.iceberg;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.UUID;

import javax.sql.DataSource;

import org.apache.iceberg.BaseTable;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.jdbc.JdbcClientPool;
import org.apache.iceberg.jdbc.UncheckedSQLException;

/**
 * The catalog of the tables in PostgreSQL, with one connection while it is open. Engines find the same tables with Iceberg's
 * JDBC catalog. Blocks.
 */
public final class LakeCatalog implements AutoCloseable {

    /** The name by which engines must open the catalog. */
    static final String NAME = "waybill";
    private static final String SCHEMA = "lake_catalog";

    private static final Map<String, String> PROPERTIES = Map.of(
            TableProperties.FORMAT_VERSION, "2",
            // Engines must not delete files, even when they drop the table; nor does the catalog.
            TableProperties.GC_ENABLED, "false",
            TableProperties.METADATA_PREVIOUS_VERSIONS_MAX, "10",
            // A publication that fails begins again with the present files.
            TableProperties.COMMIT_NUM_RETRIES, "0");

    private final ObjectFileIO io;
    private final Connections connections;
    private final JdbcCatalog catalog;

    public LakeCatalog(DataSource database, ObjectFileIO io, String warehouse) {
        this.io = io;
        this.connections = new Connections(database);
        this.catalog = new JdbcCatalog(ignored -> io, ignored -> connections, false);
        try {
            catalog.initialize(NAME, Map.of(CatalogProperties.URI, "jdbc:postgresql:",
                    CatalogProperties.WAREHOUSE_LOCATION, warehouse));
        } catch (RuntimeException e) {
            connections.close();
            throw e;
        }
    }

    /** Returns the table of the workspace, which is created at the location if it does not exist. */
    public RunsTable open(UUID tenantId, String location) {
        TableIdentifier name = name(tenantId);
        BaseTable table;
        if (catalog.tableExists(name)) {
            table = (BaseTable) catalog.loadTable(name);
        } else {
            table = create(name, location);
        }
        return new RunsTable(table, io);
    }

    /** Returns the name of the workspace's table; without characters that SQL would require to be quoted. */
    static TableIdentifier name(UUID tenantId) {
        return TableIdentifier.of(Namespace.of("workspace_" + tenantId.toString().replace('-', '_')), "runs");
    }

    private BaseTable create(TableIdentifier name, String location) {
        try {
            if (!catalog.namespaceExists(name.namespace())) {
                catalog.createNamespace(name.namespace(), Map.of());
            }
            Schema schema = RunColumns.schema();
            return (BaseTable) catalog.buildTable(name, schema)
                    .withPartitionSpec(RunColumns.partitions(schema))
                    .withSortOrder(RunColumns.order(schema))
                    .withLocation(location)
                    .withProperties(PROPERTIES)
                    .create();
        } catch (AlreadyExistsException e) {
            return (BaseTable) catalog.loadTable(name);
        }
    }

    @Override
    public void close() {
        try {
            catalog.close();
        } finally {
            connections.close();
        }
    }

    /** Connections of the service's pool, in the schema of the catalog. */
    private static final class Connections extends JdbcClientPool {

        private final DataSource database;

        private Connections(DataSource database) {
            super(1, "jdbc:postgresql:", Map.of());
            this.database = database;
        }

        @Override
        protected Connection newClient() {
            try {
                Connection connection = database.getConnection();
                execute(connection, "SET search_path TO " + SCHEMA);
                return connection;
            } catch (SQLException e) {
                throw new UncheckedSQLException(e, "the catalog of the lake cannot be opened");
            }
        }

        @Override
        protected void close(Connection client) {
            try (client) {
                execute(client, "RESET search_path");
            } catch (SQLException e) {
                throw new UncheckedSQLException(e, "a connection of the lake's catalog cannot be closed");
            }
        }

        private static void execute(Connection connection, String sql) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }
    }
}
