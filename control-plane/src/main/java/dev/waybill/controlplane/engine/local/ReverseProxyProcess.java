package dev.waybill.controlplane.engine.local;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.ControlPlaneMain;
import dev.waybill.controlplane.engine.local.proxy.ReverseProxy;
import io.quarkus.runtime.ImageMode;

/** Controls the {@link ReverseProxy} process of this folder and starts it if none is running. */
final class ReverseProxyProcess {

    // File names and commands are those of earlier releases, whose process can still run after an upgrade.
    private static final String FOLDER = "gate";
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final long START_TIMEOUT_NANOS = 60_000_000_000L;
    private static final int POLL_INTERVAL_MILLIS = 20;
    private static final List<String> OPTIONS = List.of("-Xmx192m", "-XX:MaxDirectMemorySize=192m", "-Xss256k",
            "-XX:+UseSerialGC", "-Xshare:auto", "-XX:+ExitOnOutOfMemoryError", "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");
    private static final long COPY_RETENTION_MILLIS = 3_600_000;
    private static final String PROGRAM = "quarkus-run.jar";

    private final Path folder;
    private final LocalEngineConfig config;
    private final ProcessLauncher launcher;
    private volatile Runnable exitHandler = () -> {
    };
    private long watchedPid;
    private @Nullable Process launched;

    ReverseProxyProcess(Path root, LocalEngineConfig config, ProcessLauncher launcher) {
        this.folder = root.resolve(FOLDER);
        this.config = config;
        this.launcher = launcher;
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
    synchronized void startInBackground() throws IOException {
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
            ProcessHandle.of(pid).ifPresent(process -> process.onExit().thenRun(() -> Thread.ofVirtual().start(exitHandler)));
        }
    }

    private Process launch() throws IOException {
        if (launched != null && launched.isAlive()) {
            return launched;
        }
        EnginePaths.create(folder);
        List<String> command = new ArrayList<>(program());
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

    /** Returns the command that runs this program, without arguments. */
    private List<String> program() throws IOException {
        if (ImageMode.current() == ImageMode.NATIVE_RUN) {
            // A file that is being executed cannot be changed, only replaced.
            return List.of(ProcessHandle.current().info().command().orElseThrow(), OPTIONS.getFirst());
        }
        List<String> command = new ArrayList<>(List.of(launcher.java()));
        command.addAll(OPTIONS);
        List<Path> path = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .map(Path::toAbsolutePath)
                .toList();
        if (path.size() == 1 && path.getFirst().endsWith(PROGRAM)) {
            command.addAll(List.of("-jar", copy(path.getFirst().resolveSibling("")).resolve(PROGRAM).toString()));
        } else {
            String classes = path.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
            command.addAll(List.of("-cp", classes, ControlPlaneMain.class.getName()));
        }
        return command;
    }

    /** Copies the program, so that an upgrade can change the control plane's files while the proxy runs. */
    private Path copy(Path program) throws IOException {
        Path copied = folder.resolve("program-" + Files.getLastModifiedTime(program.resolve(PROGRAM)).toMillis());
        if (Files.isDirectory(copied)) {
            return copied;
        }
        Path temporary = Files.createTempDirectory(folder, "program.new");
        for (String part : List.of(PROGRAM, "lib", "app", "quarkus")) {
            if (Files.exists(program.resolve(part))) {
                copy(program, part, temporary);
            }
        }
        try {
            Files.move(temporary, copied, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            EnginePaths.remove(temporary);
            if (!Files.isDirectory(copied)) {
                throw e;
            }
        }
        removeOldCopies(copied);
        return copied;
    }

    private static void copy(Path program, String part, Path target) throws IOException {
        try (Stream<Path> files = Files.walk(program.resolve(part))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, target.resolve(program.relativize(file).toString()));
            }
        }
    }

    /** Removes the programs of earlier releases; a recent one can belong to another control plane of this machine. */
    private void removeOldCopies(Path current) throws IOException {
        long oldest = Files.getLastModifiedTime(current).toMillis() - COPY_RETENTION_MILLIS;
        try (DirectoryStream<Path> copies = Files.newDirectoryStream(folder, "program*")) {
            for (Path copy : copies) {
                if (Files.getLastModifiedTime(copy).toMillis() < oldest) {
                    EnginePaths.remove(copy);
                }
            }
        }
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
