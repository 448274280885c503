package dev.waybill.runtime.storage.postgres;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import dev.waybill.runtime.storage.AssistantStorage;
import dev.waybill.runtime.storage.Owner;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Assistants and their versions in PostgreSQL. A row of an assistant repeats no settings: they are those of its version. */
final class PostgresAssistants implements AssistantStorage {

    private static final String COLUMNS = """
            SELECT a.assistant_id, a.version, a.created_at, a.updated_at, v.graph_id, v.name, v.description, v.config,
                   v.context, v.metadata""";
    private static final String FROM = """
             FROM runtime.assistants a
             JOIN runtime.assistant_versions v
               ON (v.tenant_id, v.deployment_id, v.assistant_id, v.version) = ($1, $2, a.assistant_id, a.version)
            WHERE (a.tenant_id, a.deployment_id) = ($1, $2)""";
    private static final String FIND = COLUMNS + FROM + " AND a.owner = $3 AND a.assistant_id = $4";

    private final DeploymentSql sql;

    PostgresAssistants(DeploymentSql sql) {
        this.sql = sql;
    }

    @Override
    public Uni<Created> create(Owner owner, UUID id, Settings settings) {
        return sql.transaction(connection -> sql.execute(connection, """
                INSERT INTO runtime.assistants (tenant_id, deployment_id, assistant_id, owner, version, created_at, updated_at)
                VALUES ($1, $2, $3, $4, 1, @now, @now)
                ON CONFLICT (tenant_id, deployment_id, assistant_id) DO NOTHING
                """, id, owner.name())
                .chain(rows -> rows.rowCount() == 0 ? find(connection, owner, id).map(PostgresAssistants::existing)
                        : insertVersion(connection, id, 1, settings)
                                .chain(() -> find(connection, owner, id))
                                .map(found -> new Created.New(found.orElseThrow()))));
    }

    private static Created existing(Optional<StoredAssistant> found) {
        return found
                .<Created> map(Created.Existing::new)
                .orElseGet(Created.Conflict::new);
    }

    private Uni<RowSet<Row>> insertVersion(SqlConnection connection, UUID id, int version, Settings settings) {
        return sql.execute(connection, """
                INSERT INTO runtime.assistant_versions (tenant_id, deployment_id, assistant_id, version, graph_id, name,
                                                        description, config, context, metadata, created_at)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, @now)
                """, id, version, settings.graph(), settings.name(), settings.description(), settings.config(),
                settings.context(), settings.metadata());
    }

    @Override
    public Uni<Optional<StoredAssistant>> find(Owner owner, UUID id) {
        return sql.execute(FIND, owner.name(), id).map(PostgresAssistants::first);
    }

    private Uni<Optional<StoredAssistant>> find(SqlConnection connection, Owner owner, UUID id) {
        return sql.execute(connection, FIND, owner.name(), id).map(PostgresAssistants::first);
    }

    @Override
    public Uni<AssistantPage> search(Owner owner, AssistantFilter filter) {
        Conditions conditions = new Conditions().add(FROM + " AND a.owner = ?", owner.name())
                .addIfPresent(" AND v.graph_id = ?", filter.graph())
                .addIfPresent(" AND strpos(lower(v.name COLLATE \"default\"), lower(?::text COLLATE \"default\")) > 0",
                        filter.name())
                .addContains("v.metadata", filter.metadata());
        Conditions page = conditions.copy().add(order(filter) + " LIMIT ? OFFSET ?", filter.limit(), filter.offset());
        return sql.execute(conditions.sql("SELECT count(*)"), conditions.parameters())
                .map(rows -> rows.iterator().next().getLong(0))
                .chain(total -> sql.execute(page.sql(COLUMNS), page.parameters())
                        .map(rows -> new AssistantPage(RowValues.list(rows, PostgresAssistants::assistant), total)));
    }

    /** The names are those of columns of the result. */
    private static String order(AssistantFilter filter) {
        String direction = filter.ascending() ? " ASC" : " DESC";
        return " ORDER BY " + RowValues.text(filter.order()) + direction + ", assistant_id" + direction;
    }

