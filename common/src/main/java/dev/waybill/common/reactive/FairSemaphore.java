package dev.waybill.common.reactive;

import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

import io.smallrye.mutiny.Uni;

/** Limits the number of concurrent operations; others wait in the order of their arrival. */
public final class FairSemaphore {

    private final Blocking blocking;
    private final Semaphore semaphore;

    public FairSemaphore(Blocking blocking, int permits) {
        this.blocking = blocking;
        this.semaphore = new Semaphore(permits, true);
    }

    /** Runs {@code work} as soon as a permit is available. */
    public <T> Uni<T> withPermit(Supplier<Uni<T>> work) {
        return Uni.createFrom().deferred(() -> {
            Permit permit = new Permit();
            return blocking.run(permit::acquire)
                    .chain(work::get)
                    .onTermination().invoke(permit::release);
        });
    }

    /** One acquisition; if the caller cancels while the permit is being acquired, the permit is released immediately. */
    private final class Permit {

        private boolean acquired;
        private boolean released;

        void acquire() throws InterruptedException {
            semaphore.acquire();
            synchronized (this) {
                acquired = true;
                if (released) {
                    semaphore.release();
                }
            }
        }

        synchronized void release() {
            if (acquired && !released) {
                semaphore.release();
            }
            released = true;
        }
    }
}
