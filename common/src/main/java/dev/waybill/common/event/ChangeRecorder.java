package dev.waybill.common.event;

import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

/**
 * Records changes in memory, after their commit; {@link ChangeWriter} writes them for all replicas. Recording never waits and
 * never fails. Changes of a process that crashes before they are written are lost.
 */
@Singleton
public class ChangeRecorder {

    private final ChangeSet pending = new ChangeSet();

    /** Records a change of a session or of what belongs to it. */
    public void ofSession(UUID tenantId, ChangeType type, UUID sessionId, @Nullable UUID datasetId) {
        add(new Change(tenantId, type, sessionId, sessionId, datasetId, null));
    }

    /** Records a change of a dataset. */
    public void ofDataset(UUID tenantId, UUID datasetId) {
        add(new Change(tenantId, ChangeType.DATASET, datasetId, null, datasetId, null));
    }

    /** Records a change of a deployment. */
    public void ofDeployment(UUID tenantId, UUID deploymentId) {
        add(new Change(tenantId, ChangeType.DEPLOYMENT, deploymentId, null, null, deploymentId));
    }

    /** Records a change of a revision. */
    public void ofRevision(UUID tenantId, UUID deploymentId, UUID revisionId) {
        add(new Change(tenantId, ChangeType.REVISION, revisionId, null, null, deploymentId));
    }

    /** Records a change of an export or of what belongs to it. */
    public void ofExport(UUID tenantId, UUID exportId) {
        add(new Change(tenantId, ChangeType.EXPORT, exportId, null, null, null));
    }

    /** Records a change of several resources or of an unknown one. */
    public void ofSeveral(UUID tenantId, ChangeType type) {
        add(new Change(tenantId, type, Change.SEVERAL, null, null, null));
    }

    private synchronized void add(Change change) {
        pending.add(change);
    }

    /** Removes and returns the changes that are not written yet. */
    synchronized List<Change> drain() {
        return pending.isEmpty() ? List.of() : pending.drain();
    }

    /** Returns changes that could not be written. */
    synchronized void restore(List<Change> changes) {
        changes.forEach(pending::add);
    }
}
