package dev.waybill.runtime.storage.sqlite;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.AssistantStorage;
import dev.waybill.runtime.storage.JsonText;
import dev.waybill.runtime.storage.Owner;
import io.smallrye.mutiny.Uni;

/** Assistants and their versions in the file. A row of an assistant repeats no settings: they are those of its version. */
final class SqliteAssistants implements AssistantStorage {

    private static final String FROM = """
             FROM assistants a JOIN assistant_versions v ON v.assistant_id = a.assistant_id AND v.version = a.version
            WHERE a.owner = ?""";
    private static final String COLUMNS = """
            SELECT a.assistant_id AS assistant_id, a.version AS version, a.created_at AS created_at, a.updated_at, v.graph_id, v.name,
                   v.description, v.config, v.context, v.metadata""";

    private final SqliteFile file;
    private final Clock clock;

    SqliteAssistants(SqliteFile file, Clock clock) {
        this.file = file;
        this.clock = clock;
    }

    @Override
    public Uni<Created> create(Owner owner, UUID id, Settings settings) {
        return file.write(bytes(settings), session -> {
            Instant now = clock.instant();
            int inserted = session.update("""
                    INSERT INTO assistants (assistant_id, owner, version, created_at, updated_at) VALUES (?, ?, 1, ?, ?)
                    ON CONFLICT (assistant_id) DO NOTHING
                    """, id, owner.name(), now, now);
            if (inserted > 0) {
                insertVersion(session, id, 1, settings, now);
                return new Created.New(new StoredAssistant(id, 1, settings, now, now));
            }
            return find(session, owner, id)
                    .<Created> map(Created.Existing::new)
                    .orElseGet(Created.Conflict::new);
        });
    }

    private static void insertVersion(SqliteSession session, UUID id, int version, Settings settings, Instant now)
            throws SQLException {
        session.update("""
                INSERT INTO assistant_versions (assistant_id, version, graph_id, name, description, config, context, metadata,
                                                created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, id, version, settings.graph(), settings.name(), settings.description(), settings.config(),
                settings.context(), settings.metadata(), now);
    }

    @Override
    public Uni<Optional<StoredAssistant>> find(Owner owner, UUID id) {
        return file.read(session -> find(session, owner, id));
    }

    private static Optional<StoredAssistant> find(SqliteSession session, Owner owner, UUID id) throws SQLException {
        return session.first(COLUMNS + FROM + " AND a.assistant_id = ?", SqliteAssistants::assistant, owner.name(), id);
    }

    @Override
    public Uni<AssistantPage> search(Owner owner, AssistantFilter filter) {
        StringBuilder from = new StringBuilder(FROM);
        List<@Nullable Object> parameters = new ArrayList<>(List.of(owner.name()));
        if (filter.graph() != null) {
            from.append(" AND v.graph_id = ?");
            parameters.add(filter.graph());
        }
        if (filter.name() != null) {
            from.append(" AND instr(lower(v.name), lower(?)) > 0");
            parameters.add(filter.name());
        }
        addMetadata(from, parameters, filter.metadata());
        String count = "SELECT count(*)" + from;
        Object[] conditions = parameters.toArray();
        from.append(order(filter)).append(" LIMIT ? OFFSET ?");
        parameters.addAll(List.of(filter.limit(), filter.offset()));
        return file.read(session -> new AssistantPage(
                session.list(COLUMNS + from, SqliteAssistants::assistant, parameters.toArray()),
                session.number(count, conditions)));
    }

    private static void addMetadata(StringBuilder sql, List<@Nullable Object> parameters, @Nullable String metadata) {
        if (metadata != null) {
            JsonContainment containment = new JsonContainment();
            sql.append(" AND ").append(containment.members("v.metadata", JsonText.parse(metadata)));
            parameters.addAll(containment.parameters());
        }
    }

    /** The names are those of columns of the result. */
    private static String order(AssistantFilter filter) {
        String direction = filter.ascending() ? " ASC" : " DESC";
        return " ORDER BY " + SqliteRow.stored(filter.order()) + direction + ", assistant_id" + direction;
    }

    @Override
    public Uni<Optional<StoredAssistant>> update(Owner owner, UUID id, Change change) {
        return file.write(0, session -> {
            Optional<StoredAssistant> stored = find(session, owner, id);
            if (stored.isEmpty()) {
                return stored;
            }
            Instant now = clock.instant();
            int version = 1 + (int) session.number("SELECT max(version) FROM assistant_versions WHERE assistant_id = ?", id);
            insertVersion(session, id, version, stored.get().settings().with(change), now);
            session.update("UPDATE assistants SET version = ?, updated_at = ? WHERE assistant_id = ?", version, now, id);
            return find(session, owner, id);
        });
    }

    @Override
    public Uni<Boolean> delete(Owner owner, UUID id) {
        return file.write(0, session -> {
            int deleted = session.update("DELETE FROM assistants WHERE assistant_id = ? AND owner = ?", id, owner.name());
            if (deleted > 0) {
                session.update("DELETE FROM assistant_versions WHERE assistant_id = ?", id);
                session.update("DELETE FROM crons WHERE assistant_id = ? AND owner = ?", id, owner.name());
            }
            return deleted > 0;
        });
    }

    @Override
    public Uni<Optional<List<StoredAssistant>>> versions(Owner owner, UUID id, VersionFilter filter) {
        StringBuilder sql = new StringBuilder("SELECT v.*, v.created_at AS updated_at FROM assistant_versions v"
                + " WHERE v.assistant_id = ?");
        List<@Nullable Object> parameters = new ArrayList<>(List.of(id));
        addMetadata(sql, parameters, filter.metadata());
        sql.append(" ORDER BY v.version DESC LIMIT ? OFFSET ?");
        parameters.addAll(List.of(filter.limit(), filter.offset()));
        return file.read(session -> find(session, owner, id).isEmpty() ? Optional.empty()
                : Optional.of(session.list(sql.toString(), SqliteAssistants::assistant, parameters.toArray())));
    }

    @Override
    public Uni<Optional<StoredAssistant>> setLatest(Owner owner, UUID id, int version) {
        return file.write(0, session -> {
            int changed = session.update("""
                    UPDATE assistants SET version = ?1, updated_at = ?2 WHERE assistant_id = ?3 AND owner = ?4
                       AND EXISTS (SELECT 1 FROM assistant_versions v WHERE v.assistant_id = ?3 AND v.version = ?1)
                    """, version, clock.instant(), id, owner.name());
            return changed == 0 ? Optional.empty() : find(session, owner, id);
        });
    }

    private static StoredAssistant assistant(SqliteRow row) throws SQLException {
        Settings settings = new Settings(row.text("graph_id"), row.text("name"), row.textOrNull("description"),
                row.text("config"), row.text("context"), row.text("metadata"));
        return new StoredAssistant(row.id("assistant_id"), (int) row.number("version"), settings, row.time("created_at"),
                row.time("updated_at"));
    }

    private static long bytes(Settings settings) {
        return (long) settings.config().length() + settings.context().length() + settings.metadata().length();
    }
}
