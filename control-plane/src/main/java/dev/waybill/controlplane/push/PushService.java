package dev.waybill.controlplane.push;

import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import dev.waybill.controlplane.deployment.DeploymentService;
import dev.waybill.controlplane.deployment.PushedRef;
import dev.waybill.controlplane.integration.Integration;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/**
 * Takes pushes (contract.md "Deployment management"). Who may push is told by the signature alone, and whether a repository is
 * known here is not told to anybody without one.
 */
@Singleton
class PushService {

    private final Database database;
    private final DeploymentService deployments;
    private final DeliveryRepository deliveries;
    private final WebhookAuthenticator senders;
    private final PushConfig config;

    PushService(Database database, DeploymentService deployments, DeliveryRepository deliveries, WebhookAuthenticator senders,
            PushConfig config) {
        this.database = database;
        this.deployments = deployments;
        this.deliveries = deliveries;
        this.senders = senders;
        this.config = config;
    }

    /** The deployments that are built again; 401 when the signature is nobody's of the named installation. */
    Uni<List<UUID>> take(WebhookDelivery delivery) {
        return take(senders.identify(delivery));
    }

    /** The deployments that are built again; 401 when the signature is not that integration's. */
    Uni<List<UUID>> take(UUID integrationId, WebhookDelivery delivery) {
        return take(senders.identify(integrationId, delivery));
    }

    private Uni<List<UUID>> take(Uni<AuthenticatedPush> signed) {
        return signed
                .chain(push -> Multi.createFrom().iterable(push.builds() ? push.signers() : List.of())
                        .onItem().transformToUniAndConcatenate(signer -> build(signer, push))
                        .collect().asList())
                .map(built -> built.stream().flatMap(List::stream).toList());
    }

    /** Forgets deliveries that have had their time. */
    Uni<Void> sweep() {
        return database.everyWorkspace(connection -> deliveries.sweep(connection, config.keep()));
    }

    // The delivery is noted in the transaction that makes the revisions: both are there, or neither.
    private Uni<List<UUID>> build(Integration signer, AuthenticatedPush push) {
        UUID tenantId = signer.tenantId();
        return database.inWorkspace(tenantId, connection -> deliveries
                .take(connection, tenantId, signer.id(), push.id(), push.bodySha256())
                .chain(isNew -> isNew
                        ? deployments.pushed(connection, tenantId, signer.id(),
                                new PushedRef(push.event().addresses(), push.event().ref()))
                        : Uni.createFrom().item(List.<UUID> of())))
                .invoke(deployments::tell);
    }
}
