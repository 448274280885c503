package dev.waybill.controlplane.push;

import java.security.SecureRandom;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonFactory;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.common.reactive.FairSemaphore;
import dev.waybill.controlplane.integration.Integration;
import dev.waybill.controlplane.integration.IntegrationEncryptor;
import dev.waybill.controlplane.integration.IntegrationService;
import dev.waybill.controlplane.source.address.RepositoryAddresses;
import io.smallrye.mutiny.Uni;

/**
 * Finds out who sent a delivery. A body of some MB under many secrets takes a while, and its sender has shown nothing yet: it
 * is
 * done beside the event loop, two at a time, and only so many may wait for that.
 */
@Singleton
class WebhookAuthenticator {

    private static final int AT_ONCE = 2;

    private final IntegrationService integrations;
    private final IntegrationEncryptor safe;
    // Names of members are not remembered: those of a body that nobody signed are nobody's.
    private final JsonFactory json = JsonFactory.builder().disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES).build();
    private final Blocking blocking;
    private final FairSemaphore turns;
    private final Bulkhead room;
    private final int mostCandidates;
    private final byte[] nobodys = new byte[32];

    WebhookAuthenticator(IntegrationService integrations, IntegrationEncryptor safe, Blocking blocking, PushConfig config) {
        this.integrations = integrations;
        this.safe = safe;
        this.blocking = blocking;
        this.turns = new FairSemaphore(blocking, AT_ONCE);
        this.room = new Bulkhead(config.atOnce());
        this.mostCandidates = config.mostCandidates();
        new SecureRandom().nextBytes(nobodys);
    }

    /**
     * Returns who signed it, of the installation that the body names; 401 when nobody did or it names none, 400 when it is no
     * JSON object, 429 when there is no room.
     */
    Uni<AuthenticatedPush> identify(WebhookDelivery delivery) {
        return room.within(() -> inTurn(() -> parse(delivery))
                .chain(event -> candidates(event)
                        .chain(candidates -> inTurn(() -> signed(delivery, event, signers(delivery, candidates))))));
    }

    /** As {@link #identify(Delivery)}, of that integration alone; nothing of the body is read before its signature fits. */
    Uni<AuthenticatedPush> identify(UUID integrationId, WebhookDelivery delivery) {
        return room.within(() -> integrations.findInAnyWorkspace(integrationId)
                .chain(found -> inTurn(() -> {
                    List<Integration> signers = signers(delivery, found);
                    return signed(delivery, parse(delivery), signers);
                })));
    }

    private <T> Uni<T> inTurn(Callable<T> work) {
        return turns.withPermit(() -> blocking.callOnPlatformThread(work));
    }

    private PushEvent parse(WebhookDelivery delivery) {
        return PushEvent.parse(delivery.body(), json);
    }

    private Uni<List<Integration>> candidates(PushEvent event) {
        if (event.installationId() < 0) {
            throw new ProblemException(CommonProblem.UNAUTHENTICATED,
                    "The body names no installation.id; send pushes to the integration's own address, its webhook_path.");
        }
        List<String> above = event.addresses().stream()
                .flatMap(address -> RepositoryAddresses.addressesAbove(address).stream())
                .distinct()
                .toList();
        return integrations.candidates(above, event.installationId(), mostCandidates);
    }

    // One secret is always tried, so that the time taken does not tell whether there is such an integration.
    private List<Integration> signers(WebhookDelivery delivery, List<Integration> candidates) {
        List<Integration> signers = candidates.stream()
                .filter(one -> delivery.signature().fits(delivery.body(), safe.webhookSecret(one)))
                .toList();
        if (candidates.isEmpty()) {
            delivery.signature().fits(delivery.body(), nobodys);
        }
        if (signers.isEmpty()) {
            throw new ProblemException(CommonProblem.UNAUTHENTICATED,
                    "The signature fits no integration of this repository; check the webhook's secret.");
        }
        return signers;
    }

    private static AuthenticatedPush signed(WebhookDelivery delivery, PushEvent event, List<Integration> signers) {
        return new AuthenticatedPush(delivery.id(), delivery.isPush() && !event.deleted(), event, delivery.sha256(), signers);
    }
}
