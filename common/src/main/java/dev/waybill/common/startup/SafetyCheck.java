package dev.waybill.common.startup;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import dev.waybill.common.secret.EncryptionConfig;
import dev.waybill.common.security.OperatorConfig;
import io.quarkus.runtime.StartupEvent;

/** Refuses to start with configuration that would not keep secrets; every fault names its property. */
@Singleton
class SafetyCheck {

    private static final int SHORTEST_OPERATOR_KEY = 32;

    private final OperatorConfig operator;
    private final EncryptionConfig encryption;

    SafetyCheck(OperatorConfig operator, EncryptionConfig encryption) {
        this.operator = operator;
        this.encryption = encryption;
    }

    void check(@Observes StartupEvent starting) {
        List<String> faults = new ArrayList<>();
        operator.key()
                .filter(key -> key.length() < SHORTEST_OPERATOR_KEY)
                .ifPresent(key -> faults.add("waybill.operator.key must have at least 32 characters"));
        encryption.keys().forEach((id, key) -> {
            if (isGuessable(key)) {
                faults.add("waybill.encryption.keys." + id + " is not random: make one of 32 random bytes");
            }
        });
        if (!faults.isEmpty()) {
            throw new IllegalStateException("refusing to start: " + String.join("; ", faults));
        }
    }

    private static boolean isGuessable(String key) {
        try {
            byte[] bytes = Base64.getDecoder().decode(key.strip());
            long different = IntStream.range(0, bytes.length).map(i -> bytes[i]).distinct().count();
            return different < bytes.length / 4;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

}
