package dev.waybill.runtime.storage.postgres;

import java.util.Optional;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.id.Ids;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.StorageException;
import dev.waybill.runtime.storage.StorageFactory;
import dev.waybill.runtime.storage.ThreadsConfig;
import dev.waybill.runtime.storage.ThreadsConfig.DatabaseConfig;
import dev.waybill.runtime.storage.ThreadsConfig.Technology;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgException;
import io.vertx.pgclient.SslMode;

/** Opens the database of threads with the role of the deployment. */
@Singleton
class PostgresStorageFactory implements StorageFactory {

    private static final Logger LOG = Logger.getLogger(PostgresStorageFactory.class);
    private static final String KEYS = "waybill.runtime.threads.database.";

    private final DatabaseConfig config;
    private final Vertx vertx;
    private final Ids ids;

    PostgresStorageFactory(ThreadsConfig config, Vertx vertx, Ids ids) {
        this.config = config.database();
        this.vertx = vertx;
        this.ids = ids;
    }

    @Override
    public Technology technology() {
        return Technology.POSTGRESQL;
    }

    /**
     * Opens the storage. Fails if the database rejects the role or has no tables for it; a server that does not respond
     * fails only operations on threads, because runs without a thread need none.
     */
    @Override
    public Storage open() {
        PostgresStorage storage = PostgresStorage.open(vertx, server(), require(config.workspaceId(), "workspace-id"),
                require(config.deploymentId(), "deployment-id"), ids);
        try {
            storage.verify();
        } catch (StorageException e) {
            if (e.getCause() instanceof PgException rejected && isPermanent(rejected)) {
                storage.close();
                throw new IllegalStateException("The database of threads rejects this runtime; check " + KEYS
                        + "url, username and password, and deploy the application again: " + rejected.getMessage(), e);
            }
            LOG.errorf(
                    "the database of threads does not respond; operations on threads return 503 until it does; check %surl: %s",
                    KEYS, e.getMessage());
        }
        return storage;
    }

    /** Returns whether only another configuration helps: invalid authorization, no such database, missing table or right. */
    private static boolean isPermanent(PgException failure) {
        String state = String.valueOf(failure.getSqlState());
        return state.startsWith("28") || state.startsWith("3D") || state.startsWith("42");
    }

    private PgConnectOptions server() {
        PgConnectOptions server;
        try {
            server = PgConnectOptions.fromUri(require(config.url(), "url"));
        } catch (IllegalArgumentException e) {
            // The message of the exception contains the URL, which may contain a password.
            throw new IllegalStateException(
                    KEYS + "url must be the URL of a PostgreSQL database, such as postgresql://host:5432/waybill.");
        }
        server.setUser(require(config.username(), "username")).setPassword(require(config.password(), "password"));
        if (server.getSslMode() == SslMode.VERIFY_CA || server.getSslMode() == SslMode.VERIFY_FULL) {
            config.certificates().ifPresent(certificates -> server.setPemTrustOptions(
                    new PemTrustOptions().addCertValue(Buffer.buffer(certificates))));
            server.setHostnameVerificationAlgorithm(server.getSslMode() == SslMode.VERIFY_FULL ? "HTTPS" : "");
        } else if (server.getSslMode() != SslMode.DISABLE) {
            server.setTrustAll(true);
        }
        return server;
    }

    private static <T> T require(Optional<T> value, String key) {
        return value.orElseThrow(() -> new IllegalStateException("waybill.runtime.threads.storage is postgresql, so " + KEYS
                + key + " must be set."));
    }
}
