package dev.waybill.common.idempotency;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;

import jakarta.annotation.Priority;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.idempotency.IdempotencyTable.IdempotencyKey;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.common.security.Caller;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Intercepts methods with {@link Idempotent}, after the security checks, which repeated requests must pass as well. */
@Interceptor
@Idempotent
@Priority(Interceptor.Priority.LIBRARY_BEFORE)
class IdempotentInterceptor {

    static final String HEADER = "Idempotency-Key";

    private static final String REPLAYED = "Idempotent-Replayed";
    private static final Pattern VALID_KEY = Pattern.compile("[\\x21-\\x7e]{1,255}");
    private static final UUID OPERATOR = new UUID(0, 0);

    private final IdempotencyService creations;
    private final RoutingContext request;
    private final SecurityIdentity identity;
    private final CallerContext context;
    private final ObjectMapper mapper;

    IdempotentInterceptor(IdempotencyService creations, RoutingContext request, SecurityIdentity identity,
            CallerContext context, ObjectMapper mapper) {
        this.creations = creations;
        this.request = request;
        this.identity = identity;
        this.context = context;
        this.mapper = mapper;
    }

    @AroundInvoke
    Object once(InvocationContext call) throws Exception {
        String key = request.request().getHeader(HEADER);
        if (key == null) {
            return call.proceed();
        }
        if (!VALID_KEY.matcher(key.strip()).matches()) {
            return Uni.createFrom().failure(ProblemException.invalid(Violation.of(HEADER,
                    "must have 1 to 255 visible ASCII characters", "invalid")));
        }
        IdempotencyKey idempotencyKey = new IdempotencyKey(scope(), request.request().method() + " " + request.normalizedPath(),
                key.strip());
        return creations.once(idempotencyKey, fingerprint(call), responseType(call), () -> proceed(call))
                .invoke(this::addReplayedHeader)
                .map(IdempotencyService.Outcome::response);
    }

    private UUID scope() {
        if (identity.hasRole(Role.OPERATOR)) {
            return OPERATOR;
        }
        Caller caller = context.caller();
        return caller.workspaceId() == null ? caller.organizationId() : caller.workspaceId();
    }

    // The fingerprint includes whether the key is bound to a workspace, because a response to an organization's admin must not
    // be replayed to a key of one workspace.
    private byte[] fingerprint(InvocationContext call) {
        boolean bound = !identity.hasRole(Role.OPERATOR) && context.caller().boundToWorkspace();
        @Nullable
        Object body = Arrays.stream(call.getParameters())
                .filter(Record.class::isInstance)
                .findFirst()
                .orElse(null);
        return new Fingerprint(mapper).of(body == null ? List.of(bound) : List.of(bound, body));
    }

    private JavaType responseType(InvocationContext call) {
        Type returned = call.getMethod().getGenericReturnType();
        if (returned instanceof ParameterizedType uni && uni.getRawType() == Uni.class) {
            return mapper.constructType(uni.getActualTypeArguments()[0]);
        }
        throw new IllegalStateException(call.getMethod() + " is @Idempotent but does not return a Uni");
    }

    private static Uni<?> proceed(InvocationContext call) {
        try {
            return (Uni<?>) call.proceed();
        } catch (Exception e) {
            return Uni.createFrom().failure(e);
        }
    }

    private void addReplayedHeader(IdempotencyService.Outcome outcome) {
        if (outcome.replayed()) {
            request.response().putHeader(REPLAYED, "true");
        }
    }
}
