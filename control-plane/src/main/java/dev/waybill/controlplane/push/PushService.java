package dev.waybill.controlplane.push;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.deployment.WebhookDeliveryResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;
import dev.waybill.controlplane.deployment.DeploymentService;
import dev.waybill.controlplane.integration.Integration;
import dev.waybill.controlplane.integration.IntegrationService;
import dev.waybill.controlplane.push.WebhookAuthenticator.AuthenticatedPush;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Handles push webhooks (contract.md "Deployment management"). The signature alone authorizes a push, and responses to
 * unsigned requests do not reveal whether a repository is registered.
 */
@Singleton
class PushService {

    private static final Duration RETENTION = Duration.ofDays(30);

    private final Database database;
    private final DeploymentService deployments;
    private final DeliveryRepository deliveries;
    private final IntegrationService integrations;
    private final WebhookAuthenticator authenticator;

    PushService(Database database, DeploymentService deployments, DeliveryRepository deliveries,
            IntegrationService integrations, WebhookAuthenticator authenticator) {
        this.database = database;
        this.deployments = deployments;
        this.deliveries = deliveries;
        this.integrations = integrations;
        this.authenticator = authenticator;
    }

    /**
     * Returns the deployments that are rebuilt; fails with 401 if no integration of the named installation signed the
     * delivery.
     */
    Uni<List<UUID>> receive(WebhookDelivery delivery) {
        return receive(authenticator.authenticate(delivery));
    }

    /** Returns the deployments that are rebuilt; fails with 401 if the integration did not sign the delivery. */
    Uni<List<UUID>> receive(UUID integrationId, WebhookDelivery delivery) {
        return receive(authenticator.authenticate(integrationId, delivery));
    }

    private Uni<List<UUID>> receive(Uni<AuthenticatedPush> signed) {
        return signed
                .chain(push -> Multi.createFrom().iterable(push.builds() ? push.signers() : List.of())
                        .onItem().transformToUniAndConcatenate(signer -> store(signer, push))
                        .collect().asList())
                .map(built -> built.stream().flatMap(List::stream).toList());
    }

    /** Deletes deliveries older than the retention. */
    @Scheduled(identity = "push-sweep", every = "1h", delayed = "2m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> deleteExpired() {
        return database.everyWorkspace(connection -> deliveries.deleteExpired(connection, RETENTION));
    }

    // The delivery and its revisions are stored in one transaction, so that a retry after a failure is not treated as a
    // duplicate.
    private Uni<List<UUID>> store(Integration signer, AuthenticatedPush push) {
        UUID tenantId = signer.tenantId();
        return database.inWorkspace(tenantId, connection -> deliveries.insertIfNew(connection, tenantId, signer.id(), push)
                .chain(isNew -> isNew ? build(connection, signer, push)
                        : Uni.createFrom().item(List.<UUID> of())))
                .invoke(built -> deployments.publishChange(tenantId, built));
    }

    private Uni<List<UUID>> build(SqlConnection connection, Integration signer, AuthenticatedPush push) {
        UUID tenantId = signer.tenantId();
        return deployments.rebuildPushed(connection, tenantId, signer.id(), push.event().addresses(), push.event().ref())
                .call(built -> built.isEmpty() ? Uni.createFrom().voidItem()
                        : deliveries.setDeployments(connection, tenantId, signer.id(), push.id(), built));
    }

    /** Lists the deliveries of an integration, newest first; fails with 404 if the workspace does not have it. */
    Uni<Page<WebhookDeliveryResponse>> deliveries(UUID tenantId, UUID integrationId, PageParameters page) {
        return database.inWorkspace(tenantId, connection -> integrations.require(connection, tenantId, integrationId)
                .chain(() -> deliveries.list(connection, tenantId, integrationId, page)));
    }
}
