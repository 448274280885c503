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
 * A service as it was packaged: a jar, or the native binary of those that the system property {@code waybill.native} names,
 * such as {@code export-service,control-plane}.
 */
public record Program(Path file, boolean isNative) {

    /** Names the modules that are started as binaries. */
    public static final String NATIVE = "waybill.native";

    /**
     * @param root of the project that it is taken from
     * @param module the service's folder
     */
    public static Program of(Path root, String module) {
        boolean isNative = Arrays.asList(System.getProperty(NATIVE, "").split(",")).contains(module);
        return new Program(isNative ? binary(root.resolve(module).resolve("target")) : jar(root, module), isNative);
    }

    static Path jar(Path root, String module) {
        return root.resolve(module).resolve("target/quarkus-app/quarkus-run.jar");
    }

    /** Whether it has been built. */
    public boolean exists() {
        return Files.exists(file);
    }

    /**
     * @param options for the JVM; of these a binary is given the heap and the properties
     * @return how it is started
     */
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
