package dev.waybill.common.startup;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.Config;

import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.secret.EncryptionConfig;
import dev.waybill.common.security.OperatorConfig;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigUtils;

/**
 * Refuses to start with configuration that would not keep secrets; every fault names its property, and all are told at once. In
 * production, when others than its own machine reach it, a service keeps {@link ProductionRules} as well.
 */
@Singleton
class SafetyCheck {

    private static final int SHORTEST_OPERATOR_KEY = 32;

    private final OperatorConfig operator;
    private final EncryptionConfig encryption;
    private final ProductionRules production;

    SafetyCheck(OperatorConfig operator, EncryptionConfig encryption, StartupConfig startup, Config config,
            AddressGuard guard) {
        this.operator = operator;
        this.encryption = encryption;
        this.production = new ProductionRules(config, startup, guard);
    }

    void check(@Observes StartupEvent starting) {
        List<String> faults = faults(ConfigUtils.getProfiles().contains("prod"));
        if (!faults.isEmpty()) {
            throw new IllegalStateException("refusing to start: " + String.join("; ", faults)
                    + ". What is meant to be so in production can be named in waybill.startup.accept");
        }
    }

    List<String> faults(boolean inProduction) {
        List<String> faults = new ArrayList<>();
        operator.key()
                .filter(key -> key.length() < SHORTEST_OPERATOR_KEY)
                .ifPresent(key -> faults.add("waybill.operator.key must have at least 32 characters"));
        encryption.keys().forEach((id, key) -> {
            if (isGuessable(key)) {
                faults.add("waybill.encryption.keys." + id + " is not random: make one of 32 random bytes");
            }
        });
        if (inProduction && !production.listensHereOnly()) {
            faults.addAll(production.faults());
        }
        return faults;
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
