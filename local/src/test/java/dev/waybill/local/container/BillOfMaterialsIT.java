package dev.waybill.local.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.Json;

/** Tests that a service's bill of materials lists exactly the packaged libraries. */
class BillOfMaterialsIT {

    private static final Path ROOT = Path.of(System.getProperty("waybill.root"));
    /** Quarkus removes a class or the libraries of other systems from these, which changes their hashes. */
    private static final List<String> MODIFIED_JARS = List.of("io.fabric8.kubernetes-httpclient-vertx-",
            "org.xerial.sqlite-jdbc-", "org.duckdb.duckdb_jdbc-");

    static Stream<String> services() {
        return ContainerEnvironment.SERVICES.stream();
    }

    @ParameterizedTest
    @MethodSource("services")
    void listsPackagedLibraries(String service) throws IOException {
        JsonNode bill = Json.parse(Files.readString(ROOT.resolve(service).resolve("target/bom.json")));
        Map<String, Set<String>> listed = new TreeMap<>();
        for (JsonNode component : bill.path("components")) {
            assertThat(component.path("licenses")).as(component.path("name").asText()).isNotEmpty();
            Set<String> hashes = component.path("hashes").valueStream()
                    .filter(hash -> hash.path("alg").asText().equals("SHA-256"))
                    .map(hash -> hash.path("content").asText()).collect(Collectors.toSet());
            listed.put(component.path("group").asText() + "." + component.path("name").asText() + "-"
                    + component.path("version").asText() + ".jar", hashes);
        }
        assertThat(bill.path("bomFormat").asText()).isEqualTo("CycloneDX");

        Map<String, String> shipped = shipped(service);
        assertThat(listed).hasSizeGreaterThan(100);
        // The service's own classes are not a library.
        listed.keySet().removeIf(name -> name.startsWith("dev.waybill.waybill-" + service + "-"));
        assertThat(shipped.keySet()).isEqualTo(listed.keySet());
        assertThat(shipped)
                .allSatisfy((name, hash) -> assertThat(isModified(name) || listed.get(name).contains(hash)).as(name).isTrue());
    }

    private static Map<String, String> shipped(String service) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve(service).resolve("target/quarkus-app/lib"))) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .collect(Collectors.toMap(file -> file.getFileName().toString(), BillOfMaterialsIT::hash));
        }
    }

    private static boolean isModified(String jar) {
        return MODIFIED_JARS.stream().anyMatch(jar::startsWith);
    }

    private static String hash(Path file) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
