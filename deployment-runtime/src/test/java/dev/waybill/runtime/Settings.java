package dev.waybill.runtime;

import java.util.Map;

import io.smallrye.config.SmallRyeConfigBuilder;

/** Configuration for tests without Quarkus: defaults and overrides. */
public final class Settings {

    private Settings() {
    }

    /** @param values overrides by full key */
    public static <T> T of(Class<T> mapping, Map<String, String> values) {
        return new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(mapping)
                .withDefaultValues(values)
                .build()
                .getConfigMapping(mapping);
    }
}
