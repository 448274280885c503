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

    private final SecretCipher box = box("old", Map.of("old", OLD));

    @Test
    void whatWasSealedOpensAgain() {
        // When
        byte[] sealed = box.seal(SECRET, TENANT, ROW);

        // Then
        assertThat(box.open(sealed, TENANT, ROW)).isEqualTo(SECRET);
        assertThat(new String(sealed, StandardCharsets.ISO_8859_1)).doesNotContain("canary");
    }

    @Test
    void theSameSecretNeverLooksTheSame() {
        assertThat(box.seal(SECRET, TENANT, ROW)).isNotEqualTo(box.seal(SECRET, TENANT, ROW));
    }

    @Test
    void aSignatureHoldsForItsMessageAndAConfiguredKeyOnly() {
        // Given
        byte[] signature = box.sign(SECRET);
        byte[] other = SECRET.clone();
        other[0]++;

        // Then
        assertThat(box.isSigned(SECRET, signature)).isTrue();
        assertThat(box("new", Map.of("old", OLD, "new", NEW)).isSigned(SECRET, signature)).isTrue();
        assertThat(box("new", Map.of("new", NEW)).isSigned(SECRET, signature)).isFalse();
        assertThat(box("old", Map.of("old", NEW)).isSigned(SECRET, signature)).isFalse();
        assertThat(box.isSigned(other, signature)).isFalse();
        for (int length = 0; length < signature.length; length++) {
            assertThat(box.isSigned(SECRET, Arrays.copyOf(signature, length))).isFalse();
        }
    }

    @Test
    void anEmptySecretIsOneToo() {
        assertThat(box.open(box.seal(new byte[0], TENANT, ROW), TENANT, ROW)).isEmpty();
    }

    @Test
    void aSecretMovedToAnotherWorkspaceOrRowStaysShut() {
        // Given
        byte[] sealed = box.seal(SECRET, TENANT, ROW);

        // Then
        assertThatThrownBy(() -> box.open(sealed, UUID.randomUUID(), ROW)).isInstanceOf(SecretUnavailableException.class);
        assertThatThrownBy(() -> box.open(sealed, TENANT, UUID.randomUUID())).isInstanceOf(SecretUnavailableException.class);
        assertThatThrownBy(() -> box.open(sealed, ROW, TENANT)).isInstanceOf(SecretUnavailableException.class);
    }

    @Test
    void anyChangedByteIsNoticed() {
        // Given
        byte[] sealed = box.seal(SECRET, TENANT, ROW);

        for (int i = 0; i < sealed.length; i++) {
            byte[] changed = sealed.clone();
            changed[i] ^= 1;

            // Then
            assertThatThrownBy(() -> box.open(changed, TENANT, ROW)).as("byte %d", i)
                    .isInstanceOf(SecretUnavailableException.class)
                    .hasMessageNotContaining("canary");
        }
    }

    @Test
    void anyShortenedTextIsRefused() {
        // Given
        byte[] sealed = box.seal(SECRET, TENANT, ROW);

        for (int length = 0; length < sealed.length; length++) {
            byte[] cut = Arrays.copyOf(sealed, length);

            // Then
            assertThatThrownBy(() -> box.open(cut, TENANT, ROW)).as("length %d", length)
                    .isInstanceOf(SecretUnavailableException.class);
        }
    }

    @Test
    void afterARotationBothKeysOpenAndTheNewOneSeals() {
        // Given
        byte[] before = box.seal(SECRET, TENANT, ROW);
        SecretCipher rotated = box("new", Map.of("old", OLD, "new", NEW));

        // When
        byte[] after = rotated.seal(SECRET, TENANT, ROW);

        // Then
        assertThat(rotated.open(before, TENANT, ROW)).isEqualTo(SECRET);
        assertThat(box("new", Map.of("new", NEW)).open(after, TENANT, ROW)).isEqualTo(SECRET);
    }

    @Test
    void aKeyThatWasTakenAwayIsNamed() {
        // Given
        byte[] before = box.seal(SECRET, TENANT, ROW);
        SecretCipher without = box("new", Map.of("new", NEW));

        // Then
        assertThatThrownBy(() -> without.open(before, TENANT, ROW)).hasMessageContaining("waybill.encryption.keys.old");
    }

    @Test
    void keysOfAnotherLengthAreRefusedWithoutBeingTold() {
        // Given
        String tooShort = Base64.getEncoder().encodeToString("sixteen bytes...".getBytes(StandardCharsets.US_ASCII));

        // Then
        assertThatThrownBy(() -> box("old", Map.of("old", tooShort)))
                .hasMessageContaining("waybill.encryption.keys.old").hasMessageNotContaining(tooShort);
        assertThatThrownBy(() -> box("old", Map.of("old", "not base64!")))
                .hasMessageContaining("waybill.encryption.keys.old").hasMessageNotContaining("not base64!");
    }

    @Test
    void theCurrentKeyMustBeThere() {
        assertThatThrownBy(() -> box("gone", Map.of("old", OLD))).hasMessageContaining("waybill.encryption.current");
    }

    @Test
    void withoutAKeyNothingIsSealed() {
        assertThatThrownBy(() -> box(null, Map.of()).seal(SECRET, TENANT, ROW))
                .hasMessageContaining("waybill.encryption.current");
    }

    private static SecretCipher box(String current, Map<String, String> keys) {
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
