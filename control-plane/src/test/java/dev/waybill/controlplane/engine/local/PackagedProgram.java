package dev.waybill.controlplane.engine.local;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.waybill.controlplane.ControlPlaneMain;

/** A program with the files of a packaged control plane, whose jar runs the classes of this test. */
final class PackagedProgram {

    static final String JAR = "quarkus-run.jar";

    private PackagedProgram() {
    }

    /**
     * Creates the program of a release and returns its jar.
     *
     * @param modifiedMillis time of the build
     */
    static Path create(Path folder, String release, long modifiedMillis) throws IOException {
        for (String part : new String[] { "lib/boot/boot.jar", "lib/main/main.jar", "app/control-plane.jar",
                "quarkus/generated.jar" }) {
            Path file = folder.resolve(part);
            Files.createDirectories(file.resolveSibling(""));
            Files.writeString(file, release + " " + part);
        }
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, ControlPlaneMain.class.getName());
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH,
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(entry -> Path.of(entry).toUri().toASCIIString())
                        .collect(Collectors.joining(" ")));
        Path jar = folder.resolve(JAR);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            out.finish();
        }
        Files.setLastModifiedTime(jar, FileTime.fromMillis(modifiedMillis));
        return jar;
    }

    /** Returns the content of each file below the folder, by its path. */
    static Map<String, String> files(Path folder) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> found = Files.walk(folder)) {
            for (Path file : found.filter(Files::isRegularFile).toList()) {
                files.put(folder.relativize(file).toString(),
                        Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return files;
    }
}
