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
import dev.waybill.controlplane.source.guard.GuardedHttpConnectionFactory.NetworkSettings;
import dev.waybill.controlplane.source.guard.SourceDeadline;

/**
 * Ssh client for one host: connects only to addresses that the guard allows, with one deploy key and the configured
 * host keys; without configuration files, agent, passwords, forwarding or jump hosts; with limits of time and size.
 */
public final class GuardedSshSessionFactory extends SshSessionFactory implements RemoteSession2, Closeable {

    private static final int DEFAULT_PORT = 22;
    private static final String USER = "git";
    private static final Map<String, String> SETTINGS = Map.of("StrictHostKeyChecking", "yes",
            "PreferredAuthentications", "publickey", "compression.s2c", "none", "compression.c2s", "none",
            "ForwardAgent", "no", "enable_auth_none", "no");

    private final URI repository;
    private final NetworkSettings network;
    private final long maxBytes;
    private final SourceDeadline deadline;
    private final KnownHosts hosts;
    private final Session session;
    private final CompletableFuture<@Nullable Void> time = new CompletableFuture<>();
    private volatile @Nullable Socket socket;
    private volatile boolean aborted;

    /** A blocking call of JSch. */
    @FunctionalInterface
    private interface SshStep {

        void run() throws JSchException;
    }

    public GuardedSshSessionFactory(URI repository, @Nullable Credential credential, NetworkSettings network, long maxBytes,
            SourceDeadline deadline)
            throws IOException {
        this.repository = repository;
        this.network = network;
        this.maxBytes = maxBytes;
        this.deadline = deadline;
        if (!(credential instanceof DeployKey key)) {
            throw new SourceException(Kind.UNREACHABLE, "Access over ssh requires a deploy key; set the integration's"
                    + " deploy_key, or use the https URL.");
        }
        try {
            int port = repository.getPort() < 0 ? DEFAULT_PORT : repository.getPort();
            hosts = new KnownHosts(repository.getHost(), port, key.knownHosts());
            session = session(key, port);
        } catch (JSchException e) {
            throw new IOException("the ssh session cannot be created", e);
        }
        var unused = time.whenComplete((_, late) -> {
            if (late != null) {
                abort();
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

    /** Connects the session on the first call; {@link #close} disconnects it. */
    @Override
    public RemoteSession2 getSession(URIish address, @Nullable CredentialsProvider ignored, FS files, int timeout)
            throws TransportException {
        try {
            if (!session.isConnected()) {
                deadline.check();
                // The socket has a read timeout; this limits a host that keeps sending.
                time.orTimeout(deadline.remaining().toMillis() + 1, TimeUnit.MILLISECONDS);
                runInterruptibly(() -> session.connect(Math.toIntExact(network.readTimeout().toMillis())));
            }
            return this;
        } catch (JSchException e) {
            throw explain(e);
        } catch (IOException e) {
            throw new TransportException("aborted", e);
        }
    }

    private RuntimeException explain(JSchException fault) throws TransportException {
        if (hosts.rejectionReason().isPresent()) {
            return hosts.rejectionReason().get();
        }
        String message = String.valueOf(fault.getMessage());
        if (message.contains("timeout") || message.contains("timed out")) {
            throw new TransportException("read timed out", new SocketTimeoutException(message));
        }
        if (message.startsWith("Auth")) {
            return new SourceException(Kind.UNREACHABLE, "Access to the repository was denied: " + repository.getHost()
                    + " does not accept the integration's deploy key; add its public key to the repository.");
        }
        throw new TransportException("no session", fault);
    }

    /** Runs a call of JSch, which swallows interrupts, in another thread, so that the caller can be interrupted. */
    private void runInterruptibly(SshStep work) throws IOException, JSchException {
        FutureTask<Void> task = new FutureTask<>(() -> {
            work.run();
            return null;
        });
        Thread.ofVirtual().start(task);
        try {
            task.get();
        } catch (InterruptedException e) {
            abort();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the operation was cancelled");
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case JSchException fault -> throw fault;
                case RuntimeException fault -> throw fault;
                case null, default -> throw new IOException(e.getCause());
            }
        }
    }

    /**
     * Runs work that uses this session. An interrupt aborts it by closing the connection, because JGit clears the
     * interrupt flag whenever it begins to wait for a response.
     */
    public <T> T interruptibly(Callable<T> work) throws IOException {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = Thread.ofVirtual().start(task);
        try {
            return task.get();
        } catch (InterruptedException e) {
            abort();
            thread.interrupt();
            awaitEnd(thread);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the operation was cancelled");
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException fault -> throw fault;
                case RuntimeException fault -> throw fault;
                case null, default -> throw new IOException(e.getCause());
            }
        }
    }

    // The folder of the fetch is removed next.
    private static void awaitEnd(Thread thread) {
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                // The interrupt was handled before.
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
            SshProcess process = new SshProcess(channel, maxBytes, deadline);
            runInterruptibly(() -> channel.connect(Math.toIntExact(network.readTimeout().toMillis())));
            return process;
        } catch (JSchException e) {
            throw new TransportException("the remote command failed", e);
        }
    }

    @Override
    public void disconnect() {
        // The transport disconnects after each operation; the session is reused for the next one.
    }

    @Override
    public void releaseSession(org.eclipse.jgit.transport.RemoteSession released) {
        // close() disconnects the session.
    }

    @Override
    public String getType() {
        return "guarded";
    }

    /** Closes the socket, so that reads and writes fail. */
    private void abort() {
        aborted = true;
        Socket open = socket;
        if (open != null) {
            try {
                open.close();
            } catch (IOException _) {
                // The socket is closed anyway.
            }
        }
    }

    @Override
    public void close() {
        time.complete(null);
        // First, because the session's disconnect message could block on a host that does not read.
        abort();
        session.disconnect();
    }

    /** Connects to the host's current addresses if the guard allows all of them. */
    private final class GuardedSockets implements com.jcraft.jsch.SocketFactory {

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            IOException last = new UnknownHostException(host);
            for (InetAddress address : addresses()) {
                Socket tried = new Socket();
                socket = tried;
                try {
                    if (aborted) {
                        throw new SocketException("aborted");
                    }
                    int readTimeout = Math.toIntExact(network.readTimeout().toMillis());
                    tried.connect(new InetSocketAddress(address, port), readTimeout);
                    tried.setSoTimeout(readTimeout);
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
