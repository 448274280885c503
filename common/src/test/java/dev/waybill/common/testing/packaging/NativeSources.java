package dev.waybill.common.testing.packaging;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.StringEntry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * What is handed to native-image for a service: made by Quarkus, and lying beside the code ({@code ./verify native-sources}).
 */
public final class NativeSources {

    private static final String CONFIGURATION = "META-INF/native-image/";
    private static final String AT_RUN_TIME = "--initialize-at-run-time=";

    private final Path program;
    private final String arguments;
    private final Set<String> reflective = new HashSet<>();
    private final Set<String> fromNativeCode = new HashSet<>();
    private final List<Pattern> resources = new ArrayList<>();
    private final Set<String> bundles = new HashSet<>();
    private final Set<String> atRunTime = new HashSet<>();

    private NativeSources(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            program = files.filter(file -> file.toString().endsWith("-runner.jar")).findAny().orElseThrow();
        }
        StringBuilder all = new StringBuilder(Files.readString(folder.resolve("native-image.args")));
        for (Path jar : jars()) {
            try (ZipFile file = new ZipFile(jar.toFile())) {
                for (ZipEntry entry : file.stream().filter(each -> each.getName().startsWith(CONFIGURATION)).toList()) {
                    read(file, entry).ifPresent(all::append);
                }
            }
        }
        arguments = all.toString();
        readClassesInitializedAtRunTime();
    }

    /** @param module in the project's folder */
    public static NativeSources of(String module) {
        try {
            return new NativeSources(Packaged.target(module).resolve("native/native-sources"));
        } catch (IOException e) {
            throw new UncheckedIOException("./verify native-sources has not made them", e);
        }
    }

    /** @return all that native-image is called with */
    public String arguments() {
        return arguments;
    }

    /** Whether its constructors and members are found by name. */
    public boolean isReflective(String className) {
        return reflective.contains(className);
    }

    /** Whether a library in another language finds the member. */
    public boolean isSeenByNativeCode(String className, String member) {
        return fromNativeCode.contains(className + "." + member);
    }

    /** Whether it can be read from the class path. */
    public boolean hasResource(String path) {
        return resources.stream().anyMatch(pattern -> pattern.matcher(path).matches());
    }

    /** Whether texts of that name are there. */
    public boolean hasBundle(String name) {
        return bundles.contains(name);
    }

    /** @return what the service's libraries have at such paths */
    public List<String> filesOfLibraries(Pattern path) {
        List<String> found = new ArrayList<>();
        try {
            for (Path library : jars()) {
                try (ZipFile jar = new ZipFile(library.toFile())) {
                    jar.stream().map(ZipEntry::getName).filter(path.asMatchPredicate()).forEach(found::add);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    /** Whether its static initializer runs when the binary does, and not when it is built. */
    public boolean isInitializedAtRunTime(String className) {
        return atRunTime.stream().anyMatch(name -> className.equals(name) || className.startsWith(name + ".")
                || className.startsWith(name + "$"));
    }

    /** @return every class that gets into the image if something reaches it */
    public Stream<ClassModel> classes() {
        try {
            return jars().stream().flatMap(NativeSources::classes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<ClassModel> classes(Path file) {
        List<ClassModel> classes = new ArrayList<>();
        try (ZipFile jar = new ZipFile(file.toFile())) {
            for (ZipEntry entry : jar.stream().filter(each -> each.getName().endsWith(".class")).toList()) {
                if (!entry.getName().startsWith("META-INF/")) {
                    classes.add(ClassFile.of().parse(bytes(jar, entry)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return classes.stream();
    }

    /** Libraries bring configuration of their own. */
    private Optional<String> read(ZipFile jar, ZipEntry entry) throws IOException {
        String file = entry.getName().substring(entry.getName().lastIndexOf('/') + 1);
        switch (file) {
            case "reflect-config.json" -> readReflection(json(jar, entry), "name");
            case "resource-config.json" -> readResources(json(jar, entry));
            case "reachability-metadata.json" -> {
                readReflection(json(jar, entry).path("reflection"), "type");
                json(jar, entry).path("resources")
                        .forEach(resource -> resources.add(Pattern.compile(Pattern.quote(resource.path("glob").asText()))));
            }
            case "native-image.properties" -> {
                return Optional.of(" " + properties(jar, entry));
            }
            default -> {
                // What nothing here asks for.
            }
        }
        return Optional.empty();
    }

    private void readResources(JsonNode configuration) {
        configuration.at("/resources/includes")
                .forEach(include -> resources.add(Pattern.compile(include.path("pattern").asText())));
        configuration.path("bundles").forEach(bundle -> bundles.add(bundle.path("name").asText()));
    }

    private void readReflection(JsonNode entries, String name) {
        for (JsonNode entry : entries) {
            String type = entry.path(name).asText();
            reflective.add(type);
            if (entry.path("jniAccessible").asBoolean()) {
                entry.path("fields").forEach(field -> fromNativeCode.add(type + "." + field.path("name").asText()));
                entry.path("methods").forEach(method -> fromNativeCode.add(type + "." + method.path("name").asText()));
            }
        }
    }

    /** Quarkus names them one by one in a program that native-image runs. */
    private void readClassesInitializedAtRunTime() throws IOException {
        try (ZipFile jar = new ZipFile(program.toFile())) {
            ClassModel feature = ClassFile.of().parse(bytes(jar, jar.getEntry("io/quarkus/runner/Feature.class")));
            StreamSupport.stream(feature.constantPool().spliterator(), false)
                    .filter(StringEntry.class::isInstance)
                    .map(entry -> ((StringEntry) entry).stringValue())
                    .filter(text -> text.contains("."))
                    .forEach(atRunTime::add);
        }
        for (String argument : arguments.split("\\s+")) {
            if (argument.startsWith(AT_RUN_TIME)) {
                atRunTime.addAll(List.of(argument.substring(AT_RUN_TIME.length()).split(",")));
            }
        }
    }

    private List<Path> jars() throws IOException {
        try (Stream<Path> libraries = Files.list(program.resolveSibling("lib"))) {
            return Stream.concat(Stream.of(program), libraries.sorted()).toList();
        }
    }

    private static String properties(ZipFile jar, ZipEntry entry) throws IOException {
        Properties properties = new Properties();
        try (InputStream in = jar.getInputStream(entry)) {
            properties.load(in);
        }
        return properties.getProperty("Args", "") + " " + properties.getProperty("JavaArgs", "");
    }

    private static JsonNode json(ZipFile jar, ZipEntry entry) throws IOException {
        return new ObjectMapper().readTree(new String(bytes(jar, entry), StandardCharsets.UTF_8));
    }

    private static byte[] bytes(ZipFile jar, ZipEntry entry) throws IOException {
        try (InputStream in = jar.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }
}
