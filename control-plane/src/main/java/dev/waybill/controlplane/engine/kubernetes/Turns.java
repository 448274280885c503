package dev.waybill.controlplane.engine.kubernetes;

import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;

/**
 * Who makes something of a deployment and who takes it away take turns; makers do not wait for each other. A step that was
 * cancelled takes a moment to come to its end, and a look goes on beside one: what they make last must not come after what is
 * taken away. A deployment is remembered for as long as somebody works on it.
 */
final class Turns {

    private final ConcurrentMap<UUID, Turn> turns = new ConcurrentHashMap<>();

    /** Does what makes something. */
    <T> T making(UUID deploymentId, Callable<T> work) throws Exception {
        return alone(deploymentId, ReadWriteLock::readLock, work);
    }

    /** Does what takes something away. */
    <T> T removing(UUID deploymentId, Callable<T> work) throws Exception {
        return alone(deploymentId, ReadWriteLock::writeLock, work);
    }

    /** How many deployments somebody works on. */
    int size() {
        return turns.size();
    }

    /** Whether somebody waits for their turn. */
    boolean isWaitedFor(UUID deploymentId) {
        Turn turn = turns.get(deploymentId);
        return turn != null && turn.lock().hasQueuedThreads();
    }

    private <T> T alone(UUID deploymentId, Function<ReadWriteLock, Lock> kind, Callable<T> work) throws Exception {
        Turn turn = turns.compute(deploymentId,
                (_, known) -> (known == null ? new Turn(new ReentrantReadWriteLock(), 0) : known)
                        .with(1));
        try {
            Lock lock = kind.apply(turn.lock());
            lock.lockInterruptibly();
            try {
                return work.call();
            } finally {
                lock.unlock();
            }
        } finally {
            turns.computeIfPresent(deploymentId, (_, known) -> known.users() == 1 ? null : known.with(-1));
        }
    }

    /** @param users who have it or wait for it */
    private record Turn(ReentrantReadWriteLock lock, int users) {

        Turn with(int more) {
            return new Turn(lock, users + more);
        }
    }
}
