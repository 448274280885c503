package dev.waybill.experiment.run;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Types of runs that tracing clients send. */
enum RunType {
    TOOL,
    CHAIN,
    LLM,
    RETRIEVER,
    EMBEDDING,
    PROMPT,
    PARSER;

    private static final Set<String> NAMES = Arrays.stream(values())
            .map(RunType::toString)
            .collect(Collectors.toCollection(TreeSet::new));

    static boolean isValid(String name) {
        return NAMES.contains(name);
    }

    static String names() {
        return String.join(", ", NAMES);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
