package dev.waybill.runtime.state;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;
import java.util.UUID;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

/** Validates the position in a history: an id, a checkpoint, or a configuration that names one. */
@Constraint(validatedBy = ValidBefore.Check.class)
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
@interface ValidBefore {

    String message() default "must be the id of a checkpoint, or an object with checkpoint_id";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    /** Parses the id. */
    final class Check implements ConstraintValidator<ValidBefore, JsonNode> {

        @Override
        public boolean isValid(@Nullable JsonNode value, ConstraintValidatorContext context) {
            return value == null || value.isNull() || parse(value).isPresent();
        }

        /** Returns the id of the checkpoint; empty if there is none. */
        static Optional<UUID> parse(@Nullable JsonNode value) {
            JsonNode id = id(value == null ? MissingNode.getInstance() : value);
            try {
                return id.isTextual() ? Optional.of(UUID.fromString(id.textValue())) : Optional.empty();
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }

        private static JsonNode id(JsonNode value) {
            return !value.isObject() ? value
                    : value.path("configurable").isObject()
                            ? value.path("configurable").path("checkpoint_id")
                            : value.path("checkpoint_id");
        }
    }
}
