package dev.waybill.export.storage;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Accepts connections on loopback and responds with the given behaviour. */
final class HostileStore implements AutoCloseable {

    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicLong sent = new AtomicLong();
    private final Behaviour behaviour;

    HostileStore(Behaviour behaviour) throws IOException {
        this.behaviour = behaviour;
        Thread.ofVirtual().start(this::listen);
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    /** Returns the number of bytes that clients have accepted. */
    long sent() {
        return sent.get();
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        socket.close();
        for (Socket client : clients) {
            client.close();
        }
    }

    private void listen() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                clients.add(client);
                Thread.ofVirtual().start(() -> respond(client));
            } catch (IOException _) {
                // The socket is closed.
            }
        }
    }

    private void respond(Socket client) {
        try (client) {
            // Waits for the first byte of the request.
            client.getInputStream().read();
            behaviour.respond(new ServerResponse(client.getOutputStream()));
        } catch (IOException _) {
            // The client has disconnected.
        }
    }

    /** The behaviour towards a client. */
    interface Behaviour {

        void respond(ServerResponse response) throws IOException;
    }

    /** The response to one client. */
    final class ServerResponse {

        private final OutputStream out;

        ServerResponse(OutputStream out) {
            this.out = out;
        }

        void send(String text) throws IOException {
            byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            out.write(bytes);
            out.flush();
            sent.addAndGet(bytes.length);
        }

        void sendForever(String text) throws IOException {
            while (closed.getCount() > 0) {
                send(text);
            }
        }

        /** Sends a small piece repeatedly, so that the connection is never idle for long. */
        void drip(String text) throws IOException {
            while (closed.getCount() > 0) {
                send(text);
                pause(50);
            }
        }

        void waitForever() throws IOException {
            pause(Long.MAX_VALUE);
        }

        private void pause(long millis) throws IOException {
            try {
                closed.await(millis, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }
}
