package dev.waybill.common.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a request record whose unknown members cause a 422: such members would restrict the result, so ignoring them would
 * return data that the caller did not ask for. Unknown members that are null are accepted.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface RejectUnknownMembers {
}
