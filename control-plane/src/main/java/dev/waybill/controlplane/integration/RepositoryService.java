package dev.waybill.controlplane.integration;

import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.deployment.RepositoryResponse;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.controlplane.source.RepositoryHost;
import dev.waybill.controlplane.source.RepositoryListing;
import dev.waybill.controlplane.source.SourceClient;
import io.smallrye.mutiny.Uni;

/** Lists the repositories that an integration has access to. */
@Singleton
class RepositoryService {

    private final IntegrationService integrations;
    private final IntegrationEncryptor encryptor;
    private final SourceClient sources;

    RepositoryService(IntegrationService integrations, IntegrationEncryptor encryptor, SourceClient sources) {
        this.integrations = integrations;
        this.encryptor = encryptor;
        this.sources = sources;
    }

    /** Returns the repositories; fails with 409 and the host's reason if they cannot be listed. */
    Uni<List<RepositoryResponse>> list(UUID tenantId, UUID id) {
        return integrations.get(tenantId, id)
                .map(found -> new RepositoryHost(found.provider(), found.baseUrl(), found.installationId(), found.name(),
                        encryptor.credential(found)))
                .chain(sources::repositories)
                .map(RepositoryService::toResponses);
    }

    private static List<RepositoryResponse> toResponses(RepositoryListing listing) {
        return switch (listing) {
            case RepositoryListing.Found found -> found.repositories().stream()
                    .map(one -> new RepositoryResponse(one.owner(), one.name(), one.url(), one.defaultBranch(),
                            one.isPrivate()))
                    .toList();
            case RepositoryListing.Failed failed -> throw new ProblemException(CommonProblem.CONFLICT, failed.reason());
        };
    }
}
