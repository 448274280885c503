package dev.waybill.local.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The packaged program of a service: a jar, or a native binary if the system property {@code waybill.native} lists the service,
 * such as {@code export-service,control-plane}.
 */
public record Program(Path file, boolean isNative) {

    /** The system property that lists the modules to start as binaries. */
    public static final String NATIVE = "waybill.native";

    /** Returns the program of a module of the project in {@code root}. */
    public static Program of(Path root, String module) {
        boolean isNative = Arrays.asList(System.getProperty(NATIVE, "").split(",")).contains(module);
        return new Program(isNative ? binary(root.resolve(module).resolve("target")) : jar(root, module), isNative);
    }

    static Path jar(Path root, String module) {
        return root.resolve(module).resolve("target/quarkus-app/quarkus-run.jar");
    }

    /** Returns whether the program is built. */
    public boolean exists() {
        return Files.exists(file);
    }

    /** Returns the command with JVM options. A binary receives only the maximum heap and the system properties. */
    public List<String> command(List<String> options) {
        List<String> command = new ArrayList<>();
        if (isNative) {
            command.add(file.toString());
            options.stream().filter(option -> option.startsWith("-Xmx") || option.startsWith("-D")).forEach(command::add);
            return command;
        }
        command.add(RuntimeProcess.java());
        command.addAll(options);
        command.addAll(List.of("-jar", file.toString()));
        return command;
    }

    static Path binary(Path target) {
        if (!Files.isDirectory(target)) {
            return target.resolve("runner");
        }
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(file -> file.getFileName().toString().endsWith("-runner")).sorted().findFirst()
                    .orElse(target.resolve("runner"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
