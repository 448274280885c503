package dev.waybill.controlplane.source.ssh;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

import com.jcraft.jsch.JSch;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.KeyPair;

import dev.waybill.controlplane.source.SourceException;

/** Which private keys open repositories by ssh. */
public final class DeployKeys {

    private static final byte[] NO_PASSPHRASE = {};

    private DeployKeys() {
    }

    /** What is wrong with the key, to be put behind the name of its field; empty when it can be used. */
    public static Optional<String> refusal(String key) {
        try {
            KeyPair read = read(key);
            return read.isEncrypted()
                    ? Optional.of("must have no passphrase: nobody is there to give it; make a key of its own for this"
                            + " integration (ssh-keygen -t ed25519 -N '')")
                    : Optional.empty();
        } catch (JSchException | RuntimeException _) {
            // Whatever it says of the key is not passed on.
            return Optional.of("must be a private key in OpenSSH's or PEM form (ed25519, ecdsa or rsa), whole and with its"
                    + " first and last line");
        }
    }

    private static KeyPair read(String key) throws JSchException {
        KeyPair read = KeyPair.load(new JSch(), bytes(key), null);
        boolean known = switch (read.getKeyType()) {
            case KeyPair.RSA, KeyPair.ECDSA, KeyPair.ED25519 -> true;
            default -> false;
        };
        if (!known) {
            throw new JSchException("another kind of key");
        }
        return read;
    }

    /** Gives the key to whom connects. */
    static void add(JSch ssh, String key) throws JSchException {
        refusal(key).ifPresent(wrong -> {
            throw new SourceException(SourceException.Kind.UNREACHABLE, "The integration's deploy_key " + wrong + ".");
        });
        ssh.addIdentity("deploy_key", bytes(key), null, NO_PASSPHRASE);
    }

    // What is pasted comes with other ends of lines, and without the last.
    private static byte[] bytes(String key) {
        return (key.strip().replace("\r\n", "\n") + "\n").getBytes(StandardCharsets.US_ASCII);
    }
}
