package dev.waybill.common.reactive;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;

import org.jboss.logging.MDC;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/** Runs work that blocks on a thread that may, and comes back to where the caller was. */
@Singleton
public class Blocking {

    private final ExecutorService threads = Executors
            .newThreadPerTaskExecutor(Thread.ofVirtual().name("waybill-blocking-", 0).factory());

    // A virtual thread waits by way of a scheduler and a poller, each time: work of many short waits spends a tenth of its CPU
    // there (docs/decisions/0032).
    private final ExecutorService workers = Executors
            .newCachedThreadPool(Thread.ofPlatform().daemon().name("waybill-work-", 0).factory());

    /**
     * The result of {@code work}, which may block. Cancelling the Uni interrupts it. What follows runs on the caller's
     * event loop, when it came from one. Log lines of the work carry what the caller's do.
     */
    public <T> Uni<T> call(Callable<T> work) {
        return call(threads, work);
    }

    /**
     * As {@link #call}, for work of some length of which the caller bounds how much there is at once: it has a thread of the
     * system to itself, on which an interrupt does not end what waits for a socket.
     */
    public <T> Uni<T> callAtLength(Callable<T> work) {
        return call(workers, work);
    }

    private static <T> Uni<T> call(ExecutorService threads, Callable<T> work) {
        return Uni.createFrom().deferred(() -> Uni.createFrom()
                .<T> emitter(emitter -> {
                    Map<String, Object> ids = Map.copyOf(MDC.getMap());
                    var task = threads.submit(() -> {
                        try {
                            ids.forEach(MDC::put);
                            emitter.complete(work.call());
                        } catch (Throwable e) {
                            emitter.fail(e);
                        } finally {
                            MDC.clear();
                        }
                    });
                    emitter.onTermination(() -> task.cancel(true));
                })
                .emitOn(callersThread()));
    }

    /** As {@link #call}, for work without a result. */
    public Uni<Void> run(BlockingWork work) {
        return call(() -> {
            work.run();
            return null;
        });
    }

    private static Executor callersThread() {
        Context context = Vertx.currentContext();
        return context == null ? Infrastructure.getDefaultExecutor() : task -> context.runOnContext(ignored -> task.run());
    }

    @PreDestroy
    void stop() {
        threads.shutdownNow();
        workers.shutdownNow();
    }

    /** Work without a result that may block and fail. */
    @FunctionalInterface
    public interface BlockingWork {

        /** Does the work. */
        void run() throws Exception;
    }
}
