package dev.waybill.export.lake.iceberg;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
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
import org.jboss.logging.Logger;

/**
 * The catalog of the tables in PostgreSQL, with one connection while it is open. Engines find the same tables with Iceberg's
 * JDBC catalog. Blocks.
 */
public final class LakeCatalog implements AutoCloseable {

    /** The name by which engines must open the catalog. */
    static final String NAME = "waybill";
    private static final String SCHEMA = "lake_catalog";
    private static final Logger LOG = Logger.getLogger(LakeCatalog.class);
    /** Statements of the catalog read or write one row. */
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private static final Map<String, String> PROPERTIES = Map.of(
            TableProperties.FORMAT_VERSION, "2",
            // Engines must not delete files, even when they drop the table; nor does the catalog.
            TableProperties.GC_ENABLED, "false",
            TableProperties.METADATA_PREVIOUS_VERSIONS_MAX, "10",
            TableProperties.MANIFEST_MIN_MERGE_COUNT, RunsTable.MIN_MERGE_COUNT,
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
            Schema schema = RunColumns.initial();
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

    /** Connections of the service's pool; each statement of the catalog is a transaction in its schema. */
    private static final class Connections extends JdbcClientPool {

        private final DataSource database;
        private int networkTimeout;

        private Connections(DataSource database) {
            super(1, "jdbc:postgresql:", Map.of());
            this.database = database;
        }

        // A commit whose response was lost must not be repeated: it would fail, and Iceberg would delete files that the table
        // refers to.
        @Override
        public <R> R run(Action<R, Connection, SQLException> action, boolean retry)
                throws SQLException, InterruptedException {
            return super.run(connection -> inSchema(connection, action), false);
        }

        // A setting of the session would not be valid in the next transaction behind a pooler.
        private static <R> R inSchema(Connection connection, Action<R, Connection, SQLException> action)
                throws SQLException {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET LOCAL search_path TO " + SCHEMA);
                R result = action.run(connection);
                connection.commit();
                return result;
            } catch (SQLException | RuntimeException e) {
                rollBack(connection, e);
                throw e;
            }
        }

        private static void rollBack(Connection connection, Exception failure) {
            try {
                connection.rollback();
            } catch (SQLException e) {
                failure.addSuppressed(e);
            }
        }

        @Override
        protected Connection newClient() {
            try {
                Connection connection = database.getConnection();
                try {
                    networkTimeout = connection.getNetworkTimeout();
                    connection.setNetworkTimeout(Runnable::run, Math.toIntExact(TIMEOUT.toMillis()));
                    return connection;
                } catch (SQLException e) {
                    connection.close();
                    throw e;
                }
            } catch (SQLException e) {
                throw new UncheckedSQLException(e, "the catalog of the lake cannot be opened");
            }
        }

        // After an exception, the pool would wait forever for its last connection.
        @Override
        protected void close(Connection client) {
            try (client) {
                client.setAutoCommit(true);
                client.setNetworkTimeout(Runnable::run, networkTimeout);
            } catch (SQLException e) {
                LOG.warnf("a connection of the lake's catalog is broken: %s", e.getMessage());
            }
        }
    }
}
