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
 * What holds for every service's native sources. No native image is built for this: it is what would be found out otherwise
 * when
 * one is, after a quarter of an hour, or when it runs.
 */
// Reading them takes its time.
@TestInstance(Lifecycle.PER_CLASS)
public abstract class NativeSourcesChecks {

    /** An image would keep the builder's. */
    private static final Set<String> OF_THE_MACHINE = Stream.of("java.security.SecureRandom", "java.util.Random",
            "java.util.SplittableRandom", "java.util.random.RandomGenerator", "java.net.Socket", "java.net.ServerSocket",
            "java.nio.channels.Selector", "java.lang.Process", "java.lang.ProcessHandle", "java.lang.foreign.Arena",
            "java.lang.foreign.MemorySegment")
            .map(name -> "L" + name.replace('.', '/') + ";").collect(Collectors.toUnmodifiableSet());

    /** Classes that nothing of ours reaches, or that Quarkus replaces; images with all of them have been built. */
    private static final Set<String> NOT_IN_IMAGES = Set.of("io.prometheus.client.Striped64",
            "io.smallrye.health.HealthStatus", "io.quarkus.runtime.graal.Target_sun_security_jca_JCAUtil");

    private static final Pattern WIRE = Pattern.compile("dev/waybill/.*(Request|Response)(\\$[A-Z].*)?");
    private static final Pattern NAMED = Pattern.compile("L(dev/waybill/[^;<]+)");

    /** The service's. */
    protected final NativeSources sources;

    private final String module;
    private final Set<String> replaced;

    /** @param replaced classes with something of the machine in them that Quarkus' extensions replace */
    protected NativeSourcesChecks(String module, String... replaced) {
        this.module = module;
        this.sources = NativeSources.of(module);
        this.replaced = Set.of(replaced);
    }

    @Test
    void theBuilderIsToldHowToBuild() {
        assertThat(sources.arguments()).contains("--link-at-build-time", "--no-fallback", "-march=compatibility",
                "--enable-native-access=ALL-UNNAMED", "--enable-url-protocols=http,https", "io.quarkus.runner.Feature",
                // Caches find their classes by names that they put together.
                "io.quarkus.caffeine.runtime.graal.CacheConstructorsFeature");
    }

    @Test
    void everyResourceIsInTheImage() throws IOException {
        Path resources = Packaged.target(module).resolveSibling("src/main/resources");
        try (Stream<Path> files = Files.walk(resources)) {
            List<String> paths = files.filter(Files::isRegularFile)
                    .map(file -> resources.relativize(file).toString())
                    .filter(path -> !path.startsWith("META-INF/native-image/") && !path.equals("application.properties"))
                    .toList();

            assertThat(paths).isNotEmpty().allMatch(sources::hasResource);
        }
    }

    @Test
    void nothingOfTheBuildersMachineIsKept() {
        List<String> kept = sources.classes()
                .filter(each -> each.fields().stream().anyMatch(field -> field.flags().has(AccessFlag.STATIC)
                        && OF_THE_MACHINE.contains(field.fieldType().stringValue())))
                .map(NativeSourcesChecks::name)
                .filter(name -> !sources.isInitializedAtRunTime(name) && !NOT_IN_IMAGES.contains(name)
                        && !replaced.contains(name))
                .toList();

        assertThat(kept).as("to be initialized at run time in META-INF/native-image").isEmpty();
    }

    @Test
    void whatIsSentAndReceivedIsFoundByReflection() {
        Map<String, ClassModel> ours = sources.classes().filter(each -> name(each).startsWith("dev.waybill."))
                .collect(Collectors.toMap(each -> each.thisClass().asInternalName(), each -> each, (one, _) -> one));
        Set<String> wire = new TreeSet<>();
        for (ClassModel each : ours.values()) {
            if (!name(each).startsWith("dev.waybill.common.api.")) {
                classesIn(each).filter(WIRE.asMatchPredicate()).filter(found -> isRecord(ours.get(found))).forEach(wire::add);
            }
        }
        // And what they are made of.
        List<String> left = new ArrayList<>(wire);
        while (!left.isEmpty()) {
            parts(ours.get(left.removeLast())).filter(part -> isRecord(ours.get(part))).filter(wire::add).forEach(left::add);
        }

        assertThat(wire).isNotEmpty().map(found -> found.replace('/', '.')).allMatch(sources::isReflective);
    }

    @Test
    void spansAreSentByTheClientThatIsLookedUp() {
        assertThat(sources.hasResource("META-INF/services/io.opentelemetry.exporter.internal.http.HttpSenderProvider"))
                .isTrue();
        assertThat(sources.isReflective("io.opentelemetry.exporter.sender.jdk.internal.JdkHttpSenderProvider")).isTrue();
        assertThat(sources.isInitializedAtRunTime("io.opentelemetry.sdk.internal.AndroidFriendlyRandomHolder")).isTrue();
    }

    @Test
    void connectionsAreSeenByTheClassThatIsLookedUp() {
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
