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

/** What lies in the project's folders. */
final class Project {

    static final Path ROOT = Path.of(System.getProperty("waybill.root"));

    private Project() {
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

    /** @return the files below a folder whose names end so */
    static List<Path> files(String folder, String ending) {
        try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @return the default of a key in docs/operations.md, which another test holds against the code */
    static String defaultOf(String key) {
        return first(Pattern.compile("\\| `" + Pattern.quote(key) + "` \\| `([^`]+)` \\|"), text("docs/operations.md"));
    }

    static String first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IllegalStateException("nothing reads " + pattern);
        }
        return matcher.group(1);
    }
}
