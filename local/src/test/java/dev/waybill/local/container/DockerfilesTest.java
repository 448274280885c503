package dev.waybill.local.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests rules that apply to all Dockerfiles. */
class DockerfilesTest {

    private static final Path ROOT = Path.of(System.getProperty("waybill.root"));

    static List<Dockerfile> dockerfiles() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("containers"))) {
            return files.filter(file -> file.toString().endsWith(".Dockerfile")).sorted().map(Dockerfile::read).toList();
        }
    }

    @Test
    void everyServiceHasJvmAndNativeImages() throws IOException {
        assertThat(dockerfiles()).extracting(Dockerfile::name).contains("control-plane.Dockerfile",
                "control-plane.native.Dockerfile", "export-service.Dockerfile", "export-service.native.Dockerfile",
                "experiment-service.Dockerfile", "experiment-service.native.Dockerfile", "deployment-runtime.Dockerfile",
                "deployment-runtime.native.Dockerfile", "console.Dockerfile", "console.native.Dockerfile",
                "runtime-node.Dockerfile", "runtime-python.Dockerfile");
    }

    @ParameterizedTest
    @MethodSource("dockerfiles")
    void hasUnprivilegedUserHealthCheckAndVolume(Dockerfile dockerfile) {
        Dockerfile.Stage image = dockerfile.image();

        assertThat(image.last("USER").orElseThrow().text()).isEqualTo("10001:10001");
        assertThat(image.last("VOLUME").orElseThrow().text()).isEqualTo("/tmp");
        assertThat(image.last("HEALTHCHECK").orElseThrow().text())
                .contains("[\"/usr/local/bin/healthy\", \"" + image.last("EXPOSE").orElseThrow().text().split(" ")[0] + "\"]");
        assertThat(image.last("ENTRYPOINT").orElseThrow().arguments()).isNotEmpty();
        assertThat(image.last("CMD").orElseThrow().arguments()).anyMatch(argument -> argument.startsWith("-Xmx"));
    }

    @ParameterizedTest
    @MethodSource("dockerfiles")
    void portAndHeapMatchOperationsPage(Dockerfile dockerfile) throws IOException {
        Pattern row = Pattern.compile("\\| " + service(dockerfile) + " \\| "
                + dockerfile.image().last("EXPOSE").orElseThrow().text().split(" ")[0]
                + " \\| " + dockerfile.image().last("CMD").orElseThrow().arguments().getFirst().replaceAll("\\D", "") + " MiB");

        assertThat(Files.readString(ROOT.resolve("docs/operations/README.md"))).containsPattern(row);
    }

    @ParameterizedTest
    @MethodSource("dockerfiles")
    void hasLabelsWithCurrentVersion(Dockerfile dockerfile) throws IOException {
        String label = dockerfile.image().last("LABEL").orElseThrow().text();
        String version = Files.readString(ROOT.resolve("pom.xml")).replaceFirst("(?s).*?<version>([^<]+)</version>.*", "$1");

        assertThat(label).contains("org.opencontainers.image.version=\"" + version + "\"")
                .contains("org.opencontainers.image.title=", "org.opencontainers.image.description=",
                        "org.opencontainers.image.revision=", "org.opencontainers.image.licenses=\"Apache-2.0\"");
    }

    @ParameterizedTest
    @MethodSource("dockerfiles")
    void containsBillOfMaterials(Dockerfile dockerfile) {
        assertThat(dockerfile.image().all("COPY").map(Dockerfile.Instruction::text))
                .contains(service(dockerfile) + "/target/bom.json /waybill/");
    }

    @ParameterizedTest
    @MethodSource("dockerfiles")
    void baseImagesHaveShortNameAndVersion(Dockerfile dockerfile) {
        assertThat(dockerfile.stages()).allSatisfy(stage -> {
            assertThat(stage.image()).matches("[a-z-]+(/[a-z0-9-]+)?(:[a-z0-9.-]+)?");
            assertThat(stage.image()).containsPattern("[0-9]");
        });
    }

    @ParameterizedTest
    @MethodSource("dockerfiles")
    void dockerignoreIncludesCopiedFiles(Dockerfile dockerfile) throws IOException {
        List<Pattern> allowed = Files.readAllLines(ROOT.resolve(".dockerignore")).stream()
                .filter(line -> line.startsWith("!"))
                .map(line -> Pattern.compile(line.substring(1).replace(".", "\\.").replace("*", "[^/]*") + "(/.*)?"))
                .toList();

        assertThat(dockerfile.stages().stream().flatMap(stage -> stage.all("COPY")).map(Dockerfile.Instruction::text)
                .filter(text -> !text.startsWith("--from="))
                .flatMap(text -> Stream.of(text.split(" ")).limit(text.split(" ").length - 1L)))
                .isNotEmpty()
                .allSatisfy(source -> assertThat(allowed).anyMatch(pattern -> pattern.matcher(source).matches()));
    }

    private static String service(Dockerfile dockerfile) {
        return dockerfile.name().startsWith("runtime-") ? "deployment-runtime"
                : dockerfile.name().substring(0, dockerfile.name().indexOf('.'));
    }
}
