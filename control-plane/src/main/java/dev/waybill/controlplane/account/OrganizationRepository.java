package dev.waybill.controlplane.account;

import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import io.quarkus.hibernate.reactive.panache.PanacheRepositoryBase;
import io.quarkus.panache.common.Sort;
import io.smallrye.mutiny.Uni;

@Singleton
class OrganizationRepository implements PanacheRepositoryBase<OrganizationEntity, UUID> {

    /** The organization, or 404. */
    Uni<OrganizationEntity> require(UUID id) {
        return findById(id)
                .onItem().ifNull().failWith(() -> new ProblemException(CommonProblem.NOT_FOUND,
                        "There is no organization " + id + "."));
    }

    /** The oldest organization of that name, or null. */
    Uni<OrganizationEntity> findOldest(String name) {
        return find("name", Sort.ascending("createdAt", "id"), name)
                .firstResult();
    }
}