    @Override
    public Uni<Optional<StoredAssistant>> update(Owner owner, UUID id, Change change) {
        return sql.transaction(connection -> sql.execute(connection, FIND + " FOR UPDATE OF a", owner.name(), id)
                .map(PostgresAssistants::first)
                .chain(stored -> stored.isEmpty() ? Uni.createFrom().item(stored)
                        : addVersion(connection, id, stored.get().settings().with(change))
                                .chain(() -> find(connection, owner, id))));
    }

    private Uni<RowSet<Row>> addVersion(SqlConnection connection, UUID id, Settings settings) {
        return sql.execute(connection, """
                UPDATE runtime.assistants a
                   SET updated_at = @now, version = 1 + (SELECT max(v.version) FROM runtime.assistant_versions v
                           WHERE (v.tenant_id, v.deployment_id, v.assistant_id) = ($1, $2, $3))
                 WHERE (a.tenant_id, a.deployment_id, a.assistant_id) = ($1, $2, $3)
                RETURNING a.version
                """, id)
                .chain(rows -> insertVersion(connection, id, rows.iterator().next().getInteger(0), settings));
    }

    @Override
    public Uni<Boolean> delete(Owner owner, UUID id) {
        return sql.execute("""
                WITH deleted AS (
                    DELETE FROM runtime.assistants
                     WHERE (tenant_id, deployment_id, owner, assistant_id) = ($1, $2, $3, $4) RETURNING assistant_id),
                versions AS (
                    DELETE FROM runtime.assistant_versions v USING deleted d
                     WHERE (v.tenant_id, v.deployment_id, v.assistant_id) = ($1, $2, d.assistant_id)),
                crons AS (
                    DELETE FROM runtime.crons c USING deleted d
                     WHERE (c.tenant_id, c.deployment_id, c.owner, c.assistant_id) = ($1, $2, $3, d.assistant_id))
                SELECT 1 FROM deleted
                """, owner.name(), id)
                .map(rows -> rows.rowCount() > 0);
    }

    @Override
    public Uni<Optional<List<StoredAssistant>>> versions(Owner owner, UUID id, VersionFilter filter) {
        Conditions versions = new Conditions().add("""
                SELECT v.*, v.created_at AS updated_at FROM runtime.assistant_versions v
                 WHERE (v.tenant_id, v.deployment_id, v.assistant_id) = ($1, $2, ?)""", id)
                .addContains("v.metadata", filter.metadata())
                .add(" ORDER BY v.version DESC LIMIT ? OFFSET ?", filter.limit(), filter.offset());
        return find(owner, id)
                .chain(found -> found.isEmpty() ? Uni.createFrom().item(Optional.empty())
                        : sql.execute(versions.sql(""), versions.parameters())
                                .map(rows -> Optional.of(RowValues.list(rows, PostgresAssistants::assistant))));
    }

    @Override
    public Uni<Optional<StoredAssistant>> setLatest(Owner owner, UUID id, int version) {
        return sql.transaction(connection -> sql.execute(connection, """
                UPDATE runtime.assistants a SET version = $5, updated_at = @now
                 WHERE (a.tenant_id, a.deployment_id, a.owner, a.assistant_id) = ($1, $2, $3, $4)
                   AND EXISTS (SELECT 1 FROM runtime.assistant_versions v
                       WHERE (v.tenant_id, v.deployment_id, v.assistant_id, v.version) = ($1, $2, $4, $5))
                """, owner.name(), id, version)
                .chain(rows -> rows.rowCount() == 0 ? Uni.createFrom().item(Optional.empty()) : find(connection, owner, id)));
    }

    private static Optional<StoredAssistant> first(RowSet<Row> rows) {
        return RowValues.first(rows, PostgresAssistants::assistant);
    }

    private static StoredAssistant assistant(Row row) {
        Settings settings = new Settings(row.getString("graph_id"), row.getString("name"), row.getString("description"),
                row.getString("config"), row.getString("context"), row.getString("metadata"));
        return new StoredAssistant(row.getUUID("assistant_id"), row.getInteger("version"), settings,
                RowValues.time(row, "created_at"), RowValues.time(row, "updated_at"));
    }
}
