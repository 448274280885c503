package dev.waybill.soak.replicas;

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

/**
 * A common address of all replicas of a service, like a Kubernetes Service: forwards each connection to the next available one.
 */
final class TcpLoadBalancer implements AutoCloseable {

    private static final int CONNECT_MILLIS = 10_000;

    private final ServerSocket server;
    private final ReplicaPool pool;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private TcpLoadBalancer(ServerSocket server, ReplicaPool pool) {
        this.server = server;
        this.pool = pool;
    }

    static TcpLoadBalancer of(ReplicaPool pool) {
        try {
            TcpLoadBalancer address = new TcpLoadBalancer(new ServerSocket(0, 100, InetAddress.getLoopbackAddress()), pool);
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
                connections.add(client);
                threads.execute(() -> connect(client));
            } catch (IOException _) {
                // The socket is closed.
                return;
            }
        }
    }

    private void connect(Socket client) {
        for (int attempt = 0; attempt < 2 * pool.replicas().size(); attempt++) {
            URI replica = pool.next().address();
            Socket upstream = new Socket();
            connections.add(upstream);
            try {
                upstream.connect(new InetSocketAddress(replica.getHost(), replica.getPort()), CONNECT_MILLIS);
                threads.execute(() -> forward(client, upstream));
                threads.execute(() -> forward(upstream, client));
                return;
            } catch (IOException _) {
                close(upstream);
            }
        }
        close(client);
    }

    private void forward(Socket from, Socket to) {
        try (from; to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[8192];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
            }
        } catch (IOException _) {
            // Closing both sockets reports the failure to both sides.
        } finally {
            connections.remove(from);
        }
    }

    private void close(Socket socket) {
        connections.remove(socket);
        try {
            socket.close();
        } catch (IOException _) {
            // The connection is no longer used.
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        connections.forEach(this::close);
        threads.close();
    }
}
