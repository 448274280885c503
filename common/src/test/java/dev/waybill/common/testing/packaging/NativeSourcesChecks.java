package dev.waybill.common.testing.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * Checks the native sources of a service without building the image, to find errors that otherwise appear after a build of a
 * quarter of an hour or at run time.
 */
// Reading all classes is slow.
@TestInstance(Lifecycle.PER_CLASS)
public abstract class NativeSourcesChecks {

    /** Types whose static instances would contain state of the build machine. */
    private static final Set<String> MACHINE_STATE = Stream.of("java.security.SecureRandom", "java.util.Random",
            "java.util.SplittableRandom", "java.util.random.RandomGenerator", "java.net.Socket", "java.net.ServerSocket",
            "java.nio.channels.Selector", "java.lang.Process", "java.lang.ProcessHandle", "java.lang.foreign.Arena",
            "java.lang.foreign.MemorySegment")
            .map(name -> "L" + name.replace('.', '/') + ";").collect(Collectors.toUnmodifiableSet());

    /** Classes that are unreachable or replaced by Quarkus; images with all of them were built. */
    private static final Set<String> NOT_IN_IMAGES = Set.of("io.prometheus.client.Striped64",
            "io.smallrye.health.HealthStatus", "io.quarkus.runtime.graal.Target_sun_security_jca_JCAUtil");

    private static final Pattern WIRE = Pattern.compile("dev/waybill/.*(Request|Response)(\\$[A-Z].*)?");
    private static final Pattern NAMED = Pattern.compile("L(dev/waybill/[^;<]+)");

    /** The sources of the service. */
    protected final NativeSources sources;

    private final String module;
    private final Set<String> replaced;

    /** @param replaced classes with machine state that Quarkus' extensions replace */
    protected NativeSourcesChecks(String module, String... replaced) {
        this.module = module;
        this.sources = NativeSources.of(module);
        this.replaced = Set.of(replaced);
    }

    @Test
    void nativeImageHasItsArguments() {
        assertThat(sources.arguments()).contains("--link-at-build-time", "--no-fallback", "-march=compatibility",
                "--enable-native-access=ALL-UNNAMED", "--enable-url-protocols=http,https", "io.quarkus.runner.Feature",
                // Caffeine finds its cache classes by constructed names.
                "io.quarkus.caffeine.runtime.graal.CacheConstructorsFeature");
    }

    @Test
    void everyResourceIsInTheImage() throws IOException {
        Path resources = ServiceArtifact.target(module).resolveSibling("src/main/resources");
        try (Stream<Path> files = Files.walk(resources)) {
            List<String> paths = files.filter(Files::isRegularFile)
                    .map(file -> resources.relativize(file).toString())
                    .filter(path -> !path.startsWith("META-INF/native-image/") && !path.equals("application.properties"))
                    .toList();

            assertThat(paths).allMatch(sources::hasResource);
        }
    }

    @Test
    void imageContainsNoStateOfTheBuildMachine() {
        List<String> violations = sources.classes()
                .filter(each -> each.fields().stream().anyMatch(field -> field.flags().has(AccessFlag.STATIC)
                        && MACHINE_STATE.contains(field.fieldType().stringValue())))
                .map(NativeSourcesChecks::name)
                .filter(name -> !sources.isInitializedAtRunTime(name) && !NOT_IN_IMAGES.contains(name)
                        && !replaced.contains(name))
                .toList();

        assertThat(violations).as("to be initialized at run time in META-INF/native-image").isEmpty();
    }

    @Test
    void wireTypesAreRegisteredForReflection() {
        Map<String, ClassModel> serviceClasses = sources.classes().filter(each -> name(each).startsWith("dev.waybill."))
                .collect(Collectors.toMap(each -> each.thisClass().asInternalName(), each -> each, (one, _) -> one));
        Set<String> wire = new TreeSet<>();
        for (ClassModel each : serviceClasses.values()) {
            if (!name(each).startsWith("dev.waybill.common.api.")) {
                classesIn(each).filter(WIRE.asMatchPredicate()).filter(found -> isRecord(serviceClasses.get(found)))
                        .forEach(wire::add);
            }
        }
        // And the types of their components.
        List<String> left = new ArrayList<>(wire);
        while (!left.isEmpty()) {
            parts(serviceClasses.get(left.removeLast())).filter(part -> isRecord(serviceClasses.get(part))).filter(wire::add)
                    .forEach(left::add);
        }

        assertThat(wire.isEmpty()).isNotEqualTo(hasWireTypes());
        assertThat(wire).map(found -> found.replace('/', '.')).allMatch(sources::isReflective);
    }

    /** Returns whether the service converts JSON to records of the API; a proxy does not. */
    protected boolean hasWireTypes() {
        return true;
    }

    @Test
    void spanExporterFindsItsHttpSender() {
        assertThat(sources.hasResource("META-INF/services/io.opentelemetry.exporter.internal.http.HttpSenderProvider"))
                .isTrue();
        assertThat(sources.isReflective("io.opentelemetry.exporter.sender.jdk.internal.JdkHttpSenderProvider")).isTrue();
        assertThat(sources.isInitializedAtRunTime("io.opentelemetry.sdk.internal.AndroidFriendlyRandomHolder")).isTrue();
    }

    @Test
    void nettyFindsTheConnectionInitializer() {
        assertThat(sources.hasResource("META-INF/services/io.netty.bootstrap.ChannelInitializerExtension")).isTrue();
        assertThat(sources.isReflective("dev.waybill.common.edge.ConnectionInitializer")).isTrue();
    }

    private static boolean isRecord(ClassModel found) {
        return found != null && found.superclass().orElseThrow().asInternalName().equals("java/lang/Record");
    }

    private static Stream<String> classesIn(ClassModel each) {
        return StreamSupport.stream(each.constantPool().spliterator(), false)
                .filter(ClassEntry.class::isInstance)
                .map(entry -> ((ClassEntry) entry).asInternalName());
    }

    private static Stream<String> parts(ClassModel wire) {
        return wire.fields().stream()
                .filter(field -> !field.flags().has(AccessFlag.STATIC))
                .flatMap(field -> Stream.concat(Stream.of(field.fieldType().stringValue()),
                        field.findAttribute(Attributes.signature()).stream()
                                .map(signature -> signature.signature().stringValue())))
                .flatMap(text -> NAMED.matcher(text).results())
                .map(found -> found.group(1));
    }

    private static String name(ClassModel each) {
        return each.thisClass().asInternalName().replace('/', '.');
    }
}
