package dev.waybill.controlplane.engine.local.proxy;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A request and its response. The connection's thread sends the request, a thread of the exchange forwards the response. */
final class ProxyExchange {

    private static final int LINGER_SECONDS = 2;

    private final HttpHead request;
    private final Socket client;
    private final Socket application;
    private final Backend backend;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch left = new CountDownLatch(1);
    private final Object responseLock = new Object();
    private boolean responseStarted;
    private boolean rejected;
    private volatile boolean reusable;
    private volatile long endedAt;

    private ProxyExchange(HttpHead request, Socket client, Socket application, Backend backend) {
        this.request = request;
        this.client = client;
        this.application = application;
        this.backend = backend;
    }

    /**
     * @throws IOException if the application does not accept the request; nothing was sent, and the caller must release the
     *         backend
     */
    static ProxyExchange begin(HttpHead request, Socket client, Backend backend) throws IOException {
        Socket application = backend.connect();
        try {
            application.getOutputStream().write(request.forwarded(false));
        } catch (IOException e) {
            application.close();
            throw e;
        }
        ProxyExchange exchange = new ProxyExchange(request, client, application, backend);
        Thread.ofVirtual().start(exchange::forwardResponse);
        return exchange;
    }

    /**
     * Sends the rest of the request. If the application has responded early and does not read it, the rest is discarded.
     *
     * @return whether the connection can be reused; false after a malformed body
     */
    boolean send(BufferedInput input) throws IOException {
        boolean complete = false;
        try {
            BodyFraming body = BodyFraming.ofRequest(request);
            boolean accepted = true;
            while (!body.isComplete()) {
                if (!input.fill()) {
                    throw new IOException("the client has disconnected");
                }
                accepted = transfer(input, input.available(body), accepted);
            }
            complete = true;
            return true;
        } catch (RequestException e) {
            if (reject(e.response())) {
                ClientConnection.drain(client);
            }
            return false;
        } finally {
            if (!complete) {
                // The application must not wait for the rest of an aborted or malformed body.
                abort();
            }
        }
    }

    /** @return whether the client has a complete response, this one or the application's */
    private boolean reject(ProxyError response) throws IOException {
        synchronized (responseLock) {
            boolean first = !responseStarted && !rejected;
            rejected = true;
            if (first) {
                client.getOutputStream().write(response.bytes(request));
            }
            return first || ended.getCount() == 0;
        }
    }

    private boolean transfer(BufferedInput input, int part, boolean accepted) throws IOException {
        if (accepted) {
            try {
                input.transfer(application.getOutputStream(), part);
                return true;
            } catch (IOException _) {
                // The application has responded; the other thread forwards the response.
            }
        }
        input.skip(part);
        return false;
    }

    /** @return whether the connection can be reused */
    boolean awaitEnd() {
        try {
            ended.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        left.countDown();
        return reusable;
    }

    /** Returns the {@link System#nanoTime} of the end; {@code now} while in progress. */
    long endOr(long now) {
        return ended.getCount() == 0 ? endedAt : now;
    }

    /** Aborts the exchange because the client has disconnected. */
    void abort() {
        left.countDown();
        close(application);
    }

    private void forwardResponse() {
        boolean complete = false;
        try (application) {
            BufferedInput input = new BufferedInput(application.getInputStream());
            HttpHead head = HttpHead.readResponse(input);
            while (head != null && head.isInterim()) {
                write(head.forwarded(true), false);
                head = HttpHead.readResponse(input);
            }
            if (head != null) {
                BodyFraming body = BodyFraming.ofResponse(request, head);
                boolean reusableAfter = request.keepsAlive() && !body.endsWithConnection();
                write(head.forwarded(reusableAfter), true);
                copy(input, body);
                complete = true;
                reusable = reusableAfter;
            }
        } catch (IOException _) {
            // Reported to the client in the finally block.
        } finally {
            backend.release();
            end(complete);
        }
    }

    /** Writes a response head, unless the proxy has already sent an error. */
    private void write(byte[] head, boolean isFinal) throws IOException {
        synchronized (responseLock) {
            if (rejected) {
                throw new IOException("the request was rejected");
            }
            responseStarted = responseStarted || isFinal;
            client.getOutputStream().write(head);
        }
    }

    private void copy(BufferedInput input, BodyFraming body) throws IOException {
        while (!body.isComplete()) {
            if (!input.fill()) {
                if (body.endsWithConnection()) {
                    return;
                }
                throw new IOException("the response was truncated");
            }
            input.transfer(client.getOutputStream(), input.available(body));
        }
    }

    private void end(boolean complete) {
        boolean delivered = complete;
        try {
            synchronized (responseLock) {
                if (!responseStarted && !rejected) {
                    rejected = true;
                    delivered = true;
                    client.getOutputStream().write(ProxyError.UNAVAILABLE.bytes(request));
                }
            }
            if (delivered && !reusable) {
                client.shutdownOutput();
            }
        } catch (IOException _) {
            // The client has disconnected.
        }
        endedAt = System.nanoTime();
        ended.countDown();
        if (!reusable) {
            close(delivered);
        }
    }

    // A truncated response must not look complete, so the connection is closed immediately. Otherwise the client closes
    // first; after an error of the proxy the connection's thread closes.
    private void close(boolean delivered) {
        synchronized (responseLock) {
            if (rejected && !delivered) {
                return;
            }
        }
        if (delivered) {
            linger();
        }
        close(client);
    }

    private void linger() {
        try {
            left.await(LINGER_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // The socket is closed in any case.
        }
    }
}
