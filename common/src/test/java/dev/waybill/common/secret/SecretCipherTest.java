package dev.waybill.common.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

import org.junit.jupiter.api.Test;

class SecretCipherTest {

    private static final UUID TENANT = UUID.randomUUID();
    private static final UUID ROW = UUID.randomUUID();
    private static final byte[] SECRET = "canary-secret".getBytes(StandardCharsets.UTF_8);
    private static final String OLD = key(1);
    private static final String NEW = key(2);

    private final SecretCipher cipher = cipher("old", Map.of("old", OLD));

    @Test
    void decryptsWhatItEncrypted() {
        // When
        byte[] encrypted = cipher.encrypt(SECRET, TENANT, ROW);

        // Then
        assertThat(cipher.decrypt(encrypted, TENANT, ROW)).isEqualTo(SECRET);
        assertThat(new String(encrypted, StandardCharsets.ISO_8859_1)).doesNotContain("canary");
    }

    @Test
    void encryptionOfTheSameSecretDiffersEachTime() {
        assertThat(cipher.encrypt(SECRET, TENANT, ROW)).isNotEqualTo(cipher.encrypt(SECRET, TENANT, ROW));
    }

    @Test
    void signatureIsValidForItsMessageAndConfiguredKeysOnly() {
        // Given
        byte[] signature = cipher.sign(SECRET);
        byte[] other = SECRET.clone();
        other[0]++;

        // Then
        assertThat(cipher.isSigned(SECRET, signature)).isTrue();
        assertThat(cipher("new", Map.of("old", OLD, "new", NEW)).isSigned(SECRET, signature)).isTrue();
        assertThat(cipher("new", Map.of("new", NEW)).isSigned(SECRET, signature)).isFalse();
        assertThat(cipher("old", Map.of("old", NEW)).isSigned(SECRET, signature)).isFalse();
        assertThat(cipher.isSigned(other, signature)).isFalse();
        for (int length = 0; length < signature.length; length++) {
            assertThat(cipher.isSigned(SECRET, Arrays.copyOf(signature, length))).isFalse();
        }
    }

    @Test
    void encryptsEmptySecret() {
        assertThat(cipher.decrypt(cipher.encrypt(new byte[0], TENANT, ROW), TENANT, ROW)).isEmpty();
    }

    @Test
    void secretMovedToAnotherRowCannotBeDecrypted() {
        // Given
        byte[] encrypted = cipher.encrypt(SECRET, TENANT, ROW);

        // Then
        assertThatThrownBy(() -> cipher.decrypt(encrypted, UUID.randomUUID(), ROW))
                .isInstanceOf(SecretUnavailableException.class);
        assertThatThrownBy(() -> cipher.decrypt(encrypted, TENANT, UUID.randomUUID()))
                .isInstanceOf(SecretUnavailableException.class);
        assertThatThrownBy(() -> cipher.decrypt(encrypted, ROW, TENANT)).isInstanceOf(SecretUnavailableException.class);
    }

    @Test
    void rejectsModifiedCiphertext() {
        // Given
        byte[] encrypted = cipher.encrypt(SECRET, TENANT, ROW);

        for (int i = 0; i < encrypted.length; i++) {
            byte[] changed = encrypted.clone();
            changed[i] ^= 1;

            // Then
            assertThatThrownBy(() -> cipher.decrypt(changed, TENANT, ROW)).as("byte %s", i)
                    .isInstanceOf(SecretUnavailableException.class)
                    .hasMessageNotContaining("canary");
        }
    }

    @Test
    void rejectsTruncatedCiphertext() {
        // Given
        byte[] encrypted = cipher.encrypt(SECRET, TENANT, ROW);

        for (int length = 0; length < encrypted.length; length++) {
            byte[] cut = Arrays.copyOf(encrypted, length);

            // Then
            assertThatThrownBy(() -> cipher.decrypt(cut, TENANT, ROW)).as("length %s", length)
                    .isInstanceOf(SecretUnavailableException.class);
        }
    }

    @Test
    void afterRotationBothKeysDecryptAndTheNewOneEncrypts() {
        // Given
        byte[] before = cipher.encrypt(SECRET, TENANT, ROW);
        SecretCipher rotated = cipher("new", Map.of("old", OLD, "new", NEW));

        // When
        byte[] after = rotated.encrypt(SECRET, TENANT, ROW);

        // Then
        assertThat(rotated.decrypt(before, TENANT, ROW)).isEqualTo(SECRET);
        assertThat(cipher("new", Map.of("new", NEW)).decrypt(after, TENANT, ROW)).isEqualTo(SECRET);
    }

    @Test
    void errorNamesTheMissingKey() {
        // Given
        byte[] before = cipher.encrypt(SECRET, TENANT, ROW);
        SecretCipher without = cipher("new", Map.of("new", NEW));

        // Then
        assertThatThrownBy(() -> without.decrypt(before, TENANT, ROW)).hasMessageContaining("waybill.encryption.keys.old");
    }

    @Test
    void rejectsInvalidKeysWithoutQuotingThem() {
        // Given
        String tooShort = Base64.getEncoder().encodeToString("sixteen bytes...".getBytes(StandardCharsets.US_ASCII));

        // Then
        assertThatThrownBy(() -> cipher("old", Map.of("old", tooShort)))
                .hasMessageContaining("waybill.encryption.keys.old").hasMessageNotContaining(tooShort);
        assertThatThrownBy(() -> cipher("old", Map.of("old", "not base64!")))
                .hasMessageContaining("waybill.encryption.keys.old").hasMessageNotContaining("not base64!");
    }

    @Test
    void requiresTheCurrentKey() {
        assertThatThrownBy(() -> cipher("gone", Map.of("old", OLD))).hasMessageContaining("waybill.encryption.current");
    }

    @Test
    void encryptionRequiresAKey() {
        assertThatThrownBy(() -> cipher(null, Map.of()).encrypt(SECRET, TENANT, ROW))
                .hasMessageContaining("waybill.encryption.current");
    }

    private static SecretCipher cipher(String current, Map<String, String> keys) {
        return new SecretCipher(new Keys(Optional.ofNullable(current), keys));
    }

    private static String key(int seed) {
        byte[] bytes = new byte[32];
        new Random(seed).nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    private record Keys(Optional<String> current, Map<String, String> keys) implements EncryptionConfig {
    }
}
