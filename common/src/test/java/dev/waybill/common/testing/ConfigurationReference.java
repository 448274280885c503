package dev.waybill.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import io.smallrye.config.WithParentName;

/** Asserts that docs/operations.md has a row with the default of every key of every {@code @ConfigMapping}. */
public final class ConfigurationReference {

    private static final Path REFERENCE = Path.of(System.getProperty("waybill.root"), "docs", "operations.md");

    private ConfigurationReference() {
    }

    /** Fails with the keys that are missing or have a wrong default in operations.md. */
    public static void assertComplete() {
        List<String> rows = rows();
        List<String> missing = keys("dev.waybill")
                .filter(key -> rows.stream().noneMatch(key::isDocumentedBy))
                .map(Key::toString)
                .toList();

        assertThat(missing).as("configuration keys without a row `| key | default | ...` in docs/operations.md").isEmpty();
    }

    /**
     * Returns the names of all keys of these packages; {@code <id>} stands for a name chosen by the operator, {@code <plan>}
     * for a value of that enum.
     */
    public static List<String> names(String... packages) {
        return keys(packages).map(Key::name).toList();
    }

    private static Stream<Key> keys(String... packages) {
        // Only annotations are read, so classes of libraries are not imported.
        JavaClasses classes = ArchConfiguration.withThreadLocalScope(configuration -> {
            configuration.setResolveMissingDependenciesFromClassPath(false);
            return new ClassFileImporter().importPackages(packages);
        });
        return classes.stream()
                .filter(type -> type.isAnnotatedWith(ConfigMapping.class))
                .map(type -> type.reflect())
                .flatMap(type -> keys(type.getAnnotation(ConfigMapping.class).prefix(), type));
    }

    private static Stream<Key> keys(String prefix, Class<?> mapping) {
        return Arrays.stream(mapping.getDeclaredMethods())
                .filter(method -> !method.isDefault() && !method.isSynthetic())
                .flatMap(method -> keys(prefix, method));
    }

    private static Stream<Key> keys(String prefix, Method method) {
        WithName named = method.getAnnotation(WithName.class);
        String name = prefix + "." + (named == null ? kebabCase(method.getName()) : named.value());
        if (method.getReturnType().isInterface() && method.getReturnType().getName().startsWith("dev.waybill")) {
            return keys(name, method.getReturnType());
        }
        if (method.getGenericReturnType() instanceof ParameterizedType map && method.getReturnType() == Map.class
                && map.getActualTypeArguments()[1] instanceof Class<?> group && group.isInterface()) {
            String parent = method.isAnnotationPresent(WithParentName.class) ? prefix : name;
            return keys(parent + ".<" + kebabCase(((Class<?>) map.getActualTypeArguments()[0]).getSimpleName()) + ">", group);
        }
        WithDefault byDefault = method.getAnnotation(WithDefault.class);
        return Stream.of(new Key(method.getReturnType() == Map.class ? name + ".<id>" : name,
                byDefault == null ? "" : byDefault.value()));
    }

    private static String kebabCase(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }

    private static List<String> rows() {
        try {
            return Files.readAllLines(REFERENCE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Key(String name, String defaultValue) {

        boolean isDocumentedBy(String row) {
            String rest = "| `" + name + "` | ";
            return row.startsWith(rest) && (defaultValue.isEmpty() || row.startsWith(rest + "`" + defaultValue + "` |"));
        }

        @Override
        public String toString() {
            return "| `" + name + "` | " + (defaultValue.isEmpty() ? "" : "`" + defaultValue + "` ") + "|";
        }
    }
}
