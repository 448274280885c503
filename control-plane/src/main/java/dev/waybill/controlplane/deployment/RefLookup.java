package dev.waybill.controlplane.deployment;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.controlplane.integration.IntegrationEncryptor;
import dev.waybill.controlplane.integration.IntegrationService;
import dev.waybill.controlplane.source.Credential;
import dev.waybill.controlplane.source.SourceClient;
import dev.waybill.controlplane.source.SourceClient.Resolution;
import io.smallrye.mutiny.Uni;

/** Resolves a deployment's ref to its current commit while a client waits. Must run outside of transactions. */
@Singleton
class RefLookup {

    // Clients and proxies time out after a minute; slower refs are resolved in the revision's resolve step.
    private static final Duration MAX_DURATION = Duration.ofSeconds(20);
    private static final Resolution NO_RESPONSE = new Resolution.Unreachable("no response", true);
    private static final int MAX_CONCURRENT_PER_WORKSPACE = 8;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final SourceClient sources;
    private final IntegrationService integrations;
    private final IntegrationEncryptor encryptor;
    private final Duration timeout;
    private final Map<UUID, Integer> active = new ConcurrentHashMap<>();

    @Inject
    RefLookup(SourceClient sources, IntegrationService integrations, IntegrationEncryptor encryptor) {
        this(sources, integrations, encryptor, MAX_DURATION);
    }

    RefLookup(SourceClient sources, IntegrationService integrations, IntegrationEncryptor encryptor, Duration timeout) {
        this.timeout = timeout;
        this.sources = sources;
        this.integrations = integrations;
        this.encryptor = encryptor;
    }

    /**
     * Returns the commit; empty if it cannot be resolved. Fails with 429 if the workspace has too many concurrent
     * lookups.
     */
    Uni<Optional<String>> commit(Deployment deployment) {
        String repository = String.valueOf(deployment.specification().deploymentSource().repoUrl());
        String ref = String.valueOf(deployment.specification().revisionSource().repoRef());
        return limited(deployment.tenantId(), credential(deployment)
                .chain(credential -> sources.resolve(repository, ref, credential.orElse(null)))
                .ifNoItem().after(timeout).recoverWithItem(NO_RESPONSE)
                .map(RefLookup::found));
    }

    private static Optional<String> found(Resolution resolution) {
        return resolution instanceof Resolution.Resolved found ? Optional.of(found.commit()) : Optional.empty();
    }

    private Uni<Optional<Credential>> credential(Deployment deployment) {
        UUID id = deployment.specification().deploymentSource().integrationId();
        return id == null ? Uni.createFrom().item(Optional.empty())
                : integrations.get(deployment.tenantId(), id)
                        .map(found -> Optional.ofNullable(encryptor.credential(found)));
    }

    private <T> Uni<T> limited(UUID tenantId, Uni<T> lookup) {
        return Uni.createFrom().deferred(() -> {
            if (active.merge(tenantId, 1, Integer::sum) > MAX_CONCURRENT_PER_WORKSPACE) {
                release(tenantId);
                throw new ProblemException(CommonProblem.TOO_MANY_REQUESTS,
                        "Too many refs of this workspace are being resolved; retry the change later.")
                        .retryAfter(RETRY_AFTER);
            }
            return lookup.onTermination().invoke(() -> release(tenantId));
        });
    }

    private void release(UUID tenantId) {
        active.computeIfPresent(tenantId, (_, count) -> count == 1 ? null : count - 1);
    }
}
