package dev.waybill.common.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiKeyTest {

    private final SecureRandom random = new SecureRandom();

    @Test
    void newKeysCanBeParsed() {
        // When
        ApiKey key = ApiKey.generate(random);

        // Then
        assertThat(key.reveal()).matches("wb_[0-9a-f]{8}_[A-Za-z0-9_-]{43}");
        assertThat(ApiKey.parse(key.reveal()).orElseThrow().hash()).isEqualTo(key.hash());
        assertThat(key.reveal()).startsWith(key.prefix());
    }

    @Test
    void newKeysDiffer() {
        // When
        Set<String> keys = IntStream.range(0, 1000)
                .mapToObj(i -> ApiKey.generate(random).reveal())
                .collect(Collectors.toSet());

        // Then
        assertThat(keys).hasSize(1000);
    }

    @Test
    void hashIsTheSha256OfTheWholeKey() throws NoSuchAlgorithmException {
        // Given
        ApiKey key = ApiKey.generate(random);

        // When
        byte[] hash = key.hash();

        // Then
        assertThat(hash).isEqualTo(MessageDigest.getInstance("SHA-256")
                .digest(key.reveal().getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void stringFormContainsNoSecret() {
        // Given
        ApiKey key = ApiKey.generate(random);

        // When
        String text = "key " + key;

        // Then
        assertThat(text).contains(key.prefix()).doesNotContain(key.reveal().substring(12));
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "wb_", "wb_0123abcd", "WB_0123abcd_0123456789012345678901234567890123456789012",
            "wb_0123ABCD_0123456789012345678901234567890123456789012", "wb_0123abcd_012345678901234567890123456789012345678901",
            "wb_0123abcd_01234567890123456789012345678901234567890123",
            "wb_0123abcd_012345678901234567890123456789012345678901+",
            "wb_0123abcd_0123456789012345678901234567890123456789012\n" })
    void rejectsMalformedKeys(String text) {
        assertThat(ApiKey.parse(text)).isEmpty();
    }
}
