package dev.waybill.export.lake.iceberg;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;

/** Waits for results on the threads of publications, because Iceberg's interfaces block. */
public final class Waiting {

    private Waiting() {
    }

    /** Returns the result, or throws its failure; an interrupt cancels it. */
    public static <T> T await(Uni<T> uni, Duration timeout) {
        if (Context.isOnEventLoopThread()) {
            throw new IllegalStateException("event loops must not wait");
        }
        CompletableFuture<T> result = uni.ifNoItem().after(timeout).fail().subscribeAsCompletionStage();
        try {
            return result.get();
        } catch (InterruptedException e) {
            result.cancel(true);
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure
                    : new IllegalStateException(e.getCause());
        }
    }
}
