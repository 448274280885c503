package dev.waybill.common.json;

import java.util.List;
import java.util.Set;

import dev.waybill.common.problem.Violation;

/**
 * A service's own rules for a request record, beyond what its members' types and constraints say. As a bean it is asked with
 * every body of that type, so that what it finds is told with all else (contract.md "Everywhere").
 *
 * @param <T> the request record
 */
public interface BodyValidator<T> {

    /** Whose rules these are. */
    Class<T> type();

    /**
     * Everything that is wrong.
     *
     * @param body what could be read: members that are required may be missing
     * @param unread the members at the root that were there with a wrong type, and are missing now
     */
    List<Violation> violations(T body, Set<String> unread);
}
