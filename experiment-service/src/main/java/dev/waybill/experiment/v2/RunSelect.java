package dev.waybill.experiment.v2;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.trace.RunResponse.FileLink;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.experiment.run.RunField;

/** Members of a run that {@code selects} accepts, with the field and the conversion of their values. */
enum RunSelect {
    ID(RunField.ID),
    NAME(RunField.NAME),
    RUN_TYPE(RunField.RUN_TYPE, RunSelect::upperCase),
    STATUS(RunField.STATUS, RunSelect::upperCase),
    START_TIME(RunField.START_TIME),
    END_TIME(RunField.END_TIME),
    LATENCY_SECONDS(RunField.LATENCY),
    FIRST_TOKEN_TIME(RunField.FIRST_TOKEN_TIME),
    ERROR(RunField.ERROR),
    ERROR_PREVIEW(RunField.ERROR, RunSelect::preview),
    EXTRA(RunField.EXTRA),
    METADATA(RunField.METADATA),
    EVENTS(RunField.EVENTS),
    INPUTS(RunField.INPUTS),
    INPUTS_PREVIEW(RunField.INPUTS_PREVIEW),
    OUTPUTS(RunField.OUTPUTS),
    OUTPUTS_PREVIEW(RunField.OUTPUTS_PREVIEW),
    MANIFEST(RunField.SERIALIZED),
    PARENT_RUN_IDS(RunField.PARENT_RUN_IDS),
    PROJECT_ID(RunField.SESSION_ID),
    TRACE_ID(RunField.TRACE_ID),
    THREAD_ID(RunField.THREAD_ID),
    DOTTED_ORDER(RunField.DOTTED_ORDER),
    IS_ROOT(RunField.IS_ROOT),
    REFERENCE_EXAMPLE_ID(RunField.REFERENCE_EXAMPLE_ID),
    TOTAL_TOKENS(RunField.TOTAL_TOKENS),
    PROMPT_TOKENS(RunField.PROMPT_TOKENS),
    COMPLETION_TOKENS(RunField.COMPLETION_TOKENS),
    TOTAL_COST(RunField.TOTAL_COST, RunSelect::number),
    PROMPT_COST(RunField.PROMPT_COST, RunSelect::number),
    COMPLETION_COST(RunField.COMPLETION_COST, RunSelect::number),
    TAGS(RunField.TAGS),
    APP_PATH(RunField.APP_PATH),
    ATTACHMENTS(RunField.S3_URLS, RunSelect::links),
    FEEDBACK_STATS(RunField.FEEDBACK_STATS),
    // Not recorded, always null.
    PROMPT_TOKEN_DETAILS,
    COMPLETION_TOKEN_DETAILS,
    PROMPT_COST_DETAILS,
    COMPLETION_COST_DETAILS,
    PRICE_MODEL_ID,
    LAST_QUEUED_AT,
    SHARE_URL;

    private static final int PREVIEW_LENGTH = 250;
    private static final Map<String, RunSelect> BY_NAME = Arrays.stream(values())
            .collect(Collectors.toUnmodifiableMap(Enum::name, Function.identity()));

    private final Optional<RunField> field;
    private final Function<Object, Object> conversion;

    RunSelect() {
        this.field = Optional.empty();
        this.conversion = Function.identity();
    }

    RunSelect(RunField field) {
        this(field, Function.identity());
    }

    RunSelect(RunField field, Function<Object, Object> conversion) {
        this.field = Optional.of(field);
        this.conversion = conversion;
    }

    static Optional<RunSelect> of(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    /** Returns the names of the version 1 fields that these members need. */
    static List<String> fields(Set<RunSelect> selects) {
        return selects.stream().flatMap(select -> select.field.stream()).map(RunField::wireName).distinct().toList();
    }

    /** Converts the version 1 members of a run to the selected members. */
    static Map<String, @Nullable Object> select(Set<RunSelect> selects, Map<String, @Nullable Object> run) {
        Map<String, @Nullable Object> selected = new LinkedHashMap<>();
        for (RunSelect select : selects) {
            Object value = select.field.map(field -> run.get(field.wireName())).orElse(null);
            selected.put(select.name().toLowerCase(Locale.ROOT), value == null ? null : select.conversion.apply(value));
        }
        return selected;
    }

    private static Object upperCase(Object value) {
        return value.toString().toUpperCase(Locale.ROOT);
    }

    private static Object preview(Object value) {
        String text = value.toString();
        return text.codePointCount(0, text.length()) <= PREVIEW_LENGTH ? text
                : text.substring(0, text.offsetByCodePoints(0, PREVIEW_LENGTH));
    }

    private static Object number(Object value) {
        return new BigDecimal(value.toString());
    }

    private static Object links(Object value) {
        Map<String, Object> links = new LinkedHashMap<>();
        ((Map<?, ?>) value).forEach((name, link) -> links.put(name.toString().replaceFirst("^attachment\\.", ""),
                ((FileLink) link).presignedUrl()));
        return links;
    }

    /** Parses the {@code selects} of a request. */
    static final class SelectParser {

        private static final int MAX_NAME_LENGTH = 40;

        private SelectParser() {
        }

        /**
         * Returns the selected members, or {@code defaultMember} if none is selected. Adds a violation for every unknown
         * name.
         */
        static <E extends Enum<E>> Set<E> read(@Nullable List<String> names, E defaultMember,
                Function<String, Optional<E>> lookup,
                List<Violation> violations) {
            Set<E> selects = EnumSet.noneOf(defaultMember.getDeclaringClass());
            for (int i = 0; names != null && i < names.size(); i++) {
                Optional<E> select = lookup.apply(names.get(i));
                if (select.isPresent()) {
                    selects.add(select.get());
                } else {
                    violations.add(new Violation(
                            List.of("selects", i), "\"" + truncate(names.get(i)) + "\" cannot be selected here; use "
                                    + EnumSet.allOf(defaultMember.getDeclaringClass()).stream().map(Enum::name)
                                            .collect(Collectors.joining(", ")),
                            "unknown"));
                }
            }
            return selects.isEmpty() ? EnumSet.of(defaultMember) : selects;
        }

        /**
         * Returns the selected members, or {@code defaultMember} if none is selected.
         *
         * @throws ProblemException 422 for unknown names
         */
        static <E extends Enum<E>> Set<E> require(List<String> names, E defaultMember, Function<String, Optional<E>> lookup) {
            List<Violation> violations = new ArrayList<>();
            Set<E> selects = read(names, defaultMember, lookup, violations);
            ProblemException.throwIfAny(violations);
            return selects;
        }

        private static String truncate(String name) {
            return name.codePointCount(0, name.length()) <= MAX_NAME_LENGTH ? name
                    : name.substring(0, name.offsetByCodePoints(0, MAX_NAME_LENGTH)) + "…";
        }
    }
}
