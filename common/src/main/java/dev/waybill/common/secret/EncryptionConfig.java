package dev.waybill.common.secret;

import java.util.Map;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;

/** Keys for encrypting customers' secrets at rest. */
@ConfigMapping(prefix = "waybill.encryption")
public interface EncryptionConfig {

    /** Id of the key that encrypts new secrets. */
    Optional<String> current();

    /** All keys in use by id: 32 random bytes each, in Base64. Retain an old key until no secret is encrypted with it. */
    Map<String, String> keys();
}
