package dev.waybill.k8s;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads files of the project. */
final class ProjectFiles {

    static final Path ROOT = Path.of(System.getProperty("waybill.root"));

    private ProjectFiles() {
    }

    static String text(String path) {
        try {
            return Files.readString(ROOT.resolve(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Properties properties(String path) {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text(path)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties;
    }

    static String version() {
        return first(Pattern.compile("<version>([^<]+)</version>"), text("pom.xml"));
    }

    /** Returns the files below the folder whose names have the ending. */
    static List<Path> files(String folder, String ending) {
        try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the default of a key from docs/operations.md, which another test compares with the code. */
    static String defaultOf(String key) {
        return first(Pattern.compile("\\| `" + Pattern.quote(key) + "` \\| `([^`]+)` \\|"), text("docs/operations.md"));
    }

    static String first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IllegalStateException("no match for " + pattern);
        }
        return matcher.group(1);
    }
}
