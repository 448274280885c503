package dev.waybill.common.secret;

import java.util.Map;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;

/** The keys that customers' secrets are encrypted with at rest. */
@ConfigMapping(prefix = "waybill.encryption")
public interface EncryptionConfig {

    /** The id of the key that new secrets are sealed with. */
    Optional<String> current();

    /** Every key still needed, by id: 32 random bytes each, Base64. Keep an old one until nothing is sealed with it. */
    Map<String, String> keys();
}
