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

/** Runs blocking work on threads that may block and continues on the caller's context. */
@Singleton
public class Blocking {

    private final ExecutorService virtualThreads = Executors
            .newThreadPerTaskExecutor(Thread.ofVirtual().name("waybill-blocking-", 0).factory());

    // Each wait of a virtual thread involves a scheduler and a poller: work with many short waits spends a tenth of its CPU
    // time there (docs/decisions/0032).
    private final ExecutorService platformThreads = Executors
            .newCachedThreadPool(Thread.ofPlatform().daemon().name("waybill-work-", 0).factory());

    /**
     * Runs {@code work} on a virtual thread. Cancelling the Uni interrupts it. Subsequent steps run on the caller's event loop,
     * if the caller has one. The work inherits the MDC of the caller.
     */
    public <T> Uni<T> call(Callable<T> work) {
        return call(virtualThreads, work);
    }

    /**
     * Runs {@code work} on a platform thread of its own, for long work whose concurrency the caller bounds. An interrupt does
     * not end a wait for a socket on such a thread.
     */
    public <T> Uni<T> callOnPlatformThread(Callable<T> work) {
        return call(platformThreads, work);
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
                .emitOn(callersContext()));
    }

    /** Like {@link #call}, for work without a result. */
    public Uni<Void> run(BlockingWork work) {
        return call(() -> {
            work.run();
            return null;
        });
    }

    private static Executor callersContext() {
        Context context = Vertx.currentContext();
        return context == null ? Infrastructure.getDefaultExecutor() : task -> context.runOnContext(ignored -> task.run());
    }

    @PreDestroy
    void stop() {
        virtualThreads.shutdownNow();
        platformThreads.shutdownNow();
    }

    /** Work without a result that may block and fail. */
    @FunctionalInterface
    public interface BlockingWork {

        /** Executes the work. */
        void run() throws Exception;
    }
}
