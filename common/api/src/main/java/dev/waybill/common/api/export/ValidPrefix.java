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
 * Requires a prefix that every store accepts as the beginning of an object key: UTF-8 of limited length without control
 * characters, and without folders named {@code .} or {@code ..}.
 */
@Constraint(validatedBy = ValidPrefix.Check.class)
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
@interface ValidPrefix {

    String message() default "must consist of folders separated by single slashes, without control characters and without the folders . and ..";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    /** Validates a prefix without leading and trailing slashes. */
    final class Check implements ConstraintValidator<ValidPrefix, String> {

        @Override
        public boolean isValid(@Nullable String prefix, ConstraintValidatorContext context) {
            if (prefix == null) {
                return true;
            }
            if (prefix.length() > BucketLocation.MAX_PREFIX_LENGTH || bytes(prefix) > BucketLocation.MAX_PREFIX_LENGTH) {
                context.disableDefaultConstraintViolation();
                context.buildConstraintViolationWithTemplate(
                        "must be Unicode text of at most " + BucketLocation.MAX_PREFIX_LENGTH + " bytes in UTF-8")
                        .addConstraintViolation();
                return false;
            }
            String folders = "/" + prefix + "/";
            return prefix.isEmpty() || !folders.contains("//") && !folders.contains("/./") && !folders.contains("/../")
                    && prefix.chars().noneMatch(Check::isUnprintable);
        }

        // U+FFFE and U+FFFF are invalid in XML, the format of upload lists.
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
