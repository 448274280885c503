package dev.waybill.controlplane.source.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.jcraft.jsch.JSch;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.KeyPair;

import dev.waybill.controlplane.source.ssh.GitSshServer.Key;

/** Validation of deploy keys and host keys. */
class SshKeysTest {

    @Test
    void keyWithPassphraseIsRejected() throws Exception {
        // Given
        ByteArrayOutputStream closed = new ByteArrayOutputStream();
        KeyPair.genKeyPair(new JSch(), KeyPair.ED25519, 0)
                .writeOpenSSHv1PrivateKey(closed, "passphrase".getBytes(StandardCharsets.US_ASCII));

        // When, Then
        assertThat(DeployKeys.validationError(closed.toString(StandardCharsets.US_ASCII)))
                .hasValueSatisfying(why -> assertThat(why).contains("must not have a passphrase"));
        String open = key().secret();
        assertThat(DeployKeys.validationError(open)).isEmpty();
        assertThat(DeployKeys.validationError(open.strip().replace("\n", "\r\n"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "x", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAA", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n",
            "-----BEGIN RSA PRIVATE KEY-----\n-----END RSA PRIVATE KEY-----", "/home/me/.ssh/id_ed25519", "\0" })
    void malformedKeyIsRejected(String text) {
        assertThat(DeployKeys.validationError(text))
                .hasValueSatisfying(why -> assertThat(why).contains("must be a complete private key"));
    }

    @Test
    void truncatedKeyIsRejected() throws JSchException {
        // Given
        String[] lines = key().secret().split("\n");
        String half = String.join("\n", Arrays.copyOf(lines, lines.length - 2));

        // When, Then
        assertThat(DeployKeys.validationError(half)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "# nothing", "github.com", "github.com ssh-ed25519", "github.com ssh-ed25519 AAAA",
            "github.com ssh-ed25519 AAAAB3NzaC1yc2EAAAADAQABAAAAgQ==", "github.com ssh-dss AAAAB3NzaC1kc3MAAACBAA==",
            "@cert-authority * ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl",
            "github.com ssh-ed25519 !!!!" })
    void malformedHostKeyIsRejected(String lines) {
        assertThat(KnownHosts.validationError(lines)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "github.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl",
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl comment",
            "# a comment\n\n[host]:2222,10.0.0.1 ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl\r\n",
            "|1|F1E1KeoE/eEWhi10WpGv4OdiO6Y=|3988QV0VE8wmZL7suNrYQLITLCg= ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl" })
    void knownHostsLinesAreAccepted(String lines) {
        assertThat(KnownHosts.validationError(lines)).isEmpty();
    }

    private static Key key() throws JSchException {
        return Key.of(KeyPair.ED25519, 0);
    }
}
