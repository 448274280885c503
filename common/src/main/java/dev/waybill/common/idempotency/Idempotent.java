package dev.waybill.common.idempotency;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import jakarta.interceptor.InterceptorBinding;

/**
 * Makes a creating resource method honour the header {@code Idempotency-Key}; without the header nothing changes. The
 * method takes at most one record as body and returns {@code Uni<record>}; the service it calls says
 * {@link IdempotentCreation#made} inside the transaction that creates.
 *
 * <p>
 * A key counts for the workspace (or organization) of the caller, the method and the path, for 24 hours:
 * <ul>
 * <li>the same key and body get the first answer again, with the header {@code Idempotent-Replayed: true}; the answer lies
 * encrypted in the database until then, for it may hold a secret that is told once;</li>
 * <li>another body is 422;</li>
 * <li>while the first request is under way, 409 with {@code Retry-After};</li>
 * <li>a request that failed leaves no trace, so its key may be used again.</li>
 * </ul>
 *
 * <p>
 * <b>What is promised when a process dies.</b> Nothing is made twice. Before the creating transaction commits, nothing was
 * made: once the lease of the dead request has run out (a minute), the next request with the key does the work. After it
 * commits but before the answer is stored, the thing exists and its answer is lost: the next request is told 409 with the
 * id of what was made in {@code created_id}, and goes on from there. A request that was only slow and is overtaken cannot
 * commit any more, because its mark no longer fits. A service that does not mark gets all of this but the first sentence:
 * after such a death its creation may happen once more.
 */
@InterceptorBinding
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
public @interface Idempotent {
}
