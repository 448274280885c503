package dev.waybill.controlplane.deployment;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.DeploymentSource;
import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.common.api.deployment.SourceKind;
import dev.waybill.controlplane.deployment.Deployment.Active;
import dev.waybill.controlplane.deployment.Deployment.Specification;
import dev.waybill.controlplane.revision.SourceJsonCodec;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;

/** Maps a row to a deployment with the status of its active revision. */
@Singleton
class DeploymentRowMapper {

    /** Selects the columns of {@code deployments AS d LEFT JOIN revisions AS a}. */
    static final String SELECT = """
            SELECT d.tenant_id, d.id, d.name, d.display_name, d.source, d.source_config::text AS source_config,
                d.source_revision_config::text AS source_revision_config, d.secrets, d.secret_names, d.url, d.latest_revision_id,
                d.active_revision_id, d.created_at, d.updated_at, d.deleted_at IS NOT NULL AS deleted,
                a.status AS active_status, a.status_message AS active_message, a.repo_commit_sha AS active_commit,
                count(*) OVER () AS total
            FROM deploy.deployments AS d
            LEFT JOIN deploy.revisions AS a ON a.tenant_id = d.tenant_id AND a.id = d.active_revision_id
            """;

    private final SourceJsonCodec json;

    DeploymentRowMapper(SourceJsonCodec json) {
        this.json = json;
    }

    List<Deployment> all(RowSet<Row> rows) {
        return StreamSupport.stream(rows.spliterator(), false)
                .map(this::one)
                .toList();
    }

    Deployment one(Row row) {
        return new Deployment(row.getUUID("tenant_id"), row.getUUID("id"), row.getString("name"),
                row.getString("display_name"), specification(row), row.getString("url"), row.getUUID("latest_revision_id"),
                active(row), row.getOffsetDateTime("created_at").toInstant(),
                row.getOffsetDateTime("updated_at").toInstant(), row.getBoolean("deleted"));
    }

    private Specification specification(Row row) {
        Buffer secrets = (Buffer) row.getValue("secrets");
        return new Specification(SourceKind.parse(row.getString("source")),
                json.read(row.getString("source_config"), DeploymentSource.class),
                json.read(row.getString("source_revision_config"), RevisionSource.class),
                secrets == null ? null : secrets.getBytes(), Arrays.asList(row.getArrayOfStrings("secret_names")));
    }

    private static @Nullable Active active(Row row) {
        UUID id = row.getUUID("active_revision_id");
        return id == null ? null
                : new Active(id, RevisionStatus.valueOf(row.getString("active_status")), row.getString("active_message"),
                        row.getString("active_commit"));
    }
}
