package dev.waybill.local.bench.streams;

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

/** A process that sends the same events to everybody: what serving a stream costs when there is no run behind it. */
final class BaselineServer implements AutoCloseable {

    private static final Duration READY_LIMIT = Duration.ofSeconds(60);

    private final ChildProcess process;
    private final URI address;

    private BaselineServer(ChildProcess process, int port) {
        this.process = process;
        this.address = URI.create("http://127.0.0.1:" + port);
    }

    /** Whether a request's events leave in one turn of the event loop or each in one of its own. */
    enum Manner {
        ONCE,
        TURNS
    }

    /** In a JVM with the options that the runtime has. */
    static BaselineServer vertx(StreamBenchmarkContext bench, Path recording, Manner manner) {
        List<String> command = new ArrayList<>(List.of(RuntimeProcess.java()));
        command.addAll(RuntimeProcess.JVM);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), BaselineVertxServer.class.getName()));
        return start(bench, "bare-vertx", command, recording, manner);
    }

    static BaselineServer node(StreamBenchmarkContext bench, Path recording, Manner manner) {
        return start(bench, "bare-node",
                List.of("node", bench.root().resolve("local/src/main/resources/bench/bare.mjs").toString()), recording, manner);
    }

    private static BaselineServer start(StreamBenchmarkContext bench, String name, List<String> program, Path recording, Manner manner) {
        int port = FreePort.find();
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(Integer.toString(port), recording.toString(), manner.name().toLowerCase(Locale.ROOT)));
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
        long deadline = System.nanoTime() + READY_LIMIT.toNanos();
        while (!listens()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                close();
                throw new IllegalStateException(name + " does not listen");
            }
        }
    }

    /** By a connection: whoever tries to listen there himself is in the server's way. */
    private boolean listens() {
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            return socket.isConnected();
        } catch (IOException _) {
            return false;
        }
    }
}
