package dev.waybill.controlplane.engine.local.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpClient;

/**
 * The mode of the control plane's program in which it is a reverse proxy only. It accepts commands on a loopback port, one per
 * connection, authenticated by the token in the state file:
 *
 * <pre>
 * route PORT BACKEND   routes new requests at PORT to BACKEND; requests in progress are unaffected
 * unroute PORT         closes the port
 * busy BACKEND         returns the number of requests in progress
 * rate BACKEND         returns the number of requests of the last minute
 * </pre>
 *
 * One process runs per folder; a second one finds the lock held and exits. The process exits after some time without ports.
 */
public final class ReverseProxy {

    /** The program's first argument in this mode; the folder of the state file and the address to listen on follow. */
    public static final String MODE = "reverse-proxy";
    /** Name of the state file: control port, token and pid. */
    public static final String STATE_FILE = "gate.notes";
    private static final String LOCK_FILE = "gate.lock";
    private static final int IDLE_MILLIS = 30_000;
    private static final int COMMAND_MILLIS = 5_000;
    private static final int MAX_COMMAND_LENGTH = 256;
    private static final int ERROR_DELAY_MILLIS = 100;
    private static final int ALREADY_RUNNING = 3;
    private static final int MAX_EVENT_LOOPS = 4;

    private final String host;
    private final String token;
    private final Vertx vertx;
    private final HttpClient client;
    private final Map<Integer, ProxyListener> listeners = new TreeMap<>();
    private final Map<Integer, Backend> backends = new TreeMap<>();

    private ReverseProxy(Vertx vertx, String host, String token) {
        this.vertx = vertx;
        this.client = ProxyListener.client(vertx);
        this.host = host;
        this.token = token;
    }

    /** Runs until no port has been open for some time. */
    public static void run(Path folder, String host) throws IOException {
        try (FileChannel channel = FileChannel.open(folder.resolve(LOCK_FILE), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                System.exit(ALREADY_RUNNING);
            }
            byte[] secret = new byte[32];
            new SecureRandom().nextBytes(secret);
            Vertx vertx = vertx();
            try {
                new ReverseProxy(vertx, host, HexFormat.of().formatHex(secret)).serve(folder);
            } finally {
                vertx.close();
            }
        }
    }

    private static int eventLoops() {
        return Math.min(Runtime.getRuntime().availableProcessors(), MAX_EVENT_LOOPS);
    }

    static Vertx vertx() {
        // All addresses are literals, and no files are served.
        System.setProperty("vertx.disableDnsResolver", "true");
        System.setProperty("vertx.disableWebsockets", "true");
        return Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(eventLoops())
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                .setFileSystemOptions(new FileSystemOptions().setFileCachingEnabled(false)
                        .setClassPathResolvingEnabled(false)));
    }

    private void serve(Path folder) throws IOException {
        try (ServerSocket control = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            control.setSoTimeout(IDLE_MILLIS);
            write(folder, control.getLocalPort() + " " + token + " " + ProcessHandle.current().pid() + "\n");
            while (true) {
                try (Socket caller = control.accept()) {
                    caller.setSoTimeout(COMMAND_MILLIS);
                    caller.getOutputStream().write(execute(caller).getBytes(StandardCharsets.UTF_8));
                } catch (SocketTimeoutException _) {
                    if (listeners.isEmpty()) {
                        Files.deleteIfExists(folder.resolve(STATE_FILE));
                        return;
                    }
                } catch (IOException e) {
                    System.err.println("a command failed: " + e.getMessage());
                    pause();
                }
            }
        }
    }

    /** Delays a retry, so that an exhausted resource does not cause a busy loop. */
    private static void pause() {
        try {
            Thread.sleep(ERROR_DELAY_MILLIS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void write(Path folder, String state) throws IOException {
        Path file = Files.createTempFile(folder, STATE_FILE, ".new",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, state);
        Files.move(file, folder.resolve(STATE_FILE), StandardCopyOption.ATOMIC_MOVE);
    }

    private String execute(Socket caller) throws IOException {
        String[] arguments = command(caller.getInputStream()).split(" ");
        if (arguments.length < 3 || !MessageDigest.isEqual(arguments[0].getBytes(StandardCharsets.UTF_8),
                token.getBytes(StandardCharsets.UTF_8))) {
            return "error refused\n";
        }
        int port = Integer.parseInt(arguments[2]);
        try {
            return switch (arguments[1]) {
                case "route" -> route(port, Integer.parseInt(arguments[3]));
                case "unroute" -> unroute(port);
                case "busy" -> "ok " + busy(port) + "\n";
                case "rate" -> "ok " + rate(port) + "\n";
                default -> "error unknown command\n";
            };
        } catch (IOException e) {
            return "error " + e.getMessage() + "\n";
        }
    }

    // The caller is not authenticated yet, so the length is limited.
    private static String command(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n' && line.length() < MAX_COMMAND_LENGTH; next = in.read()) {
            line.append((char) next);
        }
        return line.toString();
    }

    private String route(int port, int address) throws IOException {
        Backend backend = backends.computeIfAbsent(address, Backend::new);
        ProxyListener listener = listeners.get(port);
        if (listener == null) {
            listeners.put(port, ProxyListener.open(vertx, client, host, port, backend, eventLoops()));
        } else {
            listener.routeTo(backend);
        }
        backends.values()
                .removeIf(old -> old.inFlight() == 0 && listeners.values().stream().noneMatch(open -> open.routesTo(old)));
        return "ok\n";
    }

    private String unroute(int port) throws IOException {
        ProxyListener listener = listeners.remove(port);
        if (listener != null) {
            listener.close();
        }
        return "ok\n";
    }

    private long rate(int address) {
        Backend backend = backends.get(address);
        return backend == null ? 0 : backend.requestsPerMinute();
    }

    private int busy(int address) {
        Backend backend = backends.get(address);
        return backend == null ? 0 : backend.inFlight();
    }
}
