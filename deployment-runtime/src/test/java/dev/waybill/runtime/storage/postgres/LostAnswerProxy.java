package dev.waybill.runtime.storage.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/** A proxy of a PostgreSQL server that closes a connection instead of forwarding the answer that a statement is complete. */
final class LostAnswerProxy implements AutoCloseable {

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int server;
    private final AtomicReference<@Nullable String> lost = new AtomicReference<>();

    LostAnswerProxy(int server) throws IOException {
        this.server = server;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Loses the next answer with a tag, such as {@code COMMIT} or {@code SELECT 1}. */
    void loseAnswer(String tag) {
        lost.set(tag + "\0");
    }

    /** Returns whether the answer was lost. */
    boolean hasLostAnswer() {
        return lost.get() == null;
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Socket target = new Socket(InetAddress.getLoopbackAddress(), server);
                Thread.ofVirtual().start(() -> forward(client, target, false));
                Thread.ofVirtual().start(() -> forward(target, client, true));
            } catch (IOException _) {
                // The listener is closed.
            }
        }
    }

    private void forward(Socket from, Socket to, boolean answers) {
        byte[] bytes = new byte[64 << 10];
        try (from; to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                String tag = lost.get();
                if (answers && tag != null && new String(bytes, 0, read, StandardCharsets.ISO_8859_1).contains(tag)
                        && lost.compareAndSet(tag, null)) {
                    return;
                }
                out.write(bytes, 0, read);
            }
        } catch (IOException _) {
            // Closing both sockets reports the failure to both sides.
        }
    }
}
