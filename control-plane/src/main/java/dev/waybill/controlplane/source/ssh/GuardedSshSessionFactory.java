package dev.waybill.controlplane.source.ssh;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import org.eclipse.jgit.errors.TransportException;
import org.eclipse.jgit.transport.CredentialsProvider;
import org.eclipse.jgit.transport.RemoteSession2;
import org.eclipse.jgit.transport.SshSessionFactory;
import org.eclipse.jgit.transport.URIish;
import org.eclipse.jgit.util.FS;
import org.jspecify.annotations.Nullable;

import com.jcraft.jsch.ChannelExec;
import com.jcraft.jsch.JSch;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.Session;

import dev.waybill.common.net.UnsafeAddressException;
import dev.waybill.controlplane.source.Credential;
import dev.waybill.controlplane.source.Credential.DeployKey;
import dev.waybill.controlplane.source.SourceException;
import dev.waybill.controlplane.source.SourceException.Kind;
import dev.waybill.controlplane.source.guard.Deadline;
import dev.waybill.controlplane.source.guard.GuardedHttpConnectionFactory.Network;

/**
 * How one host is spoken to by ssh: at the addresses that the guard lets pass, with one key, believed by the keys that were
 * given of it; without configuration, agent, passwords, forwarding or jumps; within limits.
 */
public final class GuardedSshSessionFactory extends SshSessionFactory implements RemoteSession2, Closeable {

    private static final int DEFAULT_PORT = 22;
    private static final String USER = "git";
    private static final Map<String, String> SETTINGS = Map.of("StrictHostKeyChecking", "yes",
            "PreferredAuthentications", "publickey", "compression.s2c", "none", "compression.c2s", "none",
            "ForwardAgent", "no", "enable_auth_none", "no");

    private final URI repository;
    private final Network network;
    private final long mostBytes;
    private final Deadline deadline;
    private final KnownHosts hosts;
    private final Session session;
    private final CompletableFuture<@Nullable Void> time = new CompletableFuture<>();
    private volatile @Nullable Socket socket;
    private volatile boolean over;

    /** A step of ssh. */
    @FunctionalInterface
    private interface Connecting {

        void run() throws JSchException;
    }

    public GuardedSshSessionFactory(URI repository, @Nullable Credential credential, Network network, long mostBytes, Deadline deadline)
            throws IOException {
        this.repository = repository;
        this.network = network;
        this.mostBytes = mostBytes;
        this.deadline = deadline;
        if (!(credential instanceof DeployKey key)) {
            throw new SourceException(Kind.UNREACHABLE, "Repositories are read over ssh with a deploy key only; register the"
                    + " integration with a deploy_key, or give the https address.");
        }
        try {
            int port = repository.getPort() < 0 ? DEFAULT_PORT : repository.getPort();
            hosts = new KnownHosts(repository.getHost(), port, key.knownHosts());
            session = session(key, port);
        } catch (JSchException e) {
            throw new IOException("ssh cannot be prepared", e);
        }
        var unused = time.whenComplete((_, late) -> {
            if (late != null) {
                breakOff();
            }
        });
    }

    private Session session(DeployKey key, int port) throws JSchException {
        JSch ssh = new JSch();
        DeployKeys.add(ssh, key.secret());
        ssh.setHostKeyRepository(hosts);
        String user = repository.getUserInfo() == null ? USER : repository.getUserInfo();
        Session prepared = ssh.getSession(user, repository.getHost(), port);
        SETTINGS.forEach(prepared::setConfig);
        prepared.setDaemonThread(true);
        prepared.setSocketFactory(new GuardedSockets());
        return prepared;
    }

    /** The session is made with the first connection, and ended with this. */
    @Override
    public RemoteSession2 getSession(URIish address, @Nullable CredentialsProvider nobody, FS files, int timeout)
            throws TransportException {
        try {
            if (!session.isConnected()) {
                deadline.check();
                // The host's silence is bounded by the socket; this bounds what never comes to an end.
                time.orTimeout(deadline.left().toMillis() + 1, TimeUnit.MILLISECONDS);
                hear(() -> session.connect(Math.toIntExact(network.silence().toMillis())));
            }
            return this;
        } catch (JSchException e) {
            throw explain(e);
        } catch (IOException e) {
            throw new TransportException("broken off", e);
        }
    }

