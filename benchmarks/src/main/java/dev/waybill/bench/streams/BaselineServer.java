package dev.waybill.bench.streams;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.waybill.local.runtime.RuntimeProcess;
import dev.waybill.local.storage.ChildProcess;
import dev.waybill.local.storage.FreePort;

/** Process that responds to every request with the same recorded events, the minimum cost of a stream. */
final class BaselineServer implements AutoCloseable {

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    private final ChildProcess process;
    private final URI address;

    private BaselineServer(ChildProcess process, int port) {
        this.process = process;
        this.address = URI.create("http://127.0.0.1:" + port);
    }

    /** Whether a response's events are written in one event-loop iteration or each in a separate one. */
    enum WriteMode {
        TOGETHER,
        SEPARATE
    }

    /** Starts a Vert.x server in a JVM with the options of the runtime. */
    static BaselineServer vertx(StreamBenchmarkContext bench, Path recording, WriteMode mode) {
        List<String> command = new ArrayList<>(List.of(RuntimeProcess.java()));
        command.addAll(RuntimeProcess.JVM);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), BaselineVertxServer.class.getName()));
        return start(bench, "baseline-vertx", command, recording, mode);
    }

    static BaselineServer node(StreamBenchmarkContext bench, Path recording, WriteMode mode) {
        return start(bench, "baseline-node",
                List.of("node", bench.root().resolve("benchmarks/src/main/resources/bench/baseline-server.mjs").toString()),
                recording, mode);
    }

    private static BaselineServer start(StreamBenchmarkContext bench, String name, List<String> program, Path recording,
            WriteMode mode) {
        int port = FreePort.find();
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(Integer.toString(port), recording.toString(), mode.name().toLowerCase(Locale.ROOT)));
        BaselineServer server = new BaselineServer(ChildProcess.start(command, Map.of(), bench.log(name), false), port);
        server.awaitReady(name);
        return server;
    }

    URI address() {
        return address;
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.close();
    }

    private void awaitReady(String name) {
        long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
        while (!isListening()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                close();
                throw new IllegalStateException(name + " did not start to listen");
            }
        }
    }

    /** Checks with a connection, because binding the port would conflict with the server. */
    private boolean isListening() {
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            return socket.isConnected();
        } catch (IOException _) {
            return false;
        }
    }
}
