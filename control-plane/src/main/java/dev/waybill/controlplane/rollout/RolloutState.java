package dev.waybill.controlplane.rollout;

import java.net.URI;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.DeploymentSource;
import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.common.api.deployment.SourceKind;
import dev.waybill.controlplane.engine.Engine;

/**
 * The state of a claimed deployment.
 *
 * @param needsCleanup whether other revisions may still have resources that must be removed
 * @param tries number of unsuccessful attempts of the current step
 * @param dueAt the time at which it was due; a different value at the next write means that it was made due in the meantime
 * @param platformSecrets the platform's secrets for the application, encrypted
 * @param newest the latest revision
 * @param active the revision that serves requests; equal to {@code newest} once that is deployed
 */
record RolloutState(UUID tenantId, UUID id, String name, int port, URI url, boolean deleted, boolean needsCleanup,
        int tries,
        @Nullable OffsetDateTime dueAt, byte @Nullable [] platformSecrets, @Nullable Target newest, @Nullable Target active) {

    /** Returns the greatest revision number that this worker knows; a deleted deployment gets no further revisions. */
    long newestNumber() {
        return deleted ? Engine.MAX_REVISION_NUMBER : newest == null ? 0 : newest.number();
    }

    /**
     * A revision to reconcile.
     *
     * @param age time since the current step started
     * @param secrets the revision's secrets, encrypted
     * @param platformVariables names of the platform's secrets that the revision has; null: all
     * @param logLines number of lines in its log
     * @param traceParent the trace context of the creating request; null if tracing is off
     */
    public record Target(UUID id, long number, RevisionStatus status, @Nullable String message, SourceKind kind,
            DeploymentSource source, RevisionSource revision, byte @Nullable [] secrets,
            @Nullable Set<String> platformVariables, Duration age, long logLines, @Nullable String traceParent) {
    }
}
