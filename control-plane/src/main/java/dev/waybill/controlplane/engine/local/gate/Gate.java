package dev.waybill.controlplane.engine.local.gate;

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

/**
 * The program. Commands come over loopback, one a connection, with the token that stands beside the port in the notes:
 *
 * <pre>
 * route PORT BACKEND   requests to PORT go to BACKEND from now on; those under way stay where they are
 * unroute PORT         the port is closed
 * busy BACKEND         how many requests are under way there
 * </pre>
 *
 * There is one for each folder: a second one finds the lock taken and ends. It ends by itself when it has had no ports for a
 * while.
 */
public final class Gate {

    /** Where the program says how it is reached. */
    public static final String NOTES = "gate.notes";
    private static final String LOCK = "gate.lock";
    private static final int IDLE_MILLIS = 30_000;
    private static final int COMMAND_MILLIS = 5_000;
    private static final int LONGEST_COMMAND = 256;
    private static final int PAUSE_MILLIS = 100;
    private static final int TAKEN = 3;

    private final InetAddress host;
    private final String token;
    private final Map<Integer, Door> doors = new TreeMap<>();
    private final Map<Integer, Backend> backends = new TreeMap<>();

    private Gate(InetAddress host, String token) {
        this.host = host;
        this.token = token;
    }

    /** @param arguments the folder of its notes, and the address that applications are to be reached at */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        try (FileChannel channel = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                System.exit(TAKEN);
            }
            byte[] secret = new byte[32];
            new SecureRandom().nextBytes(secret);
            new Gate(InetAddress.getByName(arguments[1]), HexFormat.of().formatHex(secret)).serve(folder);
        }
    }

    private void serve(Path folder) throws IOException {
        try (ServerSocket control = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            control.setSoTimeout(IDLE_MILLIS);
            write(folder, control.getLocalPort() + " " + token + " " + ProcessHandle.current().pid() + "\n");
            while (true) {
                try (Socket caller = control.accept()) {
                    caller.setSoTimeout(COMMAND_MILLIS);
                    caller.getOutputStream().write(answer(caller).getBytes(StandardCharsets.UTF_8));
                } catch (SocketTimeoutException _) {
                    if (doors.isEmpty()) {
                        Files.deleteIfExists(folder.resolve(NOTES));
                        return;
                    }
                } catch (IOException e) {
                    System.err.println("a command was broken off: " + e.getMessage());
                    pause();
                }
            }
        }
    }

    /** When something is used up, asking again at once would only use up the processor, too. */
    static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void write(Path folder, String notes) throws IOException {
        Path file = Files.createTempFile(folder, NOTES, ".new",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, notes);
        Files.move(file, folder.resolve(NOTES), StandardCopyOption.ATOMIC_MOVE);
    }

    private String answer(Socket caller) throws IOException {
        String[] words = command(caller.getInputStream()).split(" ");
        if (words.length < 3 || !MessageDigest.isEqual(words[0].getBytes(StandardCharsets.UTF_8),
                token.getBytes(StandardCharsets.UTF_8))) {
            return "error refused\n";
        }
        int port = Integer.parseInt(words[2]);
        try {
            return switch (words[1]) {
                case "route" -> route(port, Integer.parseInt(words[3]));
                case "unroute" -> unroute(port);
                case "busy" -> "ok " + busy(port) + "\n";
                default -> "error unknown command\n";
            };
        } catch (IOException e) {
            return "error " + e.getMessage() + "\n";
        }
    }

    // Who it is, is known only when it is read: so no more than a command is.
    private static String command(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n' && line.length() < LONGEST_COMMAND; next = in.read()) {
            line.append((char) next);
        }
        return line.toString();
    }

    private String route(int port, int address) throws IOException {
        Backend backend = backends.computeIfAbsent(address, Backend::new);
        Door door = doors.get(port);
        if (door == null) {
            doors.put(port, Door.open(host, port, backend));
        } else {
            door.lead(backend);
        }
        backends.values().removeIf(old -> old.underWay() == 0 && doors.values().stream().noneMatch(open -> open.leadsTo(old)));
        return "ok\n";
    }

    private String unroute(int port) throws IOException {
        Door door = doors.remove(port);
        if (door != null) {
            door.close();
        }
        return "ok\n";
    }

    private int busy(int address) {
        Backend backend = backends.get(address);
        return backend == null ? 0 : backend.underWay();
    }
}
