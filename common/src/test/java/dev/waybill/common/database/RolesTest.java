package dev.waybill.common.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.TestDatabase;

/** Roles of deployed applications run their own statements, so they must not change those of the services. */
class RolesTest {

    private static final Path ROLES = Path.of(System.getProperty("waybill.root"),
            "common/src/main/resources/database/roles.sql");

    @Test
    void applicationsCannotCreateFunctions() throws SQLException, IOException {
        try (Connection connection = TestDatabase.another().superuser(); Statement statement = connection.createStatement()) {
            // As in a database that PostgreSQL 14 created.
            statement.execute("GRANT CREATE ON SCHEMA public TO PUBLIC");

            statement.execute(Files.readString(ROLES));

            assertThat(holds(statement, "has_schema_privilege('waybill_application', 'public', 'CREATE')")).isFalse();
            assertThat(holds(statement, "has_schema_privilege('waybill_application', 'public', 'USAGE')")).isTrue();
        }
    }

    @Test
    void functionsOfThreadsUseTheSystemCatalogOnly() throws SQLException {
        TestDatabase database = TestDatabase.another();

        database.migrate("control-plane");

        try (Connection connection = database.superuser(); Statement statement = connection.createStatement()) {
            assertThat(holds(statement, """
                    (SELECT bool_and('search_path=pg_catalog, pg_temp' = ANY(coalesce(proconfig, '{}')))
                    FROM pg_proc JOIN pg_language l ON l.oid = prolang
                    WHERE pronamespace = 'runtime'::regnamespace AND lanname = 'plpgsql')""")).isTrue();
        }
    }

    private static boolean holds(Statement statement, String condition) throws SQLException {
        try (ResultSet rows = statement.executeQuery("SELECT " + condition)) {
            rows.next();
            return rows.getBoolean(1);
        }
    }
}
