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

/** Rejects the character U+0000, which PostgreSQL cannot store, so that all storages accept the same keys and values. */
@Constraint(validatedBy = { NoZeroCharacter.OfText.class, NoZeroCharacter.OfJson.class })
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
public @interface NoZeroCharacter {

    String MESSAGE = "must not contain the character U+0000";

    String message() default MESSAGE;

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    /** Checks a text. */
    final class OfText implements ConstraintValidator<NoZeroCharacter, String> {

        @Override
        public boolean isValid(@Nullable String text, ConstraintValidatorContext context) {
            return text == null || isValid(text);
        }

        /** Returns whether the text has no such character. */
        public static boolean isValid(String text) {
            return text.indexOf(0) < 0;
        }
    }

    /** Checks the names and texts of JSON. */
    final class OfJson implements ConstraintValidator<NoZeroCharacter, JsonNode> {

        @Override
        public boolean isValid(@Nullable JsonNode json, ConstraintValidatorContext context) {
            return json == null || isValid(json);
        }

        private static boolean isValid(JsonNode json) {
            return json.isTextual() ? OfText.isValid(json.textValue())
                    : json.properties().stream().allMatch(member -> OfText.isValid(member.getKey()))
                            && json.valueStream().allMatch(OfJson::isValid);
        }
    }
}
