package dev.waybill.experiment.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

class ContentDigestTest {

    @Test
    void equalValuesHaveEqualDigests() {
        assertThat(new ContentDigest().add("a", 1, null).toHex()).isEqualTo(new ContentDigest().add("a").add(1, null).toHex());
    }

    @Test
    void differentValuesHaveDifferentDigests() {
        assertThat(Stream.of(new ContentDigest(), new ContentDigest().add(""), new ContentDigest().add((Object) null),
                new ContentDigest().add("-"), new ContentDigest().add("ab"), new ContentDigest().add("a", "b"),
                new ContentDigest().add("", "ab"), new ContentDigest().add("a1:b"), new ContentDigest().add("null"))
                .map(ContentDigest::toHex)).doesNotHaveDuplicates();
    }
}
