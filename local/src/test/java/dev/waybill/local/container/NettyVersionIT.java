package dev.waybill.local.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that packaged services contain only Netty versions without known request smuggling and CONTINUATION flood flaws. */
class NettyVersionIT {

    private static final Path ROOT = Path.of(System.getProperty("waybill.root"));
    private static final Pattern JAR = Pattern.compile("io\\.netty\\.netty-.+-(\\d+)\\.(\\d+)\\.(\\d+)\\.Final.*\\.jar");
    /** The first patch release that fixes CVE-2026-33870 and CVE-2026-33871. */
    private static final int MIN_PATCH = 138;

    static Stream<String> services() {
        return ContainerEnvironment.SERVICES.stream();
    }

    @ParameterizedTest
    @MethodSource("services")
    void everyNettyJarIsAtLeast41138(String service) throws IOException {
        List<String> jars = jars(service);

        assertThat(jars).hasSizeGreaterThan(5).allSatisfy(jar -> {
            Matcher version = JAR.matcher(jar);
            assertThat(version.matches()).as("a version of the form 4.1.x.Final in " + jar).isTrue();
            assertThat(version.group(1) + "." + version.group(2)).as(jar).isEqualTo("4.1");
            assertThat(Integer.parseInt(version.group(3))).as(jar).isGreaterThanOrEqualTo(MIN_PATCH);
        });
    }

    private static List<String> jars(String service) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve(service).resolve("target/quarkus-app/lib"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("io.netty.netty-"))
                    .toList();
        }
    }
}
