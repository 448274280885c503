package dev.waybill.common.json;

import java.util.List;
import java.util.Set;

import dev.waybill.common.problem.Violation;

/**
 * Validates a request record beyond the types and constraints of its members. Every bean of this type is called for each body
 * of its record, so that the response reports its violations together with all others.
 *
 * @param <T> the request record
 */
public interface BodyValidator<T> {

    /** Returns the class of the request record. */
    Class<T> type();

    /**
     * Returns all violations.
     *
     * @param body the parsed body; required members may be missing
     * @param unread names of root members that were removed because of a wrong type
     */
    List<Violation> violations(T body, Set<String> unread);
}
