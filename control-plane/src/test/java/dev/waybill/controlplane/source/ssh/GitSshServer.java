package dev.waybill.controlplane.source.ssh;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.AbstractCommandSupport;
import org.apache.sshd.server.command.Command;
import org.eclipse.jgit.transport.UploadPack;

import com.jcraft.jsch.JSch;
import com.jcraft.jsch.JSchException;

import dev.waybill.controlplane.source.TestRepository;

/** A git server over ssh on loopback, with another library than the one under test. */
public final class GitSshServer implements AutoCloseable {

    private final SshServer server = SshServer.setUpDefaultServer();
    private final Map<String, TestRepository> repositories = new ConcurrentHashMap<>();
    private final KeyPair hostKey;
    private final CountDownLatch over = new CountDownLatch(1);
    private final CountDownLatch requested = new CountDownLatch(1);
    private volatile boolean silent;
    private volatile boolean endless;
    private volatile boolean idle;

    private GitSshServer(KeyPair hostKey) {
        this.hostKey = hostKey;
    }

    /** @param authorized a public key in the format of {@code authorized_keys} */
    public static GitSshServer start(String authorized) throws Exception {
        GitSshServer git = new GitSshServer(KeyUtils.generateKeyPair("ecdsa-sha2-nistp256", 256));
        git.server.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        git.server.setKeyPairProvider(KeyPairProvider.wrap(git.hostKey));
        var key = PublicKeyEntry.parsePublicKeyEntry(authorized).resolvePublicKey(null, Map.of(), null);
        git.server.setPublickeyAuthenticator((_, offered, _) -> KeyUtils.compareKeys(key, offered));
        git.server.setCommandFactory(git::command);
        git.server.start();
        return git;
    }

    public String serve(String path, TestRepository repository) {
        repositories.put(path, repository);
        return "ssh://git@127.0.0.1:" + server.getPort() + path;
    }

    void fallSilent() {
        silent = true;
    }

    void neverEnd() {
        endless = true;
    }

    /** Stops responding to command requests. */
    void takeNoCommand() {
        idle = true;
    }

    /** Returns the number of connected clients. */
    int clients() {
        return server.getActiveSessions().size();
    }

    boolean isAsked() {
        return requested.getCount() == 0;
    }

    public String knownHosts() {
        return "[127.0.0.1]:" + server.getPort() + " " + PublicKeyEntry.toString(hostKey.getPublic());
    }

    /** A private key, and its public key in the format of {@code authorized_keys}. */
    public record Key(String secret, String open) {

        public static Key of(int type, int size) throws JSchException {
            com.jcraft.jsch.KeyPair pair = com.jcraft.jsch.KeyPair.genKeyPair(new JSch(), type, size);
            ByteArrayOutputStream secret = new ByteArrayOutputStream();
            if (type == com.jcraft.jsch.KeyPair.ED25519) {
                pair.writeOpenSSHv1PrivateKey(secret, null);
            } else {
                pair.writePrivateKey(secret);
            }
            return new Key(secret.toString(StandardCharsets.US_ASCII),
                    pair.getKeyTypeString() + " " + Base64.getEncoder().encodeToString(pair.getPublicKeyBlob()));
        }
    }

    private Command command(ChannelSession channel, String command) {
        if (idle) {
            requested.countDown();
            awaitEnd();
        }
        return new AbstractCommandSupport(command, null) {
            @Override
            public void run() {
                try {
                    upload(getCommand(), getInputStream(), getOutputStream(), getErrorStream(),
                            getEnvironment().getEnv().get("GIT_PROTOCOL"));
                    onExit(0);
                } catch (IOException | InterruptedException _) {
                    onExit(1);
                }
            }
        };
    }

    private void awaitEnd() {
        try {
            over.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void upload(String command, InputStream in, OutputStream out, OutputStream errors, String protocol)
            throws IOException, InterruptedException {
        requested.countDown();
        if (silent) {
            over.await();
        }
        for (int i = 0; endless; i++) {
            out.write(String.format(Locale.ROOT, "0041%040x refs/heads/%08d\n", 1, i).getBytes(StandardCharsets.US_ASCII));
        }
        String path = command.replaceFirst("^git-upload-pack '(.*)'$", "$1");
        TestRepository repository = repositories.get(path);
        if (repository == null) {
            errors.write("ERROR: Repository not found.\n".getBytes(StandardCharsets.US_ASCII));
            errors.flush();
            throw new IOException("no such repository");
        }
        UploadPack git = new UploadPack(repository.repository());
        if (protocol != null) {
            git.setExtraParameters(List.of(protocol.split(":")));
        }
        git.upload(in, out, errors);
    }

    @Override
    public void close() throws IOException {
        over.countDown();
        server.stop(true);
    }
}
