package dev.waybill.export.lake.iceberg;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.jdbc.JdbcCatalog;

import dev.waybill.common.testing.TestDatabase;
import dev.waybill.export.storage.ObjectStore;

/** The tables as an engine finds them: with Iceberg's JDBC catalog and a role that sees one workspace (docs/lake-tables.md). */
public final class EngineCatalog implements AutoCloseable {

    public static final String PASSWORD = "test";

    private final UUID tenantId;
    private final JdbcCatalog catalog;

    private EngineCatalog(ObjectStore store, String bucket, UUID tenantId, String role) {
        this.tenantId = tenantId;
        this.catalog = new JdbcCatalog(ignored -> new ObjectFileIO(store, bucket), null, false);
        String url = TestDatabase.get().url();
        catalog.initialize("waybill", Map.of("uri", url + (url.contains("?") ? "&" : "?") + "currentSchema=lake_catalog",
                "jdbc.user", role, "jdbc.password", PASSWORD, "warehouse", "s3://" + bucket));
    }

    /** Opens the catalog with a role that is created for it. */
    public static EngineCatalog reader(ObjectStore store, String bucket, UUID tenantId) {
        String namespace = LakeCatalog.name(tenantId).namespace().toString();
        execute("""
                CREATE ROLE %1$s LOGIN PASSWORD '%2$s';
                GRANT CONNECT ON DATABASE %3$s TO %1$s;
                GRANT USAGE ON SCHEMA lake_catalog TO %1$s;
                GRANT SELECT ON lake_catalog.iceberg_tables, lake_catalog.iceberg_namespace_properties TO %1$s;
                CREATE POLICY %1$s ON lake_catalog.iceberg_tables FOR SELECT TO %1$s
                    USING (table_namespace = '%1$s');
                CREATE POLICY %1$s ON lake_catalog.iceberg_namespace_properties FOR SELECT TO %1$s
                    USING (namespace = '%1$s')
                """.formatted(namespace, PASSWORD, TestDatabase.get().name()));
        return new EngineCatalog(store, bucket, tenantId, namespace);
    }

    /** Opens the catalog with the role of the service. */
    public static EngineCatalog owner(ObjectStore store, String bucket, UUID tenantId) {
        return new EngineCatalog(store, bucket, tenantId, "waybill_export");
    }

    /** Returns the name of the role, which is that of the namespace for a reader. */
    public String role() {
        return LakeCatalog.name(tenantId).namespace().toString();
    }

    /** Returns the workspaces' tables that the role sees. */
    public List<String> tables() {
        return catalog.listNamespaces().stream()
                .flatMap(namespace -> catalog.listTables(namespace).stream())
                .map(Object::toString)
                .toList();
    }

    public boolean exists(UUID workspace) {
        return catalog.tableExists(LakeCatalog.name(workspace));
    }

    public Table table() {
        return catalog.loadTable(LakeCatalog.name(tenantId));
    }

    /** Returns the files that a query reads. */
    public List<DataFile> files() {
        return files(Expressions.alwaysTrue());
    }

    public List<DataFile> files(Expression condition) {
        List<DataFile> files = new ArrayList<>();
        try (CloseableIterable<FileScanTask> tasks = table().newScan().filter(condition).includeColumnStats().planFiles()) {
            tasks.forEach(task -> files.add(task.file()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    private static void execute(String sql) {
        try (Connection connection = TestDatabase.get().superuser(); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        catalog.close();
    }
}
