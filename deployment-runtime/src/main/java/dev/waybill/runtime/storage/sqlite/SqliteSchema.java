package dev.waybill.runtime.storage.sqlite;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The schema of the file and its migrations, forward only. The version is SQLite's user_version. */
final class SqliteSchema {

    private static final List<String> MIGRATIONS = List.of("""
            CREATE TABLE replicas (
                replica_id BLOB PRIMARY KEY,
                lease_until INTEGER NOT NULL
            ) WITHOUT ROWID;
            CREATE TABLE threads (
                thread_key BLOB PRIMARY KEY,
                thread_id BLOB NOT NULL UNIQUE,
                owner TEXT NOT NULL,
                status TEXT NOT NULL,
                metadata TEXT NOT NULL,
                config TEXT NOT NULL,
                interrupts TEXT NOT NULL,
                error TEXT,
                checkpoint_id BLOB,
                ttl_minutes INTEGER,
                ttl_strategy TEXT,
                expires_at INTEGER,
                created_at INTEGER NOT NULL,
                updated_at INTEGER NOT NULL,
                state_updated_at INTEGER
            );
            CREATE INDEX threads_of_owner ON threads (owner, created_at, thread_id);
            CREATE INDEX threads_expiry ON threads (expires_at) WHERE expires_at IS NOT NULL;
            CREATE TABLE thread_values (
                thread_key BLOB NOT NULL,
                channel TEXT NOT NULL,
                version TEXT NOT NULL,
                value TEXT NOT NULL,
                PRIMARY KEY (thread_key, channel)
            );
            CREATE TABLE deleted_threads (
                thread_key BLOB PRIMARY KEY
            ) WITHOUT ROWID;
            CREATE TABLE runs (
                run_id BLOB PRIMARY KEY,
                thread_key BLOB NOT NULL,
                kind TEXT NOT NULL,
                assistant_id BLOB NOT NULL,
                status TEXT NOT NULL,
                attempt INTEGER NOT NULL,
                replica_id BLOB NOT NULL,
                multitask_strategy TEXT NOT NULL,
                metadata TEXT NOT NULL,
                request BLOB NOT NULL,
                run_at INTEGER,
                cancel TEXT,
                error TEXT,
                created_at INTEGER NOT NULL,
                started_at INTEGER,
                updated_at INTEGER NOT NULL
            );
            CREATE UNIQUE INDEX running_run_of_thread ON runs (thread_key) WHERE status = 'running';
            CREATE INDEX runs_of_thread ON runs (thread_key, created_at, run_id);
            CREATE INDEX pending_runs ON runs (thread_key, created_at, run_id) WHERE status = 'pending';
            CREATE INDEX active_runs ON runs (thread_key) WHERE status IN ('pending', 'running');
            CREATE TABLE checkpoints (
                thread_key BLOB NOT NULL,
                namespace TEXT NOT NULL,
                checkpoint_id BLOB NOT NULL,
                parent_id BLOB,
                run_id BLOB NOT NULL,
                type TEXT NOT NULL,
                metadata TEXT NOT NULL,
                versions TEXT NOT NULL,
                body BLOB NOT NULL,
                PRIMARY KEY (thread_key, namespace, checkpoint_id)
            );
            CREATE INDEX checkpoints_by_id ON checkpoints (thread_key, checkpoint_id);
            CREATE INDEX checkpoints_of_run ON checkpoints (thread_key, run_id);
            CREATE TABLE blobs (
                thread_key BLOB NOT NULL,
                namespace TEXT NOT NULL,
                channel TEXT NOT NULL,
                version TEXT NOT NULL,
                run_id BLOB NOT NULL,
                type TEXT NOT NULL,
                size INTEGER NOT NULL,
                value_id BLOB,
                value BLOB,
                PRIMARY KEY (thread_key, namespace, channel, version)
            );
            CREATE INDEX blobs_of_run ON blobs (thread_key, run_id);
            CREATE TABLE writes (
                sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                thread_key BLOB NOT NULL,
                namespace TEXT NOT NULL,
                checkpoint_id BLOB NOT NULL,
                task_id TEXT NOT NULL,
                position INTEGER NOT NULL,
                run_id BLOB NOT NULL,
                task_path TEXT NOT NULL,
                channel TEXT NOT NULL,
                type TEXT NOT NULL,
                size INTEGER NOT NULL,
                value_id BLOB,
                value BLOB,
                UNIQUE (thread_key, namespace, checkpoint_id, task_id, position, run_id)
            );
            CREATE INDEX writes_of_run ON writes (thread_key, run_id);
            CREATE TABLE chunks (
                thread_key BLOB NOT NULL,
                value_id BLOB NOT NULL,
                part INTEGER NOT NULL,
                value BLOB NOT NULL,
                PRIMARY KEY (thread_key, value_id, part)
            );
            CREATE TABLE run_events (
                thread_key BLOB NOT NULL,
                run_id BLOB NOT NULL,
                first_number INTEGER NOT NULL,
                last_number INTEGER NOT NULL,
                chunk BLOB NOT NULL,
                PRIMARY KEY (run_id, first_number)
            );
            CREATE INDEX run_events_of_thread ON run_events (thread_key);
            CREATE TABLE assistants (
                assistant_id BLOB PRIMARY KEY,
                owner TEXT NOT NULL,
                version INTEGER NOT NULL,
                created_at INTEGER NOT NULL,
                updated_at INTEGER NOT NULL
            );
            CREATE INDEX assistants_of_owner ON assistants (owner, created_at, assistant_id);
            CREATE TABLE assistant_versions (
                assistant_id BLOB NOT NULL,
                version INTEGER NOT NULL,
                graph_id TEXT NOT NULL,
                name TEXT NOT NULL,
                description TEXT,
                config TEXT NOT NULL,
                context TEXT NOT NULL,
                metadata TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                PRIMARY KEY (assistant_id, version)
            );
            CREATE TABLE items (
                owner TEXT NOT NULL,
                namespace TEXT NOT NULL,
                key TEXT NOT NULL,
                ttl_minutes INTEGER,
                expires_at INTEGER,
                created_at INTEGER NOT NULL,
                updated_at INTEGER NOT NULL,
                value TEXT NOT NULL,
                PRIMARY KEY (owner, namespace, key)
            );
            CREATE INDEX items_expiry ON items (expires_at) WHERE expires_at IS NOT NULL;
            """, """
            CREATE TABLE crons (
                cron_id BLOB PRIMARY KEY,
                owner TEXT NOT NULL,
                principal TEXT NOT NULL,
                assistant_id BLOB NOT NULL,
                thread_id BLOB,
                keeps_threads INTEGER NOT NULL,
                schedule TEXT NOT NULL,
                zone TEXT,
                end_time INTEGER,
                enabled INTEGER NOT NULL,
                payload TEXT NOT NULL,
                metadata TEXT NOT NULL,
                next_run_date INTEGER,
                created_at INTEGER NOT NULL,
                updated_at INTEGER NOT NULL,
                revision INTEGER NOT NULL
            );
            CREATE INDEX crons_of_owner ON crons (owner, created_at, cron_id);
            CREATE INDEX crons_due ON crons (next_run_date) WHERE enabled = 1;
            """);

