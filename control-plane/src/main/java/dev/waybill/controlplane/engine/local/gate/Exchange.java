package dev.waybill.controlplane.engine.local.gate;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A request and its answer. The connection's thread sends, one of its own brings the answer. */
final class Exchange {

    private static final int LINGER_SECONDS = 2;

    private final Head request;
    private final Socket client;
    private final Socket application;
    private final Backend backend;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch left = new CountDownLatch(1);
    private final Object answering = new Object();
    private boolean begun;
    private boolean rejected;
    private volatile boolean goesOn;
    private volatile long endedAt;

    private Exchange(Head request, Socket client, Socket application, Backend backend) {
        this.request = request;
        this.client = client;
        this.application = application;
        this.backend = backend;
    }

    /**
     * @throws IOException when the application does not take it: nothing has been sent, and the caller still counts as under
     *         way
     */
    static Exchange begin(Head request, Socket client, Backend backend) throws IOException {
        Socket application = backend.connect();
        try {
            application.getOutputStream().write(request.forwarded(false));
        } catch (IOException e) {
            application.close();
            throw e;
        }
        Exchange exchange = new Exchange(request, client, application, backend);
        Thread.ofVirtual().start(exchange::answer);
        return exchange;
    }

    /**
     * Sends the rest of the request. What an application that has answered already does not take, is read and dropped.
     *
     * @return whether the connection may go on; after a body that nobody can read it is over
     */
    boolean send(Wire wire) throws IOException {
        boolean whole = false;
        try {
            Body body = Body.ofRequest(request);
            boolean taken = true;
            while (!body.isOver()) {
                if (!wire.fill()) {
                    throw new IOException("the client is gone");
                }
                taken = pass(wire, wire.offer(body), taken);
            }
            whole = true;
            return true;
        } catch (RequestException e) {
            if (reject(e.response())) {
                Connection.drain(client);
            }
            return false;
        } finally {
            if (!whole) {
                // The application must not wait for what does not come any more, or came as nobody can read it.
                breakOff();
            }
        }
    }

    /** @return whether the client has a whole answer, this one or an earlier; not when the application's is under way */
    private boolean reject(ProxyError response) throws IOException {
        synchronized (answering) {
            boolean first = !begun && !rejected;
            rejected = true;
            if (first) {
                client.getOutputStream().write(response.bytes(request));
            }
            return first || ended.getCount() == 0;
        }
    }

    private boolean pass(Wire wire, int part, boolean taken) throws IOException {
        if (taken) {
            try {
                wire.pass(application.getOutputStream(), part);
                return true;
            } catch (IOException _) {
                // It has its answer; what it is, the other thread brings.
            }
        }
        wire.drop(part);
        return false;
    }

    /** @return whether the client may send a further request */
    boolean awaitEnd() {
        try {
            ended.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        left.countDown();
        return goesOn;
    }

    /** When it ended, by {@link System#nanoTime}; {@code now} when it has not. */
    long endOr(long now) {
        return ended.getCount() == 0 ? endedAt : now;
    }

    /** The client is gone. */
    void breakOff() {
        left.countDown();
        close(application);
    }

    private void answer() {
        boolean whole = false;
        try (application) {
            Wire wire = new Wire(application.getInputStream());
            Head head = Head.readResponse(wire);
            while (head != null && head.isInterim()) {
                write(head.forwarded(true), false);
                head = Head.readResponse(wire);
            }
            if (head != null) {
                Body body = Body.ofResponse(request, head);
                boolean stays = request.keepsAlive() && !body.endsWithConnection();
                write(head.forwarded(stays), true);
                copy(wire, body);
                whole = true;
                goesOn = stays;
            }
        } catch (IOException _) {
            // Told to the client below.
        } finally {
            backend.leave();
            end(whole);
        }
    }

    /** Either the application answers or the gate itself, never both. */
    private void write(byte[] head, boolean isAnswer) throws IOException {
        synchronized (answering) {
            if (rejected) {
                throw new IOException("the request was rejected");
            }
            begun = begun || isAnswer;
            client.getOutputStream().write(head);
        }
    }

    private void copy(Wire wire, Body body) throws IOException {
        while (!body.isOver()) {
            if (!wire.fill()) {
                if (body.endsWithConnection()) {
                    return;
                }
                throw new IOException("the answer was cut off");
            }
            wire.pass(client.getOutputStream(), wire.offer(body));
        }
    }

    private void end(boolean whole) {
        boolean told = whole;
        try {
            synchronized (answering) {
                if (!begun && !rejected) {
                    rejected = true;
                    told = true;
                    client.getOutputStream().write(ProxyError.UNAVAILABLE.bytes(request));
                }
            }
            if (told && !goesOn) {
                client.shutdownOutput();
            }
        } catch (IOException _) {
            // The client is gone.
        }
        endedAt = System.nanoTime();
        ended.countDown();
        if (!goesOn) {
            close(told);
        }
    }

    // An answer that was cut off must not look whole: the connection ends at once. Otherwise the client closes first, and after
    // an answer of the gate's own the connection's thread closes.
    private void close(boolean told) {
        synchronized (answering) {
            if (rejected && !told) {
                return;
            }
        }
        if (told) {
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
            // It is closed either way.
        }
    }
}
