package dev.waybill.runtime.thread;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.runtime.storage.ThreadStorage.ExpiryStrategy;
import dev.waybill.runtime.storage.ThreadStorage.TimeToLive;

/** Validates a time to live: minutes, or an object with {@code ttl} and {@code strategy}. */
@Constraint(validatedBy = ValidTtl.Check.class)
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
@interface ValidTtl {

    String message() default "must be a whole number of minutes, 1 to " + Check.MAX_MINUTES
            + ", or an object with these as ttl and delete or keep_latest as strategy";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    /** Parses the time to live. */
    final class Check implements ConstraintValidator<ValidTtl, JsonNode> {

        /** A hundred years. */
        static final int MAX_MINUTES = 52_560_000;

        @Override
        public boolean isValid(@Nullable JsonNode value, ConstraintValidatorContext context) {
            return value == null || value.isNull() || parse(value).isPresent();
        }

        /** Returns the time to live; null if none is given. */
        static @Nullable TimeToLive orNull(@Nullable JsonNode value) {
            return value == null || value.isNull() ? null : parse(value).orElseThrow();
        }

        private static Optional<TimeToLive> parse(JsonNode value) {
            JsonNode minutes = value.isObject() ? value.path("ttl") : value;
            boolean valid = minutes.isNumber() && minutes.doubleValue() == minutes.intValue() && minutes.intValue() > 0
                    && minutes.intValue() <= MAX_MINUTES;
            return valid ? strategy(value.path("strategy")).map(strategy -> new TimeToLive(minutes.intValue(), strategy))
                    : Optional.empty();
        }

        private static Optional<ExpiryStrategy> strategy(JsonNode value) {
            if (value.isMissingNode() || value.isNull()) {
                return Optional.of(ExpiryStrategy.DELETE);
            }
            return switch (value.asText()) {
                case "delete" -> Optional.of(ExpiryStrategy.DELETE);
                case "keep_latest" -> Optional.of(ExpiryStrategy.KEEP_LATEST);
                default -> Optional.empty();
            };
        }
    }
}
