package dev.waybill.common.application;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One graph of the application; its id is the assistant's name.
 *
 * @param description what it is for, in the author's words
 */
public record Graph(String id, @Nullable String description, Origin origin) {

    /** Where a graph comes from. */
    public sealed interface Origin {
    }

    /**
     * A value that a module of the application exports: {@code ./agent.mjs:graph}.
     *
     * @param path relative to the application's directory
     */
    public record Module(Language language, String path, String export) implements Origin {
    }

    /** A program that speaks the worker protocol. */
    public record Command(List<String> words) implements Origin {

        public Command {
            words = List.copyOf(words);
        }
    }

    /** In what language a module is written; its file's ending tells. */
    public enum Language {
        NODE,
        PYTHON
    }
}
