package dev.waybill.runtime.item;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.NoZeroCharacter;

/** Limits the labels of a namespace, or of a part of one. */
@Constraint(validatedBy = ValidLabels.Check.class)
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
@interface ValidLabels {

    String message() default Check.MESSAGE;

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    /** Checks each label. */
    final class Check implements ConstraintValidator<ValidLabels, List<String>> {

        static final String MESSAGE = "must have at most 32 labels of 1 to 255 characters without full stops and U+0000";

        private static final int MAX_LABELS = 32;
        private static final int MAX_LENGTH = 255;

        @Override
        public boolean isValid(@Nullable List<String> labels, ConstraintValidatorContext context) {
            return labels == null || isValid(labels);
        }

        static boolean isValid(List<String> labels) {
            return labels.size() <= MAX_LABELS && labels.stream().allMatch(Check::isValidLabel);
        }

        private static boolean isValidLabel(String label) {
            return !label.isEmpty() && label.length() <= MAX_LENGTH && label.indexOf('.') < 0
                    && NoZeroCharacter.OfText.isValid(label);
        }
    }
}
