package dev.waybill.controlplane.push;

import java.util.List;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonFactory;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.common.reactive.Turns;
import dev.waybill.controlplane.integration.Integration;
import dev.waybill.controlplane.integration.IntegrationSafe;
import dev.waybill.controlplane.integration.IntegrationService;
import dev.waybill.controlplane.source.address.RepositoryAddresses;
import io.smallrye.mutiny.Uni;

/**
 * Finds out who sent a delivery. A body of some MB under many secrets takes a while, and its sender has shown nothing yet: it
 * is
 * done beside the event loop, two at a time, and only so many may wait for that.
 */
@Singleton
class Senders {

    private static final int AT_ONCE = 2;

    private final IntegrationService integrations;
    private final IntegrationSafe safe;
    // Names of members are not remembered: those of a body that nobody signed are nobody's.
    private final JsonFactory json = JsonFactory.builder().disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES).build();
    private final Blocking blocking;
    private final Turns turns;
    private final Room room;
    private final int mostCandidates;

    Senders(IntegrationService integrations, IntegrationSafe safe, Blocking blocking, PushConfig config) {
        this.integrations = integrations;
        this.safe = safe;
        this.blocking = blocking;
        this.turns = new Turns(blocking, AT_ONCE);
        this.room = new Room(config.atOnce());
        this.mostCandidates = config.mostCandidates();
    }

    /** Who signed it; 401 when nobody did, 400 when it is no JSON object, 429 when there is no room. */
    Uni<SignedPush> identify(Delivery delivery) {
        return room.within(() -> turns.inTurn(() -> blocking.callAtLength(() -> PushEvent.parse(delivery.body(), json)))
                .chain(event -> candidates(event)
                        .chain(candidates -> turns
                                .inTurn(() -> blocking.callAtLength(() -> signed(delivery, event, candidates))))));
    }

    private Uni<List<Integration>> candidates(PushEvent event) {
        List<String> above = event.addresses().stream()
                .flatMap(address -> RepositoryAddresses.addressesAbove(address).stream())
                .distinct()
                .toList();
        return integrations.candidates(above, event.installationId(), mostCandidates);
    }

    private SignedPush signed(Delivery delivery, PushEvent event, List<Integration> candidates) {
        List<Integration> signers = candidates.stream()
                .filter(one -> delivery.signature().fits(delivery.body(), safe.webhookSecret(one)))
                .toList();
        if (signers.isEmpty()) {
            throw new ProblemException(CommonProblem.UNAUTHENTICATED,
                    "The signature fits no integration of this repository; check the webhook's secret.");
        }
        return new SignedPush(delivery.id(), delivery.isPush() && !event.deleted(), event, delivery.sha256(), signers);
    }
}
