package dev.waybill.runtime.storage.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.testing.DatabaseProxy;

/** A proxy of a PostgreSQL server that closes a connection instead of forwarding the answer that a statement is complete. */
final class LostAnswerProxy extends DatabaseProxy {

    private final AtomicReference<@Nullable String> lost = new AtomicReference<>();

    LostAnswerProxy(int server) throws IOException {
        super(server);
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
    protected void forwardStatements(Socket client, Socket target) {
        forward(client, target, false);
    }

    @Override
    protected void forwardResults(Socket target, Socket client) {
        forward(target, client, true);
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
