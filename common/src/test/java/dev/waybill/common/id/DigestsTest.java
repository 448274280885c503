package dev.waybill.common.id;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

import org.junit.jupiter.api.Test;

class DigestsTest {

    private static final String OF_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @Test
    void hashesMatchPublishedValues() {
        assertThat(Digests.sha256Hex("abc")).isEqualTo(OF_ABC);
        assertThat(Digests.newSha256().digest("abc".getBytes(StandardCharsets.US_ASCII))).isEqualTo(Digests.sha256("abc"));
        assertThat(HexFormat.of().formatHex(Digests.newMd5().digest())).isEqualTo("d41d8cd98f00b204e9800998ecf8427e");
        assertThat(HexFormat.of().formatHex(Digests.newSha1().digest()))
                .isEqualTo("da39a3ee5e6b4b0d3255bfef95601890afd80709");
    }
}
