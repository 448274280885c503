package dev.waybill.controlplane.account;

import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.hibernate.reactive.mutiny.Mutiny;

import dev.waybill.common.idempotency.IdempotentCreation;
import io.quarkus.hibernate.reactive.panache.Panache;
import io.smallrye.mutiny.Uni;

/** {@link IdempotentCreation} within the transaction of the current Hibernate session. */
@Singleton
class HibernateIdempotentCreation {

    private final IdempotentCreation idempotency;

    HibernateIdempotentCreation(IdempotentCreation idempotency) {
        this.idempotency = idempotency;
    }

    /** Records the created resource for the request's {@code Idempotency-Key}, if it has one. */
    Uni<Void> recordCreated(UUID createdId) {
        return idempotency.recordCreated(createdId, HibernateIdempotentCreation::update);
    }

    private static Uni<Integer> update(String sql, List<Object> values) {
        return Panache.getSession()
                .chain(session -> query(session, sql, values).executeUpdate());
    }

    // Hibernate's form of the reactive client's placeholder $1 is ?1.
    private static Mutiny.MutationQuery query(Mutiny.Session session, String sql, List<Object> values) {
        Mutiny.MutationQuery query = session.createNativeQuery(sql.replace('$', '?'));
        for (int i = 0; i < values.size(); i++) {
            query.setParameter(i + 1, values.get(i));
        }
        return query;
    }
}
