package dev.waybill.common.json;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.charset.StandardCharsets;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

/** Limits the size of a JSON value that is stored for its sender, measured without whitespace. */
@Constraint(validatedBy = JsonSize.Check.class)
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
public @interface JsonSize {

    /** Maximum number of bytes. */
    int max();

    String message() default "must have at most {max} bytes as JSON";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    /** Compares the serialized size with the limit. */
    final class Check implements ConstraintValidator<JsonSize, JsonNode> {

        private int max;

        @Override
        public void initialize(JsonSize size) {
            max = size.max();
        }

        @Override
        public boolean isValid(@Nullable JsonNode value, ConstraintValidatorContext context) {
            return value == null || value.toString().getBytes(StandardCharsets.UTF_8).length <= max;
        }
    }
}
