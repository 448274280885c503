package dev.waybill.controlplane.engine.local;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.local.proxy.ReverseProxy;

/** Controls the {@link ReverseProxy} process of this folder and starts it if none is running. */
final class ReverseProxyProcess {

    // File names and commands are those of earlier releases, whose process can still run after an upgrade.
    private static final String FOLDER = "gate";
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final long START_TIMEOUT_NANOS = 60_000_000_000L;
    private static final int POLL_INTERVAL_MILLIS = 20;

    private final Path folder;
    private final LocalEngineConfig config;
    private final ProcessLauncher launcher;
    private final ReverseProxyProgram program;
    private volatile Runnable exitHandler = () -> {
    };
    private long watchedPid;
    private @Nullable Process launched;

    ReverseProxyProcess(Path root, LocalEngineConfig config, ProcessLauncher launcher) {
        this(root, config, launcher, new ReverseProxyProgram(root.resolve(FOLDER), launcher));
    }

    ReverseProxyProcess(Path root, LocalEngineConfig config, ProcessLauncher launcher, ReverseProxyProgram program) {
        this.folder = root.resolve(FOLDER);
        this.config = config;
        this.launcher = launcher;
        this.program = program;
    }

    /** Routes new requests at {@code port} to {@code backend}. */
    void route(int port, int backend) throws IOException, InterruptedException {
        String route = "route " + port + " " + backend;
        if (!succeeds(route)) {
            start();
            send(route);
        }
        watch();
    }

    /** Starts the process if none is running, without waiting for it, so that it starts in parallel with the application. */
    synchronized void startInBackground() throws IOException, InterruptedException {
        if (!isRunning()) {
            launch();
        }
    }

    /** Closes {@code port}. */
    void close(int port) throws IOException {
        if (isRunning()) {
            send("unroute " + port);
        }
    }

    /** Returns the number of requests in progress at {@code backend}. */
    int inFlightRequests(int backend) throws IOException {
        return isRunning() ? Integer.parseInt(send("busy " + backend).split(" ")[1]) : 0;
    }

    /** Returns the requests of the last minute at {@code backend}; empty if a proxy of an earlier release runs, or none. */
    Optional<Long> requestsPerMinute(int backend) {
        try {
            return Optional.of(Long.parseLong(send("rate " + backend).split(" ")[1]));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    boolean isRunning() {
        return succeeds("busy 0");
    }

    private boolean succeeds(String command) {
        try {
            send(command);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    void kill() {
        ProcessFinder.kill(folder);
    }

    /** Sets the action that runs when the process ends unexpectedly. */
    void onExit(Runnable work) {
        exitHandler = work;
    }

    private synchronized void start() throws IOException, InterruptedException {
        if (isRunning()) {
            return;
        }
        Process process = launch();
        boolean relaunched = false;
        long end = System.nanoTime() + START_TIMEOUT_NANOS;
        while (!isRunning()) {
            if (!process.isAlive() && !relaunched) {
                // A process that was started ahead can have reached its idle timeout.
                process = launch();
                relaunched = true;
            }
            // A second process exits immediately; the first one then responds.
            if (System.nanoTime() > end) {
                process.destroyForcibly();
                throw new IOException("the reverse proxy does not respond; see its log " + log());
            }
            Thread.sleep(POLL_INTERVAL_MILLIS);
        }
    }

    private synchronized void watch() throws IOException {
        long pid = Long.parseLong(EnginePaths.read(folder.resolve(ReverseProxy.STATE_FILE)).orElseThrow().split(" ")[2]);
        if (pid != watchedPid) {
            watchedPid = pid;
            // The process can have ended since its last response.
            ProcessHandle.of(pid).ifPresentOrElse(process -> process.onExit().thenRun(this::notifyExit), this::notifyExit);
        }
    }

    private void notifyExit() {
        Thread.ofVirtual().start(exitHandler);
    }

    private Process launch() throws IOException, InterruptedException {
        if (launched != null && launched.isAlive()) {
            return launched;
        }
        EnginePaths.create(folder);
        List<String> command = new ArrayList<>(program.command());
        command.addAll(List.of(ReverseProxy.MODE, folder.toString(), config.host()));
        List<String> arguments = launcher.withLimits(command, Long.MAX_VALUE);
        launched = launcher
                .process(arguments, folder,
                        launcher.environment(folder, folder.resolve("home"), folder.resolve("tmp"), Map.of()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log()))
                .start();
        return launched;
    }

    private File log() {
        return folder.resolve("gate.log").toFile();
    }

    private String send(String command) throws IOException {
        Optional<String> state = EnginePaths.read(folder.resolve(ReverseProxy.STATE_FILE));
        if (state.isEmpty()) {
            throw new IOException("the reverse proxy is not running");
        }
        String[] arguments = state.get().split(" ");
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])),
                    TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write((arguments[1] + " " + command + "\n").getBytes(StandardCharsets.UTF_8));
            @Nullable
            String response = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
            if (response == null || !response.startsWith("ok")) {
                throw new IOException("the reverse proxy rejected the command: " + response);
            }
            return response;
        }
    }
}
