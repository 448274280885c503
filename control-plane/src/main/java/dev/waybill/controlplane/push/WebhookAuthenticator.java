package dev.waybill.controlplane.push;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonFactory;

import dev.waybill.common.limit.Bulkhead;
import dev.waybill.common.limit.KeyedSemaphore;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.controlplane.integration.Integration;
import dev.waybill.controlplane.integration.IntegrationEncryptor;
import dev.waybill.controlplane.integration.IntegrationService;
import dev.waybill.controlplane.source.RepositoryAddresses;
import io.smallrye.mutiny.Uni;

/**
 * Finds the integrations whose webhook secret signed a delivery. Verifying a large body against many secrets is
 * expensive and the sender is still unauthenticated, so it runs on worker threads, two at a time, with a bounded number
 * of waiting requests.
 */
@Singleton
class WebhookAuthenticator {

    private static final int MAX_CONCURRENT_CHECKS = 2;
    private static final int MAX_DELIVERIES = 100;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    /** Maximum number of integrations whose secret is tried for a push that names only its installation. */
    private static final int MAX_CANDIDATES = 50;

    private final IntegrationService integrations;
    private final IntegrationEncryptor encryptor;
    // Canonicalization would cache member names of unauthenticated bodies.
    private final JsonFactory json = JsonFactory.builder().disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES).build();
    private final Blocking blocking;
    private final KeyedSemaphore semaphore = new KeyedSemaphore(MAX_CONCURRENT_CHECKS);
    private final Bulkhead bulkhead = new Bulkhead(MAX_DELIVERIES, WebhookAuthenticator::tooManyDeliveries);
    private final byte[] dummySecret = new byte[32];

    WebhookAuthenticator(IntegrationService integrations, IntegrationEncryptor encryptor, Blocking blocking) {
        this.integrations = integrations;
        this.encryptor = encryptor;
        this.blocking = blocking;
        new SecureRandom().nextBytes(dummySecret);
    }

    /**
     * Returns the push with the integrations that signed it, among those of the installation that the body names. Fails
     * with 401 if no secret matches or the body names no installation, 400 if it is not a JSON object, 429 if too many
     * deliveries wait.
     */
    Uni<AuthenticatedPush> authenticate(WebhookDelivery delivery) {
        return bulkhead.execute(() -> throttled(() -> parse(delivery))
                .chain(event -> candidates(event)
                        .chain(candidates -> throttled(() -> signed(delivery, event, signers(delivery, candidates))))));
    }

    /**
     * Authenticates a delivery to one integration's own path. The body is parsed only after its signature is verified.
     */
    Uni<AuthenticatedPush> authenticate(UUID integrationId, WebhookDelivery delivery) {
        return bulkhead.execute(() -> integrations.findInAnyWorkspace(integrationId)
                .chain(found -> throttled(() -> {
                    List<Integration> signers = signers(delivery, found);
                    return signed(delivery, parse(delivery), signers);
                })));
    }

    // Each delivery holds its body in memory.
    private static ProblemException tooManyDeliveries() {
        return new ProblemException(CommonProblem.TOO_MANY_REQUESTS,
                "Too many webhook deliveries are being verified; retry this one later.").retryAfter(RETRY_AFTER);
    }

    private <T> Uni<T> throttled(Callable<T> work) {
        return semaphore.withPermit(blocking, () -> blocking.callOnPlatformThread(work));
    }

    private PushEvent parse(WebhookDelivery delivery) {
        return PushEvent.parse(delivery.body(), json);
    }

    private Uni<List<Integration>> candidates(PushEvent event) {
        if (event.installationId() < 0) {
            throw new ProblemException(CommonProblem.UNAUTHENTICATED,
                    "The body has no installation.id; send pushes to the integration's own webhook_path.");
        }
        List<String> addresses = event.addresses().stream()
                .flatMap(address -> RepositoryAddresses.selfAndParents(address).stream())
                .distinct()
                .toList();
        return integrations.findCandidates(addresses, event.installationId(), MAX_CANDIDATES);
    }

    // Verifies a dummy secret if there is no candidate, so that response times do not reveal whether the integration
    // exists.
    private List<Integration> signers(WebhookDelivery delivery, List<Integration> candidates) {
        List<Integration> signers = candidates.stream()
                .filter(one -> delivery.isSignedWith(encryptor.webhookSecret(one)))
                .toList();
        if (candidates.isEmpty()) {
            delivery.isSignedWith(dummySecret);
        }
        if (signers.isEmpty()) {
            throw new ProblemException(CommonProblem.UNAUTHENTICATED,
                    "The signature matches no integration of this repository; check the webhook's secret.");
        }
        return signers;
    }

    private static AuthenticatedPush signed(WebhookDelivery delivery, PushEvent event, List<Integration> signers) {
        return new AuthenticatedPush(delivery.id(), delivery.isPush() && !event.deleted(), event,
                delivery.sha256(), signers);
    }

    /**
     * A delivery whose signature was verified.
     *
     * @param id the delivery id that the sender chose
     * @param builds whether the event can trigger a build: a push that does not delete its branch
     * @param bodySha256 identifies repeated deliveries of one body under another id
     * @param signers the integrations whose webhook secret matches the signature
     */
    record AuthenticatedPush(String id, boolean builds, PushEvent event, byte[] bodySha256,
            List<Integration> signers) {
    }
}
