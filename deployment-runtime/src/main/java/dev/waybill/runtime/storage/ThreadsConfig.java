package dev.waybill.runtime.storage;

import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Storage of threads. */
@ConfigMapping(prefix = "waybill.runtime.threads")
public interface ThreadsConfig {

    /** Technology of the storage; {@code none}: nothing is stored, and nothing is opened. */
    @WithDefault("none")
    Technology storage();

    /** Directory of the file, relative to the application's directory. One runtime at a time can use it. */
    @WithDefault(".waybill")
    Path directory();

    /** The database, which the control plane configures. */
    DatabaseConfig database();

    /** Rows of one deployment in PostgreSQL, and the role that reads and writes them. */
    interface DatabaseConfig {

        /** URL of the database, for example {@code postgresql://postgres:5432/waybill?sslmode=verify-full}. */
        Optional<String> url();

        /** Role of the deployment. */
        Optional<String> username();

        /** Password of the role. */
        Optional<String> password();

        /** Certificates (PEM text) that {@code verify-ca} and {@code verify-full} trust instead of the JVM's. */
        Optional<String> certificates();

        /** Workspace of the deployment. */
        Optional<UUID> workspaceId();

        /** Id of the deployment. */
        Optional<UUID> deploymentId();
    }

    /** Technologies of the storage. */
    enum Technology {
        /** No storage. */
        NONE,
        /** PostgreSQL if the URL of a database is set, otherwise the file. */
        AUTO,
        /** One SQLite file, for one runtime. */
        FILE,
        /** PostgreSQL, for any number of runtimes of a deployment. */
        POSTGRESQL
    }
}
