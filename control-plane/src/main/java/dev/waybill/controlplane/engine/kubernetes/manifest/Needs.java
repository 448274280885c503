package dev.waybill.controlplane.engine.kubernetes.manifest;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/** What an application is written in, and so what its image must have. Nothing for an image of the customer's own. */
public record Needs(SortedSet<String> writtenIn) {

    /** Modules of Node. */
    public static final String NODE = "node";

    /** Modules of Python. */
    public static final String PYTHON = "python";

    /** Programs that speak the worker protocol. */
    public static final String COMMAND = "command";

    /** The name of an image that has everything. */
    static final String ALL = "all";

    /** What an image of the customer's own needs. */
    public static final Needs NOTHING = new Needs(new TreeSet<>());

    /** Of parts. */
    public static Needs of(Collection<String> writtenIn) {
        return new Needs(new TreeSet<>(writtenIn));
    }

    /** As {@link #toText} wrote it; empty where nothing was written. */
    public static Optional<Needs> parse(@Nullable String text) {
        return text == null ? Optional.empty()
                : Optional.of(of(Arrays.stream(text.split(",")).filter(part -> !part.isEmpty()).toList()));
    }

    /** For an annotation. */
    public String toText() {
        return String.join(",", writtenIn);
    }

    /** The image that has all of it: the language's own where there is one language, else the one for all. */
    public Optional<String> image(Map<String, String> images) {
        String all = images.get(ALL);
        return writtenIn.size() == 1 ? Optional.ofNullable(images.getOrDefault(writtenIn.first(), all))
                : Optional.ofNullable(all);
    }

    /** The keys of configuration that would give an image. */
    public String keys() {
        String general = "waybill.engine.kubernetes.images." + ALL;
        return writtenIn.size() == 1 ? "waybill.engine.kubernetes.images." + writtenIn.first() + " or " + general : general;
    }
}
