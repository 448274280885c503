package dev.waybill.common.api.account;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import jakarta.validation.ReportAsSingleViolation;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

/** A name shown in lists and logs: at least one visible character and no control characters, which could forge log lines. */
@Target({ ElementType.FIELD, ElementType.PARAMETER, ElementType.RECORD_COMPONENT })
@Retention(RetentionPolicy.RUNTIME)
@Constraint(validatedBy = {})
@ReportAsSingleViolation
@Size(min = 1, max = AccountName.MAX_LENGTH)
@Pattern(regexp = AccountName.READABLE)
@interface AccountName {

    /** Maximum length in characters. */
    int MAX_LENGTH = 255;

    /** At least one visible character, no control characters and no lone surrogates. */
    String READABLE = "(?U)(?=.*\\S)[^\\p{Cc}\\p{Cs}]*";

    String message() default "must have 1 to 255 characters, at least one of them visible, and no control characters";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};
}
