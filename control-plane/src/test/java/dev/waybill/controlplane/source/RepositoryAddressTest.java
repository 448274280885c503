package dev.waybill.controlplane.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.Charset;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RepositoryAddressTest {

    @ParameterizedTest
    @CsvSource({ "https://github.com/acme/agent.git, HTTP", "https://git.example.org:8443/a/b/c, HTTP",
            "ssh://git@github.com/acme/agent.git, SSH", "ssh://git@host.example:2222/acme/agent, SSH",
            "git@github.com:acme/agent.git, SSH", "git@host.example:/srv/git/agent.git, SSH",
            "file:///srv/git/agent.git, FILE" })
    void plainUrlsAreAccepted(String text, RepositoryAddress.Kind kind) {
        assertThat(RepositoryAddress.parse(text, TestSourceConfig.guard("127.0.0.0/8"), true).kind()).isEqualTo(kind);
    }

    @ParameterizedTest
    @ValueSource(strings = { "", " ", "ext::sh -c touch% /tmp/x", "ext::https://github.com/a/b", "fd::17",
            "--upload-pack=touch",
            "-oProxyCommand=touch", "git://github.com/acme/agent", "ftp://host/a", "https://", "https:///a", "HTTPS:github.com",
            "https://user:pass@github.com/acme/agent", "https://github.com@169.254.169.254/a",
            "https://github.com/acme/../other",
            "https://github.com/acme/agent?service=x", "https://github.com/acme/agent#x", "https://0x7f000001/a",
            "https://2130706433/a", "https://127.1/a", "https://[::ffff:127.0.0.1]/a", "https://169.254.169.254/a",
            "https://10.0.0.1/a",
            "https://host:22/a", "https://host:/a", "https://github.com/acme/agent\n", "https://github.com/%2e%2e/x",
            "ssh://-oProxyCommand=touch/x", "ssh://git@-oProxyCommand=x/y", "ssh://git@host/../x", "ssh://git@host/a b",
            "ssh://git@host..example/a", "ssh://git@host.1x/a", "ssh://git@host:65536/a",
            "-oProxyCommand=x@host:path", "git@-host:path", "git@host:-x;touch", "git@host:../x", "ssh://git@host/a;touch",
            "file:relative", "file://host/share", "file:///a/../b", "file:///a%2e%2e", "/etc/passwd", "C:\\repo", "agent.git",
            "javascript:alert(1)", "jar:file:///a!/b", "https://exa\u0301mple.org/a" })
    void otherUrlsAreRejected(String text) {
        assertThatThrownBy(() -> RepositoryAddress.parse(text, TestSourceConfig.guard(), true))
                .isInstanceOf(SourceException.class)
                .hasMessageStartingWith("The repository's address ");
    }

    @ParameterizedTest
    @CsvSource({ "file:///srv/a b, /srv/a b", "file:///srv/a%20b, /srv/a b", "file:///srv/b%C3%BCcher, /srv/b\u00fccher",
            "file:///srv/b\u00fccher, /srv/b\u00fccher", "file:///srv/\u672c%25, /srv/\u672c%",
            "file:///srv/me (1)/it's, /srv/me (1)/it's" })
    void fileUrlsWithAnyCharactersAreAccepted(String text, String folder) {
        // Given: a locale that supports these characters
        Charset names = Charset.forName(System.getProperty("sun.jnu.encoding"));
        assumeTrue(names.newEncoder().canEncode(folder));

        // When, then
        assertThat(RepositoryAddress.parse(text, TestSourceConfig.guard(), true).file()).isEqualTo(Path.of(folder));
    }

    @ParameterizedTest
    @ValueSource(strings = { "file:///srv/%2e%2e/etc", "file:///srv/%2E./x", "file:///srv%2Fx", "file:///srv/%00",
            "file:///srv/%0a",
            "file:///srv/%5c", "file:///srv/%", "file:///srv/%zz", "file:///srv/%FF", "file:///srv/a?b", "file:///srv/a#b" })
    void ambiguousFileUrlsAreRejected(String text) {
        assertThatThrownBy(() -> RepositoryAddress.parse(text, TestSourceConfig.guard(), true))
                .isInstanceOf(SourceException.class);
    }

    @Test
    void shortSshFormEqualsUrlForm() {
        assertThat(RepositoryAddresses.normalize("git@GitHub.com:acme/agent.git")).isEqualTo("ssh://git@github.com/acme/agent");
        assertThat(RepositoryAddresses.isUnder("git@github.com:acme/agent.git", "ssh://git@github.com/acme")).isTrue();
        assertThat(RepositoryAddresses.isUnder("ssh://git@github.com/acme/agent", "git@github.com:acme")).isTrue();
        assertThat(RepositoryAddresses.isUnder("git@github.com:acme-other/agent", "git@github.com:acme")).isFalse();
        assertThat(RepositoryAddresses.isUnder("git@github.com:acme/agent", "https://github.com/acme")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = { "file:///srv/git/agent.git", "FILE:///srv" })
    void fileUrlsAreRejectedUnlessAllowed(String text) {
        assertThatThrownBy(() -> RepositoryAddress.parse(text, TestSourceConfig.guard(), false))
                .isInstanceOf(SourceException.class)
                .hasMessageContaining("not allowed");
    }
}
