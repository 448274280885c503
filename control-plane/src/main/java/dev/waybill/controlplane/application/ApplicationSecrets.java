package dev.waybill.controlplane.application;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Database;
import dev.waybill.common.database.Rows;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.controlplane.engine.Redaction;
import dev.waybill.controlplane.integration.IntegrationEncryptor;
import dev.waybill.controlplane.integration.IntegrationService;
import dev.waybill.controlplane.revision.EnvironmentEncryptor;
import dev.waybill.controlplane.revision.Revision;
import dev.waybill.controlplane.source.Credential;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Tuple;

/** The secrets that an application can print. */
@Singleton
class ApplicationSecrets {

    private static final String PLATFORM_SECRETS = """
            SELECT platform_secrets FROM deploy.deployments WHERE tenant_id = $1 AND id = $2
            """;

    private final Database database;
    private final EnvironmentEncryptor encryptor;
    private final IntegrationService integrations;
    private final IntegrationEncryptor integrationEncryptor;

    ApplicationSecrets(Database database, EnvironmentEncryptor encryptor, IntegrationService integrations,
            IntegrationEncryptor integrationEncryptor) {
        this.database = database;
        this.encryptor = encryptor;
        this.integrations = integrations;
        this.integrationEncryptor = integrationEncryptor;
    }

    /** Returns the redaction of the revision's secrets; fails if they cannot be decrypted. */
    Uni<Redaction> redaction(Revision revision) {
        return credential(revision)
                .chain(credential -> platformSecrets(revision)
                        .map(platform -> redaction(revision, platform, credential.isEmpty() ? null : credential.getFirst())));
    }

    private Redaction redaction(Revision revision, byte @Nullable [] platform, @Nullable Credential credential) {
        UUID tenantId = revision.tenantId();
        List<String> secrets = new ArrayList<>(encryptor.decrypt(revision.secrets(), tenantId, revision.id()).values());
        secrets.addAll(encryptor.decrypt(platform, tenantId, revision.deploymentId()).values());
        if (credential != null) {
            secrets.add(credential.secret());
        }
        return Redaction.of(secrets);
    }

    private Uni<List<Credential>> credential(Revision revision) {
        UUID id = revision.deploymentSource().integrationId();
        return id == null ? Uni.createFrom().item(List.of())
                : integrations.get(revision.tenantId(), id)
                        .map(found -> integrationEncryptor.credential(found))
                        .map(found -> found == null ? List.<Credential> of() : List.of(found))
                        // The integration was deleted.
                        .onFailure(ProblemException.class).recoverWithItem(List.of());
    }

    private Uni<byte @Nullable []> platformSecrets(Revision revision) {
        return database.inWorkspace(revision.tenantId(), connection -> connection.preparedQuery(PLATFORM_SECRETS)
                .execute(Tuple.of(revision.tenantId(), revision.deploymentId())))
                .map(rows -> Rows.first(rows, row -> Rows.bytes(row, "platform_secrets")));
    }
}
