package dev.waybill.controlplane.push;

import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.controlplane.deployment.DeploymentService;
import dev.waybill.controlplane.deployment.PushedRef;
import dev.waybill.controlplane.integration.Integration;
import dev.waybill.controlplane.integration.IntegrationService;
import dev.waybill.controlplane.source.RepositoryAddresses;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/**
 * Takes pushes (contract.md "Deployment management"). Who may push is told by the signature alone, and whether a repository is
 * known here is not told to anybody without one.
 */
@Singleton
class PushService {

    private final Database database;
    private final IntegrationService integrations;
    private final DeploymentService deployments;
    private final DeliveryRepository deliveries;
    private final PushedBody bodies;

    PushService(Database database, IntegrationService integrations, DeploymentService deployments,
            DeliveryRepository deliveries, PushedBody bodies) {
        this.database = database;
        this.integrations = integrations;
        this.deployments = deployments;
        this.deliveries = deliveries;
        this.bodies = bodies;
    }

    /** The deployments that are built again; 401 when the signature is nobody's. */
    Uni<List<UUID>> take(Delivery delivery) {
        PushEvent event = bodies.parse(delivery);
        List<String> above = event.addresses().stream()
                .flatMap(address -> RepositoryAddresses.addressesAbove(address).stream())
                .distinct()
                .toList();
        return integrations.candidates(above, event.installationId(), bodies.mostCandidates())
                .map(candidates -> candidates.stream().filter(one -> bodies.isSigned(delivery, one)).toList())
                .invoke(PushService::requireSigned)
                .chain(signed -> Multi.createFrom().iterable(signed)
                        .onItem().transformToUniAndConcatenate(one -> build(one, event, delivery))
                        .collect().asList())
                .map(built -> built.stream().flatMap(List::stream).toList());
    }

    /** Forgets deliveries that have had their time. */
    Uni<Void> sweep() {
        return database.everyWorkspace(connection -> deliveries.sweep(connection, bodies.keep()));
    }

    // The delivery is noted in the transaction that makes the revisions: both are there, or neither.
    private Uni<List<UUID>> build(Integration integration, PushEvent event, Delivery delivery) {
        if (!delivery.isPush() || event.deleted()) {
            return Uni.createFrom().item(List.of());
        }
        UUID tenantId = integration.tenantId();
        return database.inWorkspace(tenantId, connection -> deliveries
                .take(connection, tenantId, integration.id(), delivery.id(), delivery.sha256())
                .chain(isNew -> isNew
                        ? deployments.pushed(connection, tenantId, integration.id(),
                                new PushedRef(event.addresses(), event.ref()))
                        : Uni.createFrom().item(List.<UUID> of())))
                .invoke(deployments::tell);
    }

    private static void requireSigned(List<Integration> signed) {
        if (signed.isEmpty()) {
            throw new ProblemException(CommonProblem.UNAUTHENTICATED,
                    "The signature fits no integration of this repository; check the webhook's secret.");
        }
    }
}
