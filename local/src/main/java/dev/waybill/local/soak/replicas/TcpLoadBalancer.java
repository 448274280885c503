package dev.waybill.local.soak.replicas;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** One address for all replicas of a service, as a Kubernetes Service has: each connection goes to the next that takes it. */
final class TcpLoadBalancer implements AutoCloseable {

    private static final int CONNECT_MILLIS = 10_000;

    private final ServerSocket server;
    private final ReplicaPool rotation;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private TcpLoadBalancer(ServerSocket server, ReplicaPool rotation) {
        this.server = server;
        this.rotation = rotation;
    }

    static TcpLoadBalancer of(ReplicaPool rotation) {
        try {
            TcpLoadBalancer address = new TcpLoadBalancer(new ServerSocket(0, 100, InetAddress.getLoopbackAddress()), rotation);
            address.threads.execute(address::accept);
            return address;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                open.add(client);
                threads.execute(() -> connect(client));
            } catch (IOException _) {
                // It is closed.
                return;
            }
        }
    }

    private void connect(Socket client) {
        for (int attempt = 0; attempt < 2 * rotation.members().size(); attempt++) {
            URI replica = rotation.next().address();
            Socket behind = new Socket();
            open.add(behind);
            try {
                behind.connect(new InetSocketAddress(replica.getHost(), replica.getPort()), CONNECT_MILLIS);
                threads.execute(() -> pass(client, behind));
                threads.execute(() -> pass(behind, client));
                return;
            } catch (IOException _) {
                close(behind);
            }
        }
        close(client);
    }

    private void pass(Socket from, Socket to) {
        try (from; to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[8192];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
            }
        } catch (IOException _) {
            // Whoever is at the other end sees its connection end, too.
        } finally {
            open.remove(from);
        }
    }

    private void close(Socket socket) {
        open.remove(socket);
        try {
            socket.close();
        } catch (IOException _) {
            // It is not used any more.
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        open.forEach(this::close);
        threads.close();
    }
}
