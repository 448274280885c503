package dev.waybill.local.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import dev.waybill.local.storage.PostgresServer;

/** Creates the database and the services' roles; idempotent. */
final class DatabaseSetup {

    private DatabaseSetup() {
    }

    static void prepare(PostgresServer server, Path root, Secrets secrets) {
        try {
            createDatabase(server);
            createRoles(server, root, secrets);
        } catch (SQLException | IOException e) {
            throw new StackException("cannot set up the database: " + e.getMessage(), e);
        }
    }

    private static void createDatabase(PostgresServer server) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.superuserUrl("postgres"));
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(
                        "SELECT FROM pg_database WHERE datname = '" + Stack.DATABASE + "'")) {
            if (!found.next()) {
                statement.execute("CREATE DATABASE " + Stack.DATABASE);
            }
        }
    }

    private static void createRoles(PostgresServer server, Path root, Secrets secrets) throws SQLException, IOException {
        String roles = Files.readString(root.resolve("common/src/main/resources/database/roles.sql"));
        try (Connection connection = DriverManager.getConnection(server.superuserUrl(Stack.DATABASE));
                Statement statement = connection.createStatement()) {
            statement.execute(roles);
            for (ServiceKind kind : ServiceKind.apis()) {
                statement.execute(
                        "ALTER ROLE " + kind.databaseRole().orElseThrow() + " PASSWORD '" + secrets.rolePassword() + "'");
            }
        }
    }
}