    private RuntimeException explain(JSchException fault) throws TransportException {
        if (hosts.disbelief().isPresent()) {
            return hosts.disbelief().get();
        }
        String message = String.valueOf(fault.getMessage());
        if (message.contains("timeout") || message.contains("timed out")) {
            throw new TransportException("silent", new SocketTimeoutException(message));
        }
        if (message.startsWith("Auth")) {
            return new SourceException(Kind.UNREACHABLE, "Access to the repository was refused: " + repository.getHost()
                    + " does not take the integration's deploy key; add its public half to the repository.");
        }
        throw new TransportException("no session", fault);
    }

    /** Whoever connects by ssh swallows interrupts while it waits for answers; who waits for it here does not. */
    private void hear(Connecting work) throws IOException, JSchException {
        FutureTask<Void> task = new FutureTask<>(() -> {
            work.run();
            return null;
        });
        Thread.ofVirtual().start(task);
        try {
            task.get();
        } catch (InterruptedException e) {
            breakOff();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("nobody waits for it any more");
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case JSchException fault -> throw fault;
                case RuntimeException fault -> throw fault;
                case null, default -> throw new IOException(e.getCause());
            }
        }
    }

    /**
     * Returns the result of work with this session. An interrupt ends it by closing the connection: git clears a thread's
     * interrupts whenever it begins to wait for an answer, so that one which arrives before would be lost.
     */
    public <T> T interruptibly(Callable<T> work) throws IOException {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = Thread.ofVirtual().start(task);
        try {
            return task.get();
        } catch (InterruptedException e) {
            breakOff();
            thread.interrupt();
            awaitEnd(thread);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("nobody waits for it any more");
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException fault -> throw fault;
                case RuntimeException fault -> throw fault;
                case null, default -> throw new IOException(e.getCause());
            }
        }
    }

    // What it fetched into is removed next.
    private static void awaitEnd(Thread thread) {
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                // It was interrupted already.
            }
        }
    }

    @Override
    public Process exec(String command, int timeout) throws IOException {
        return exec(command, Map.of(), timeout);
    }

    @Override
    public Process exec(String command, Map<String, String> environment, int timeout) throws IOException {
        try {
            ChannelExec channel = (ChannelExec) session.openChannel("exec");
            channel.setCommand(command.getBytes(StandardCharsets.UTF_8));
            environment.forEach(channel::setEnv);
            SshProcess process = new SshProcess(channel, mostBytes, deadline);
            hear(() -> channel.connect(Math.toIntExact(network.silence().toMillis())));
            return process;
        } catch (JSchException e) {
            throw new TransportException("no command", e);
        }
    }

    @Override
    public void disconnect() {
        // The transport ends with every connection; the session is kept for the next.
    }

    @Override
    public void releaseSession(org.eclipse.jgit.transport.RemoteSession released) {
        // It is ended with this.
    }

    @Override
    public String getType() {
        return "guarded";
    }

    /** Whoever reads or writes then fails. */
    private void breakOff() {
        over = true;
        Socket open = socket;
        if (open != null) {
            try {
                open.close();
            } catch (IOException _) {
                // It is closed either way.
            }
        }
    }

    @Override
    public void close() {
        time.complete(null);
        // First: what the session says in parting could wait for a host that does not read.
        breakOff();
        session.disconnect();
    }

    /** Connects to where the name leads now, if all of that may be reached. */
    private final class GuardedSockets implements com.jcraft.jsch.SocketFactory {

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            IOException last = new UnknownHostException(host);
            for (InetAddress address : addresses()) {
                Socket tried = new Socket();
                socket = tried;
                try {
                    if (over) {
                        throw new SocketException("broken off");
                    }
                    int silence = Math.toIntExact(network.silence().toMillis());
                    tried.connect(new InetSocketAddress(address, port), silence);
                    tried.setSoTimeout(silence);
                    tried.setTcpNoDelay(true);
                    return tried;
                } catch (IOException e) {
                    tried.close();
                    last = e;
                }
            }
            throw last;
        }

        private Iterable<InetAddress> addresses() throws UnknownHostException {
            try {
                return network.guard().addresses(repository);
            } catch (UnsafeAddressException e) {
                throw new UnknownHostException(e.getMessage());
            }
        }

        @Override
        public java.io.InputStream getInputStream(Socket open) throws IOException {
            return open.getInputStream();
        }

        @Override
        public java.io.OutputStream getOutputStream(Socket open) throws IOException {
            return open.getOutputStream();
        }
    }
}
