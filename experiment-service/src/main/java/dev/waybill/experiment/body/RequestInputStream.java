package dev.waybill.experiment.body;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import org.jspecify.annotations.Nullable;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/**
 * A request's body for a thread that may block. A reader that is slow slows the sender: only a few pieces are asked for ahead.
 */
final class RequestInputStream extends InputStream {

    private static final int PIECES_AHEAD = 8;
    // Asking wakes the event loop up, which costs as much as a piece is worth.
    private static final int PIECES_ASKED_FOR = 4;
    private static final Arrived END = new Arrived(null, null);

    private final HttpServerRequest request;
    private final Context context;
    private final BlockingQueue<Arrived> arrived = new LinkedBlockingQueue<>();
    private @Nullable Buffer piece;
    private int at;
    private int taken;
    private boolean ended;
    // Of the event loop alone.
    private long mostThrownAway = -1;
    private long thrownAway;
    private boolean whole;

    private RequestInputStream(HttpServerRequest request, Context context) {
        this.request = request;
        this.context = context;
    }

    /** Begins to take in the body; to be called on the request's event loop. */
    static RequestInputStream of(HttpServerRequest request) {
        RequestInputStream stream = new RequestInputStream(request, Vertx.currentContext());
        request.pause();
        request.handler(stream::take);
        request.endHandler(ignored -> stream.end());
        request.exceptionHandler(cause -> stream.arrived.add(new Arrived(null, cause)));
        request.fetch(PIECES_AHEAD);
        return stream;
    }

    /**
     * Throws away what still comes, because a client that is cut off while sending never sees its answer; one that sends more
     * than {@code most} bytes is cut off all the same.
     */
    void throwAwayTheRest(long most) {
        context.runOnContext(ignored -> {
            mostThrownAway = most;
            arrived.clear();
            if (!whole) {
                request.resume();
            }
        });
    }

    private void take(Buffer arrivedPiece) {
        if (mostThrownAway < 0) {
            arrived.add(new Arrived(arrivedPiece, null));
            return;
        }
        thrownAway += arrivedPiece.length();
        if (thrownAway > mostThrownAway) {
            request.connection().close();
        }
    }

    private void end() {
        whole = true;
        arrived.add(END);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Buffer present = piece == null || at == piece.length() ? next() : piece;
        if (present == null) {
            return -1;
        }
        int count = Math.min(length, present.length() - at);
        present.getBytes(at, at + count, into, offset);
        at += count;
        return count;
    }

    // Whether more can be had without waiting does not matter here, only that there may be more.
    @Override
    public int available() {
        return ended ? 0 : 1;
    }

    private @Nullable Buffer next() throws IOException {
        at = 0;
        piece = null;
        while (!ended && (piece == null || piece.length() == 0)) {
            Arrived came = await();
            if (came.cause() != null) {
                throw new IOException("the body ended before it was whole", came.cause());
            }
            ended = came == END;
            piece = came.piece();
            taken++;
            if (!ended && taken % PIECES_ASKED_FOR == 0) {
                context.runOnContext(ignored -> request.fetch(PIECES_ASKED_FOR));
            }
        }
        return ended ? null : piece;
    }

    private Arrived await() throws IOException {
        try {
            return arrived.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("nobody waits for the body any more", e);
        }
    }

    private record Arrived(@Nullable Buffer piece, @Nullable Throwable cause) {
    }
}
