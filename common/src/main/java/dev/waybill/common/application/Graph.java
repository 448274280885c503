package dev.waybill.common.application;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One graph of the application; its id is the assistant's name.
 *
 * @param description purpose of the graph, written by the author
 */
public record Graph(String id, @Nullable String description, Origin origin) {

    /** The implementation of a graph. */
    public sealed interface Origin {
    }

    /**
     * A value exported by a module of the application: {@code ./agent.mjs:graph}.
     *
     * @param path relative to the application's directory
     */
    public record Module(Language language, String path, String export) implements Origin {
    }

    /** A program that implements the worker protocol. */
    public record Command(List<String> words) implements Origin {

        public Command {
            words = List.copyOf(words);
        }
    }

    /** Language of a module, determined by its file extension. */
    public enum Language {
        NODE,
        PYTHON
    }
}
