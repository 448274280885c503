package dev.waybill.controlplane.account;

import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.hibernate.reactive.mutiny.Mutiny;

import dev.waybill.common.idempotency.IdempotentCreation;
import io.quarkus.hibernate.reactive.panache.Panache;
import io.smallrye.mutiny.Uni;

/** {@link IdempotentCreation} in the transaction of Hibernate's present session. */
@Singleton
class HibernateIdempotentCreation {

    private final IdempotentCreation mark;

    HibernateIdempotentCreation(IdempotentCreation mark) {
        this.mark = mark;
    }

    /** Notes what the present request made, should it have come with an {@code Idempotency-Key}. */
    Uni<Void> made(UUID createdId) {
        return mark.made(createdId, HibernateIdempotentCreation::update);
    }

    private static Uni<Integer> update(String sql, List<Object> values) {
        return Panache.getSession()
                .chain(session -> query(session, sql, values).executeUpdate());
    }

    // Hibernate spells the reactive client's $1 as ?1.
    private static Mutiny.MutationQuery query(Mutiny.Session session, String sql, List<Object> values) {
        Mutiny.MutationQuery query = session.createNativeQuery(sql.replace('$', '?'));
        for (int i = 0; i < values.size(); i++) {
            query.setParameter(i + 1, values.get(i));
        }
        return query;
    }
}
