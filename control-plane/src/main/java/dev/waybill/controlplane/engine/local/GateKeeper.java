package dev.waybill.controlplane.engine.local;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.local.gate.Gate;

/** Speaks with the {@link Gate} of this folder, and starts it where there is none. */
final class GateKeeper {

    private static final String FOLDER = "gate";
    private static final int PATIENCE_MILLIS = 10_000;
    private static final long START_NANOS = 60_000_000_000L;
    private static final int LOOK_MILLIS = 20;
    private static final List<String> CLASSES = List.of("Gate", "Door", "Backend", "Connection", "Exchange", "Wire", "Head",
            "HeadReader", "Body", "Chunks", "Chunks$Part", "Chunks$1", "ProxyError", "RequestException");

    private final Path folder;
    private final LocalEngineConfig config;
    private final Launch launch;
    private volatile Runnable ended = () -> {
    };
    private long watched;
    private @Nullable Process begun;

    GateKeeper(Path root, LocalEngineConfig config, Launch launch) {
        this.folder = root.resolve(FOLDER);
        this.config = config;
        this.launch = launch;
    }

    /** From now on requests to {@code port} go to {@code backend}. */
    void route(int port, int backend) throws IOException, InterruptedException {
        String route = "route " + port + " " + backend;
        if (!answers(route)) {
            start();
            ask(route);
        }
        watch();
    }

    /** Has one begin where there is none and does not wait for it: it is there when something else is ready as well. */
    synchronized void startAhead() throws IOException {
        if (!isRunning()) {
            begin();
        }
    }

    /** Nothing answers at {@code port} any more. */
    void close(int port) throws IOException {
        if (isRunning()) {
            ask("unroute " + port);
        }
    }

    /** How many requests are under way at {@code backend}. */
    int busy(int backend) throws IOException {
        return isRunning() ? Integer.parseInt(ask("busy " + backend).split(" ")[1]) : 0;
    }

    boolean isRunning() {
        return answers("busy 0");
    }

    private boolean answers(String command) {
        try {
            ask(command);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    void kill() {
        MarkedProcesses.kill(folder);
    }

    /** What is to be done when it has ended by itself. */
    void whenEnded(Runnable work) {
        ended = work;
    }

    private synchronized void start() throws IOException, InterruptedException {
        if (isRunning()) {
            return;
        }
        Process process = begin();
        boolean again = false;
        long end = System.nanoTime() + START_NANOS;
        while (!isRunning()) {
            if (!process.isAlive() && !again) {
                // What was begun ahead may have been about to end, because nothing came.
                process = begin();
                again = true;
            }
            // One that finds another there ends at once; then the other answers soon.
            if (System.nanoTime() > end) {
                process.destroyForcibly();
                throw new IOException("the gate does not answer; its words are in " + log());
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    private synchronized void watch() throws IOException {
        long pid = Long.parseLong(Places.read(folder.resolve(Gate.NOTES)).orElseThrow().split(" ")[2]);
        if (pid != watched) {
            watched = pid;
            ProcessHandle.of(pid).ifPresent(process -> process.onExit().thenRun(() -> Thread.ofVirtual().start(ended)));
        }
    }

    private Process begin() throws IOException {
        if (begun != null && begun.isAlive()) {
            return begun;
        }
        Places.create(folder);
        layOut();
        List<String> words = launch.contained(List.of(launch.java(), "-Xmx192m", "-Xss256k", "-XX:+UseSerialGC", "-Xshare:auto",
                "-XX:+ExitOnOutOfMemoryError", "-cp", folder.resolve("classes").toString(), Gate.class.getName(),
                folder.toString(), config.host()), Long.MAX_VALUE);
        begun = launch
                .process(words, folder, launch.environment(folder, folder.resolve("home"), folder.resolve("tmp"), Map.of()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log()))
                .start();
        return begun;
    }

    private File log() {
        return folder.resolve("gate.log").toFile();
    }

    private void layOut() throws IOException {
        String packageName = Gate.class.getPackageName().replace('.', '/');
        Path classes = folder.resolve("classes").resolve(packageName);
        Files.createDirectories(classes);
        for (String name : CLASSES) {
            String resource = packageName + "/" + name + ".class";
            try (InputStream in = Gate.class.getClassLoader().getResourceAsStream(resource)) {
                if (in != null) {
                    Path beside = classes.resolve(name + ".new");
                    Files.write(beside, in.readAllBytes());
                    Files.move(beside, classes.resolve(name + ".class"), java.nio.file.StandardCopyOption.ATOMIC_MOVE);
                }
            }
        }
    }

    private String ask(String command) throws IOException {
        Optional<String> notes = Places.read(folder.resolve(Gate.NOTES));
        if (notes.isEmpty()) {
            throw new IOException("there is no gate");
        }
        String[] words = notes.get().split(" ");
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(words[0])),
                    PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write((words[1] + " " + command + "\n").getBytes(StandardCharsets.UTF_8));
            @Nullable
            String answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
            if (answer == null || !answer.startsWith("ok")) {
                throw new IOException("the gate answers: " + answer);
            }
            return answer;
        }
    }
}
