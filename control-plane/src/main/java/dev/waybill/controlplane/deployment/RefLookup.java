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
import dev.waybill.controlplane.source.Resolution;
import dev.waybill.controlplane.source.SourceClient;
import io.smallrye.mutiny.Uni;

/** Looks up which commit a deployment's reference names now, while a caller waits. Outside of any transaction. */
@Singleton
class RefLookup {

    // Callers and what is between wait for a minute at most; whatever takes longer is left to the revision's own lookup.
    private static final Duration LONGEST = Duration.ofSeconds(20);
    private static final Resolution SILENT = new Resolution.Unreachable("no answer", true);
    private static final int MAX_OF_ONE_WORKSPACE = 8;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final SourceClient sources;
    private final IntegrationService integrations;
    private final IntegrationEncryptor safe;
    private final Duration timeout;
    private final Map<UUID, Integer> underWay = new ConcurrentHashMap<>();

    @Inject
    RefLookup(SourceClient sources, IntegrationService integrations, IntegrationEncryptor safe) {
        this(sources, integrations, safe, LONGEST);
    }

    RefLookup(SourceClient sources, IntegrationService integrations, IntegrationEncryptor safe, Duration timeout) {
        this.timeout = timeout;
        this.sources = sources;
        this.integrations = integrations;
        this.safe = safe;
    }

    /** The commit; empty when it cannot be found out. 429 when the workspace asks for too many at once. */
    Uni<Optional<String>> commit(Deployment deployment) {
        String repository = String.valueOf(deployment.want().deploymentSource().repoUrl());
        String ref = String.valueOf(deployment.want().revisionSource().repoRef());
        return limited(deployment.tenantId(), credential(deployment)
                .chain(credential -> sources.resolve(repository, ref, credential.orElse(null)))
                .ifNoItem().after(timeout).recoverWithItem(SILENT)
                .map(RefLookup::found));
    }

    private static Optional<String> found(Resolution resolution) {
        return resolution instanceof Resolution.Resolved found ? Optional.of(found.commit()) : Optional.empty();
    }

    private Uni<Optional<Credential>> credential(Deployment deployment) {
        UUID id = deployment.want().deploymentSource().integrationId();
        return id == null ? Uni.createFrom().item(Optional.empty())
                : integrations.get(deployment.tenantId(), id)
                        .map(found -> Optional.ofNullable(safe.credential(found)));
    }

    private <T> Uni<T> limited(UUID tenantId, Uni<T> lookup) {
        return Uni.createFrom().deferred(() -> {
            if (underWay.merge(tenantId, 1, Integer::sum) > MAX_OF_ONE_WORKSPACE) {
                end(tenantId);
                throw new ProblemException(CommonProblem.TOO_MANY_REQUESTS,
                        "Too many references of this workspace are being looked up; send the change again.")
                        .retryAfter(RETRY_AFTER);
            }
            return lookup.onTermination().invoke(() -> end(tenantId));
        });
    }

    private void end(UUID tenantId) {
        underWay.computeIfPresent(tenantId, (_, count) -> count == 1 ? null : count - 1);
    }
}
