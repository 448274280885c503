package dev.waybill.soak.hostile;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.waybill.soak.hostile.OpenApiOperations.Operation;

/** Sends hostile requests at a constant rate, each on a separate connection, and counts the status codes of the responses. */
final class HostileClients {

    private static final int THREADS = 32;
    private static final int READ_TIMEOUT_MILLIS = 30_000;
    private static final int STATUS_END = 12;

    private final Map<URI, List<Operation>> services;
    private final Map<String, Integer> statuses = new ConcurrentSkipListMap<>();

    HostileClients(Map<URI, List<Operation>> services) {
        this.services = services;
    }

    /** Sends requests and returns the number of responses by status code; 0 is a connection that closed without a response. */
    Map<String, Integer> send(int requests, long nanos) {
        AtomicInteger sent = new AtomicInteger();
        long startNanos = System.nanoTime();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (int i = 0; i < THREADS; i++) {
                Random random = new Random(i);
                threads.execute(() -> {
                    for (int number = sent.getAndIncrement(); number < requests; number = sent.getAndIncrement()) {
                        pause(startNanos + nanos / requests * number - System.nanoTime());
                        sendOne(random);
                    }
                });
            }
        }
        return new TreeMap<>(statuses);
    }

    private void sendOne(Random random) {
        URI server = List.copyOf(services.keySet()).get(random.nextInt(services.size()));
        String request = new HostileRequests(random, server.getAuthority(), services.getOrDefault(server, List.of())).next();
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            socket.setSoTimeout(READ_TIMEOUT_MILLIS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            count(socket.getInputStream());
        } catch (IOException e) {
            statuses.merge("0", 1, Integer::sum);
        }
    }

    private void count(InputStream in) throws IOException {
        String line = new String(in.readNBytes(STATUS_END), StandardCharsets.ISO_8859_1);
        statuses.merge(line.startsWith("HTTP/1.1 ") ? line.substring(line.length() - 3) : "0", 1, Integer::sum);
        in.skip(Long.MAX_VALUE);
    }

    private static void pause(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
