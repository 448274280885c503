package dev.waybill.common.testing;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/**
 * A proxy of a PostgreSQL server that replaces a statement by one that fails as the statement does if a cancel request or its
 * timeout reaches it before it begins: SQL state 57014, within the aborted transaction.
 */
public final class CancellingProxy extends DatabaseProxy {

    private static final byte[] CANCELLED = text("DO $$ BEGIN RAISE query_canceled; END $$");

    private final AtomicReference<@Nullable String> next = new AtomicReference<>();

    /** @param server port of the server */
    public CancellingProxy(int server) throws IOException {
        super(server);
    }

    /** Cancels the next statement with this text that has no parameters. */
    public void cancelNext(String statement) {
        next.set(statement);
    }

    /** Returns whether the statement was cancelled. */
    public boolean hasCancelled() {
        return next.get() == null;
    }

    // The first message of a connection has no type.
    @Override
    protected void forwardStatements(Socket client, Socket target) {
        try (client; target) {
            DataInputStream in = new DataInputStream(client.getInputStream());
            DataOutputStream out = new DataOutputStream(target.getOutputStream());
            write(out, in.readNBytes(in.readInt() - Integer.BYTES));
            for (int type = in.read(); type >= 0; type = in.read()) {
                byte[] body = in.readNBytes(in.readInt() - Integer.BYTES);
                out.write(type);
                write(out, type == 'Q' && isNext(body) ? CANCELLED : body);
            }
        } catch (IOException _) {
            // Closing both sockets reports the failure to both sides.
        }
    }

    private static void write(DataOutputStream out, byte[] body) throws IOException {
        out.writeInt(body.length + Integer.BYTES);
        out.write(body);
        out.flush();
    }

    private boolean isNext(byte[] body) {
        String statement = next.get();
        return statement != null && statement.equals(new String(body, 0, body.length - 1, StandardCharsets.UTF_8))
                && next.compareAndSet(statement, null);
    }

    @Override
    protected void forwardResults(Socket target, Socket client) {
        try (target; client) {
            target.getInputStream().transferTo(client.getOutputStream());
        } catch (IOException _) {
            // As above.
        }
    }

    private static byte[] text(String statement) {
        return (statement + "\0").getBytes(StandardCharsets.UTF_8);
    }
}
