package dev.waybill.k8s;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.testing.ConfigurationReference;

/**
 * The environment variables that a service reads at run time: those of Waybill's keys and of Quarkus' run-time keys.
 */
final class EnvironmentKeys {

    private static final Set<String> QUARKUS = quarkus();
    private static final Map<ServiceDefinition, EnvironmentKeys> CACHE = new EnumMap<>(ServiceDefinition.class);

    private final List<String> own;

    private EnvironmentKeys(List<String> own) {
        this.own = own;
    }

    static synchronized EnvironmentKeys of(ServiceDefinition service) {
        return CACHE.computeIfAbsent(service, EnvironmentKeys::read);
    }

    private static EnvironmentKeys read(ServiceDefinition service) {
        return new EnvironmentKeys(Stream
                .of(ConfigurationReference.names(service.packageName()), ConfigurationReference.names("dev.waybill.common"))
                .flatMap(List::stream)
                .map(EnvironmentKeys::pattern)
                .toList());
    }

    boolean has(String variable) {
        return QUARKUS.contains(variable) || own.stream().anyMatch(variable::matches);
    }

    private static String pattern(String key) {
        return key.replace("<id>", "ANYTHING").replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT)
                .replace("ANYTHING", "[A-Z0-9_]+");
    }

    /** Returns the run-time variables from the descriptions that every Quarkus extension contains. */
    private static Set<String> quarkus() {
        Set<String> found = new HashSet<>();
        ObjectMapper json = new ObjectMapper();
        try {
            for (URL model : Collections.list(EnvironmentKeys.class.getClassLoader()
                    .getResources("META-INF/quarkus-config-doc/quarkus-config-model.json"))) {
                try (InputStream stream = model.openStream()) {
                    collect(json.readTree(stream), found);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private static void collect(JsonNode node, Set<String> found) {
        if (node.path("phase").asText().equals("RUN_TIME")) {
            found.add(node.at("/path/environmentVariable").asText());
        }
        node.forEach(child -> collect(child, found));
    }
}
