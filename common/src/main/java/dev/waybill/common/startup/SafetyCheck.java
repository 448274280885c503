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
 * Prevents the start of a service whose configuration is unsafe; the message lists all violations with their properties. In
 * production, a service that other machines can reach must also satisfy {@link ProductionRules}.
 */
@Singleton
class SafetyCheck {

    private static final int MIN_OPERATOR_KEY_LENGTH = 32;

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
        List<String> violations = violations(ConfigUtils.getProfiles().contains("prod"));
        if (!violations.isEmpty()) {
            throw new IllegalStateException("refusing to start: " + String.join("; ", violations)
                    + ". List properties whose values are intended in production in waybill.startup.allow-unsafe");
        }
    }

    List<String> violations(boolean inProduction) {
        List<String> violations = new ArrayList<>();
        operator.key()
                .filter(key -> key.length() < MIN_OPERATOR_KEY_LENGTH)
                .ifPresent(key -> violations.add("waybill.operator.key must have at least 32 characters"));
        encryption.keys().forEach((id, key) -> {
            if (isGuessable(key)) {
                violations.add("waybill.encryption.keys." + id + " is not random: generate 32 random bytes");
            }
        });
        if (inProduction && !production.listensOnLoopbackOnly()) {
            violations.addAll(production.violations());
        }
        return violations;
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
