package dev.waybill.controlplane.engine.kubernetes.manifest;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/** The languages of an application's graphs, which determine its runtime image. Empty for a customer's image. */
public record RuntimeLanguages(SortedSet<String> names) {

    /** Node.js modules. */
    public static final String NODE = "node";

    /** Python modules. */
    public static final String PYTHON = "python";

    /** Programs that implement the worker protocol. */
    public static final String COMMAND = "command";

    /** Key of the image that supports all languages. */
    static final String ALL = "all";

    /** The languages of a customer's image. */
    public static final RuntimeLanguages NONE = new RuntimeLanguages(new TreeSet<>());

    /** Creates an instance from names. */
    public static RuntimeLanguages of(Collection<String> names) {
        return new RuntimeLanguages(new TreeSet<>(names));
    }

    /** Parses the format of {@link #toText}; empty for null. */
    public static Optional<RuntimeLanguages> parse(@Nullable String text) {
        return text == null ? Optional.empty()
                : Optional.of(of(Arrays.stream(text.split(",")).filter(part -> !part.isEmpty()).toList()));
    }

    /** Returns the value for the annotation. */
    public String toText() {
        return String.join(",", names);
    }

    /** Returns the image for one language, or the image for all if there are several or that is not configured. */
    public Optional<String> image(Map<String, String> images) {
        String all = images.get(ALL);
        return names.size() == 1 ? Optional.ofNullable(images.getOrDefault(names.first(), all))
                : Optional.ofNullable(all);
    }

    /** Returns the configuration keys that would provide an image. */
    public String imageKeys() {
        String general = "waybill.engine.kubernetes.images." + ALL;
        return names.size() == 1 ? "waybill.engine.kubernetes.images." + names.first() + " or " + general : general;
    }
}
