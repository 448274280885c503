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

    /** Returns the organization; fails with 404 if it does not exist. */
    Uni<OrganizationEntity> require(UUID id) {
        return findById(id)
                .onItem().ifNull().failWith(() -> new ProblemException(CommonProblem.NOT_FOUND,
                        "There is no organization " + id + "."));
    }

    /** Returns the oldest organization of that name; null if none exists. */
    Uni<OrganizationEntity> findOldest(String name) {
        return find("name", Sort.ascending("createdAt", "id"), name)
                .firstResult();
    }
}
