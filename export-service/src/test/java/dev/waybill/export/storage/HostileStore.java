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

/** Listens on loopback and answers every connection as badly as it is told to. */
final class HostileStore implements AutoCloseable {

    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<Socket> visitors = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicLong sent = new AtomicLong();
    private final Manner manner;

    HostileStore(Manner manner) throws IOException {
        this.manner = manner;
        Thread.ofVirtual().start(this::listen);
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    /** How many bytes somebody was willing to take. */
    long sent() {
        return sent.get();
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        socket.close();
        for (Socket visitor : visitors) {
            visitor.close();
        }
    }

    private void listen() {
        while (!socket.isClosed()) {
            try {
                Socket visitor = socket.accept();
                visitors.add(visitor);
                Thread.ofVirtual().start(() -> answer(visitor));
            } catch (IOException _) {
                // It is closed.
            }
        }
    }

    private void answer(Socket visitor) {
        try (visitor) {
            // The request is under way: something of it is there before the answer begins.
            visitor.getInputStream().read();
            manner.answer(new Answer(visitor.getOutputStream()));
        } catch (IOException _) {
            // The visitor has had enough.
        }
    }

    /** How a visitor is treated. */
    interface Manner {

        void answer(Answer answer) throws IOException;
    }

    /** What is sent to one visitor. */
    final class Answer {

        private final OutputStream out;

        Answer(OutputStream out) {
            this.out = out;
        }

        void say(String text) throws IOException {
            byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            out.write(bytes);
            out.flush();
            sent.addAndGet(bytes.length);
        }

        void sayForEver(String text) throws IOException {
            while (closed.getCount() > 0) {
                say(text);
            }
        }

        /** A little every now and then, so that nothing is ever idle for long. */
        void drip(String text) throws IOException {
            while (closed.getCount() > 0) {
                say(text);
                pause(50);
            }
        }

        void waitForEver() throws IOException {
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
