package dev.waybill.common.api.export;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;

import org.jspecify.annotations.Nullable;

/**
 * Requires a prefix that every store accepts as the beginning of a key: UTF-8 of limited length without control characters,
 * whose folders have names other than {@code .} and {@code ..}.
 */
@Constraint(validatedBy = PlainPrefix.Check.class)
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
@interface PlainPrefix {

    String message() default "must be folders with single slashes between them, none of them . or .., without control characters";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    /** Checks a prefix without slashes around it. */
    final class Check implements ConstraintValidator<PlainPrefix, String> {

        @Override
        public boolean isValid(@Nullable String prefix, ConstraintValidatorContext context) {
            if (prefix == null) {
                return true;
            }
            if (prefix.length() > BucketLocation.LONGEST_PREFIX || bytes(prefix) > BucketLocation.LONGEST_PREFIX) {
                context.disableDefaultConstraintViolation();
                context.buildConstraintViolationWithTemplate(
                        "must be Unicode text of at most " + BucketLocation.LONGEST_PREFIX + " bytes in UTF-8")
                        .addConstraintViolation();
                return false;
            }
            String folders = "/" + prefix + "/";
            return prefix.isEmpty() || !folders.contains("//") && !folders.contains("/./") && !folders.contains("/../")
                    && prefix.chars().noneMatch(Check::isUnprintable);
        }

        // Lists of uploads are XML, which has no way to write the last two.
        private static boolean isUnprintable(int c) {
            return Character.isISOControl(c) || c == 0xfffe || c == 0xffff;
        }

        private static int bytes(String text) {
            try {
                return StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text)).remaining();
            } catch (CharacterCodingException e) {
                return Integer.MAX_VALUE;
            }
        }
    }
}
