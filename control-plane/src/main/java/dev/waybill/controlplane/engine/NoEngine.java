package dev.waybill.controlplane.engine;

import java.util.Set;
import java.util.UUID;

import jakarta.inject.Singleton;

import io.quarkus.arc.DefaultBean;
import io.smallrye.mutiny.Uni;

/** What there is where no engine is configured: revisions fail and say why. */
@Singleton
@DefaultBean
class NoEngine implements Engine {

    private static final String REASON = "No engine is configured here, so nothing can be built or run; the operator sets one up.";

    @Override
    public Uni<Outcome> prepare(Plan plan, BuildLog log) {
        return Uni.createFrom().item(Outcome.Failed.forGood(REASON));
    }

    @Override
    public Uni<Outcome> start(Plan plan, BuildLog log) {
        return Uni.createFrom().item(Outcome.Failed.forGood(REASON));
    }

    @Override
    public Uni<Observation> observe(Plan plan) {
        return Uni.createFrom().item(new Observation.Failing(REASON));
    }

    /** Without an engine nothing was ever started. */
    @Override
    public Uni<Outcome> stop(UUID tenantId, UUID deploymentId, Set<UUID> keep) {
        return Uni.createFrom().item(new Outcome.Done());
    }
}
