package dev.waybill.runtime.storage;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

/** Limits the values of a filter, because each becomes a condition of a query. */
@Constraint(validatedBy = ValidFilter.Check.class)
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
public @interface ValidFilter {

    String message() default "must have at most " + Check.MAX_VALUES + " values, in at most " + Check.MAX_DEPTH + " levels";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    /** Counts values and levels. */
    final class Check implements ConstraintValidator<ValidFilter, JsonNode> {

        static final int MAX_VALUES = 100;
        static final int MAX_DEPTH = 16;

        @Override
        public boolean isValid(@Nullable JsonNode filter, ConstraintValidatorContext context) {
            return filter == null || values(filter, MAX_DEPTH) <= MAX_VALUES;
        }

        private static int values(JsonNode node, int depth) {
            if (depth == 0) {
                return MAX_VALUES + 1;
            }
            int values = 1;
            for (JsonNode child : node) {
                values += values(child, depth - 1);
            }
            return values;
        }
    }
}
