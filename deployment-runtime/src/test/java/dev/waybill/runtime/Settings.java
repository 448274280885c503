package dev.waybill.runtime;

import java.util.Map;

import io.smallrye.config.SmallRyeConfigBuilder;

/** Configuration for tests without Quarkus: the defaults, but for what a test says. */
public final class Settings {

    private Settings() {
    }

    /** @param values by their whole keys */
    public static <T> T of(Class<T> mapping, Map<String, String> values) {
        return new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(mapping)
                .withDefaultValues(values)
                .build()
                .getConfigMapping(mapping);
    }
}
