package dev.waybill.common.problem;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a request record whose unknown members are a 422: they narrow what is read or counted, so ignoring one would return
 * what
 * the caller did not ask for. A member that is null says nothing and is accepted.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface RejectUnknownMembers {
}
