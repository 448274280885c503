package dev.waybill.common.api.export;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;

import org.jspecify.annotations.Nullable;

/**
 * Requires that no folder of a prefix is named like a column or partition of the files: DuckDB, Polars and other tools
 * interpret {@code name=value} as a column, which hides the column of the file. Folders with other names only add a column.
 */
@Constraint(validatedBy = ValidPrefixFolders.Check.class)
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
@interface ValidPrefixFolders {

    String message() default "must not have a folder that is named like a column or partition of the files";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    /** Finds such folders. */
    final class Check implements ConstraintValidator<ValidPrefixFolders, String> {

        private static final String PARTITIONS = "export_id|tenant_id|session_id|resource|year|month|day";
        private static final String COLUMNS = "id|trace_id|parent_run_id|parent_run_ids|dotted_order|session_name|name|run_type"
                + "|status|start_time|end_time|first_token_time|latency|inputs|outputs|error|events|extra|metadata|tags"
                + "|reference_example_id|prompt_tokens|completion_tokens|total_tokens|prompt_cost|completion_cost|total_cost"
                + "|feedback_stats|manifest_id|app_path|trace_tier|is_root";
        // Tools compare column names case-insensitively.
        private static final Pattern RESERVED = Pattern.compile("(?i)(?<![^/])(?:" + PARTITIONS + "|" + COLUMNS + ")=");

        @Override
        public boolean isValid(@Nullable String prefix, ConstraintValidatorContext context) {
            if (prefix == null || prefix.length() > BucketLocation.MAX_PREFIX_LENGTH) {
                return true;
            }
            // The folder names contain only letters, underscores and the equals sign, so the sender cannot inject message
            // template expressions.
            String folders = RESERVED.matcher(prefix).results()
                    .map(MatchResult::group)
                    .map(folder -> folder.toLowerCase(Locale.ROOT))
                    .distinct()
                    .collect(Collectors.joining(", "));
            if (!folders.isEmpty()) {
                context.disableDefaultConstraintViolation();
                context.buildConstraintViolationWithTemplate("must not have folders that begin with " + folders
                        + "; tools would interpret them as columns or partitions of that name")
                        .addConstraintViolation();
            }
            return folders.isEmpty();
        }
    }
}