    private SqliteSchema() {
    }

    /** Sets the modes of a connection. */
    static void configure(Connection connection, boolean writer) throws SQLException {
        execute(connection, "PRAGMA busy_timeout = 10000");
        execute(connection, "PRAGMA temp_store = MEMORY");
        if (writer) {
            // Has an effect only before the first table exists.
            execute(connection, "PRAGMA auto_vacuum = INCREMENTAL");
            execute(connection, "PRAGMA journal_mode = WAL");
            // A commit is on disk when it returns, also after a power failure.
            execute(connection, "PRAGMA synchronous = FULL");
        } else {
            execute(connection, "PRAGMA query_only = ON");
        }
    }

    /** Executes the migrations that the file does not have. A kill in the middle leaves the previous version. */
    static void migrate(Connection connection) throws SQLException {
        int version = version(connection);
        if (version > MIGRATIONS.size()) {
            throw new IllegalStateException(("The file of threads has version %s of its schema; this runtime knows %s. Start a "
                    + "newer runtime, or set waybill.runtime.threads.directory to another directory.")
                    .formatted(version, MIGRATIONS.size()));
        }
        for (int next = version; next < MIGRATIONS.size(); next++) {
            execute(connection, "BEGIN IMMEDIATE;" + MIGRATIONS.get(next) + "PRAGMA user_version = " + (next + 1) + ";COMMIT;");
        }
    }

    private static int version(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("PRAGMA user_version")) {
            return result.next() ? result.getInt(1) : 0;
        }
    }

    private static void execute(Connection connection, String script) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(script);
        }
    }
}
