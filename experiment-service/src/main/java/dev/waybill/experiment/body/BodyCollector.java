package dev.waybill.experiment.body;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;

/**
 * Collects one request body on its event loop. After a rejection it reads and discards the rest up to a limit, because a
 * client whose connection is closed while it sends does not read the response; beyond the limit the connection is closed.
 */
final class BodyCollector {

    private final HttpServerRequest request;
    // Read in the constructor: the injected request is only valid while its scope is active.
    private final HttpConnection connection;
    private final BodyBuffer buffer;
    private final int limit;
    private final UniEmitter<? super BodyBuffer> emitter;
    private boolean done;
    private long discardedBytes;

    BodyCollector(HttpServerRequest request, BodyBuffer buffer, int limit, UniEmitter<? super BodyBuffer> emitter) {
        this.request = request;
        this.connection = request.connection();
        this.buffer = buffer;
        this.limit = limit;
        this.emitter = emitter;
    }

    /** Discards the rest of a rejected request's body; closes the connection after {@code limit} bytes. */
    static void discard(HttpServerRequest request, long limit) {
        HttpConnection connection = request.connection();
        long[] discardedBytes = { 0 };
        request.exceptionHandler(ignored -> {
            // The response has already been sent.
        });
        request.handler(chunk -> {
            discardedBytes[0] += chunk.length();
            if (discardedBytes[0] > limit) {
                connection.close();
            }
        });
        request.resume();
    }

    void start() {
        request.handler(this::append);
        request.endHandler(ignored -> end());
        request.exceptionHandler(this::abort);
        request.resume();
    }

    private void append(Buffer chunk) {
        if (done) {
            discardChunk(chunk);
            return;
        }
        try {
            buffer.append(chunk);
        } catch (ProblemException e) {
            fail(e);
        }
    }

    private void discardChunk(Buffer chunk) {
        discardedBytes += chunk.length();
        if (discardedBytes > limit) {
            connection.close();
        }
    }

    private void fail(Throwable failure) {
        if (!done) {
            done = true;
            buffer.release();
            emitter.fail(failure);
        }
    }

    private void end() {
        if (!done) {
            done = true;
            emitter.complete(buffer);
        }
    }

    private void abort(Throwable cause) {
        fail(new ProblemException(CommonProblem.MALFORMED_REQUEST, "The request body is incomplete.", cause));
    }
}
