package dev.waybill.common.idempotency;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import jakarta.interceptor.InterceptorBinding;

/**
 * Makes a creating resource method support the header {@code Idempotency-Key}; requests without the header are unaffected. The
 * method accepts at most one record as body and returns {@code Uni<record>}; the service it calls invokes {@link
 * CreatedResourceRecorder#recordCreated} inside the creating transaction.
 * <p>
 * A key is valid for the caller's workspace (or organization), the method and the path, for 24 hours:
 * <ul>
 * <li>the same key and body return the first response again, with the header {@code Idempotent-Replayed: true}; the response is
 * stored encrypted, because it may contain a secret that is returned only once;</li>
 * <li>another body is rejected with 422;</li>
 * <li>while the first request is in progress, the response is 409 with {@code Retry-After};</li>
 * <li>a failed request leaves no record, so its key may be used again.</li>
 * </ul>
 * <p>
 * <b>Guarantees when a process crashes.</b> No resource is created twice. Before the creating transaction commits, no resource
 * exists: after the lease of the crashed request has expired (a minute), the next request with the key executes the operation.
 * After the commit but before the response is stored, the resource exists and the response is lost: the next request gets 409
 * with the id of the resource in {@code created_id}. A slow request whose lease was taken over cannot commit any more, because
 * its attempt number is outdated. For a service that does not call {@code CreatedResourceRecorder}, a crash can lead to a
 * second creation.
 */
@InterceptorBinding
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
public @interface Idempotent {
}
