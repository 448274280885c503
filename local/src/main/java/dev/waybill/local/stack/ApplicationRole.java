package dev.waybill.local.stack;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.UUID;

/** A role for the threads of a runtime that the control plane did not deploy, as it creates one for a deployment. */
public final class ApplicationRole {

    private final Stack stack;
    private final UUID workspace = UUID.randomUUID();
    private final UUID deployment = UUID.randomUUID();
    private final String name = "waybill_app_" + deployment;
    private final String password = UUID.randomUUID().toString();

    private ApplicationRole(Stack stack) {
        this.stack = stack;
    }

    /** Creates the role of a new deployment in a running stack. */
    public static ApplicationRole create(Stack stack) {
        ApplicationRole role = new ApplicationRole(stack);
        role.execute("SELECT runtime.allow_applications()",
                "CREATE ROLE \"" + role.name + "\" LOGIN PASSWORD '" + role.password + "' IN ROLE waybill_application");
        return role;
    }

    /** Returns the id of the deployment, which all its rows have. */
    public UUID deployment() {
        return deployment;
    }

    /** Returns the configuration of a runtime; several ones of the same role are replicas. */
    public Map<String, String> properties() {
        return Map.of("waybill.runtime.threads.storage", "postgresql",
                "waybill.runtime.threads.database.url", stack.postgres().url(Stack.DATABASE).replace("jdbc:", ""),
                "waybill.runtime.threads.database.username", name,
                "waybill.runtime.threads.database.password", password,
                "waybill.runtime.threads.database.workspace-id", workspace.toString(),
                "waybill.runtime.threads.database.deployment-id", deployment.toString());
    }

    private void execute(String... statements) {
        try (Connection connection = DriverManager.getConnection(stack.superuserUrl());
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
