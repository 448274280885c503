package dev.waybill.controlplane.rollout.rule;

import java.net.URI;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.DeploymentSource;
import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.common.api.deployment.SourceKind;
import dev.waybill.controlplane.engine.Engine;

/**
 * A deployment as a worker finds it.
 *
 * @param untidy whether something may be left that is to be stopped
 * @param tries of the present step that did not get it done
 * @param lookAt when it was due: another value later says that somebody asked for a look meanwhile
 * @param platformSecrets what the platform gives its application in confidence, sealed
 * @param newest its latest revision
 * @param active the revision that requests go to; the same as {@code newest} when that was deployed
 */
public record RolloutState(UUID tenantId, UUID id, String name, int port, URI url, boolean deleted, boolean untidy, int tries,
        @Nullable OffsetDateTime lookAt, byte @Nullable [] platformSecrets, @Nullable Target newest, @Nullable Target active) {

    /** The greatest number of a revision as far as this worker knows; of a deleted deployment nothing later can come. */
    public long newestNumber() {
        return deleted ? Engine.EVERY : newest == null ? 0 : newest.number();
    }

    /**
     * A revision to work on.
     *
     * @param age how long ago its present step became due
     * @param secrets sealed
     * @param logLines how many lines its log has
     * @param traceParent the trace of the request that made it; null where nobody collects them
     */
    public record Target(UUID id, long number, RevisionStatus status, @Nullable String message, SourceKind kind,
            DeploymentSource source, RevisionSource revision, byte @Nullable [] secrets, Duration age, long logLines,
            @Nullable String traceParent) {
    }
}
