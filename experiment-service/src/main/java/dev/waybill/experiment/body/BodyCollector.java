package dev.waybill.experiment.body;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;

/**
 * Gathers one body on its event loop. Once it is refused, what still comes is thrown away rather than left unread, because a
 * client that is cut off while sending never sees the answer; one that sends without end is cut off all the same.
 */
final class BodyCollector {

    private final HttpServerRequest request;
    // Taken at once: the request is known by its scope, which ends with the answer.
    private final HttpConnection connection;
    private final BodyBuffer bytes;
    private final int limit;
    private final UniEmitter<? super BodyBuffer> emitter;
    private boolean over;
    private long thrownAway;

    BodyCollector(HttpServerRequest request, BodyBuffer bytes, int limit, UniEmitter<? super BodyBuffer> emitter) {
        this.request = request;
        this.connection = request.connection();
        this.bytes = bytes;
        this.limit = limit;
        this.emitter = emitter;
    }

    /** Throws away what still comes of a request that is refused unread, up to a bound. */
    static void throwAway(HttpServerRequest request, long most) {
        HttpConnection connection = request.connection();
        long[] thrownAway = { 0 };
        request.exceptionHandler(ignored -> {
            // Nobody waits for it.
        });
        request.handler(piece -> {
            thrownAway[0] += piece.length();
            if (thrownAway[0] > most) {
                connection.close();
            }
        });
        request.resume();
    }

    void start() {
        request.handler(this::take);
        request.endHandler(ignored -> end());
        request.exceptionHandler(this::brokenOff);
        request.resume();
    }

    private void take(Buffer piece) {
        if (over) {
            throwAway(piece);
            return;
        }
        try {
            bytes.append(piece);
        } catch (ProblemException e) {
            refuse(e);
        }
    }

    private void throwAway(Buffer piece) {
        thrownAway += piece.length();
        if (thrownAway > limit) {
            connection.close();
        }
    }

    private void refuse(Throwable reason) {
        if (!over) {
            over = true;
            bytes.release();
            emitter.fail(reason);
        }
    }

    private void end() {
        if (!over) {
            over = true;
            emitter.complete(bytes);
        }
    }

    private void brokenOff(Throwable cause) {
        refuse(new ProblemException(CommonProblem.MALFORMED_REQUEST, "The body ended before it was whole.", cause));
    }
}
