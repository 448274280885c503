package dev.waybill.common.reactive;

import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

import io.smallrye.mutiny.Uni;

/** Lets so many pieces of work be done at once; the others wait in the order they came. */
public final class FairSemaphore {

    private final Blocking blocking;
    private final Semaphore free;

    public FairSemaphore(Blocking blocking, int atOnce) {
        this.blocking = blocking;
        this.free = new Semaphore(atOnce, true);
    }

    /** The result of {@code work}, begun when its turn has come. */
    public <T> Uni<T> inTurn(Supplier<Uni<T>> work) {
        return Uni.createFrom().deferred(() -> {
            Turn turn = new Turn();
            return blocking.run(turn::waitFor)
                    .chain(work::get)
                    .onTermination().invoke(turn::end);
        });
    }

    /** One turn; a caller who goes away while it is being given leaves it to the next. */
    private final class Turn {

        private boolean given;
        private boolean over;

        void waitFor() throws InterruptedException {
            free.acquire();
            synchronized (this) {
                given = true;
                if (over) {
                    free.release();
                }
            }
        }

        synchronized void end() {
            if (given && !over) {
                free.release();
            }
            over = true;
        }
    }
}
