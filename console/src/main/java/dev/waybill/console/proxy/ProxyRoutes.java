package dev.waybill.console.proxy;

import java.net.URI;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.logging.RequestIds;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.ProblemResponses;
import dev.waybill.common.problem.ProblemType;
import dev.waybill.common.problem.RequestSizeLimit;
import dev.waybill.common.security.PresentedKey;
import dev.waybill.common.telemetry.Telemetry;
import dev.waybill.console.http.ConsoleProblem;
import dev.waybill.console.http.RequestOrigin;
import dev.waybill.console.http.RouteLabel;
import dev.waybill.console.service.Service;
import dev.waybill.console.service.ServiceClient;
import dev.waybill.console.session.Session;
import dev.waybill.console.session.SessionCookie;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.httpproxy.HttpProxy;

/**
 * Passes requests of the application to the services, with the key or token of the session instead of its cookie. Paths outside
 * the
 * allow-list do not exist here.
 */
@Singleton
class ProxyRoutes {

    private static final Logger LOG = Logger.getLogger(ProxyRoutes.class);
    private static final String WORKSPACE = "X-Tenant-Id";
    private static final Pattern APPLICATION = Pattern.compile("/run/([^/]+)(/(?:runs|assistants|threads|info|ok)(?:/.*)?)");
    private static final Pattern ID = Pattern
            .compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    private final SessionCookie cookie;
    private final ServiceClient services;
    private final DeploymentAddresses deployments;
    private final ProblemResponses responses;
    private final RequestSizeLimit sizes;
    private final Telemetry telemetry;

    ProxyRoutes(SessionCookie cookie, ServiceClient services, DeploymentAddresses deployments, ProblemResponses responses,
            RequestSizeLimit sizes, Telemetry telemetry) {
        this.cookie = cookie;
        this.services = services;
        this.deployments = deployments;
        this.responses = responses;
        this.sizes = sizes;
        this.telemetry = telemetry;
    }

    void register(@Observes Router router) {
        router.route("/v1/*").order(1).handler(this::toService);
        router.route("/v2/*").order(1).handler(this::toService);
        router.route("/api/*").order(1).handler(this::toService);
        router.route("/run/*").order(1).handler(this::toApplication);
    }

    private void toService(RoutingContext request) {
        String path = request.request().path();
        Optional<Service> service = Service.of(path);
        if (service.isEmpty()) {
            respond(request, CommonProblem.NOT_FOUND, "The console does not pass this path on to a service.");
            return;
        }
        RouteLabel.set(request, service.get().prefix(path).orElseThrow() + "/*");
        admit(request).ifPresent(session -> forward(request, new Target(service.get().title(),
                services.address(service.get()), request.request().uri()), session));
    }

    private void toApplication(RoutingContext request) {
        Matcher path = APPLICATION.matcher(request.request().path());
        if (!path.matches() || !ID.matcher(path.group(1)).matches()) {
            respond(request, CommonProblem.NOT_FOUND,
                    "The path must be /run/{deployment_id}/ followed by runs, assistants, threads, info or ok.");
            return;
        }
        RouteLabel.set(request, "/run/*");
        admit(request).ifPresent(session -> {
            String query = request.request().query();
            String uri = path.group(2) + (query == null ? "" : "?" + query);
            request.request().pause();
            deployments.find(UUID.fromString(path.group(1)), session.credential(), workspace(request.request()))
                    .onSuccess(address -> forward(request, new Target("The deployed application", address,
                            address.getRawPath() == null ? uri : address.getRawPath().replaceFirst("/$", "") + uri), session))
                    .onFailure(cause -> notFound(request, cause));
        });
    }

    /** Returns the session; without one, or for a request that the application did not send, responds itself. */
    private Optional<Session> admit(RoutingContext request) {
        HttpServerRequest http = request.request();
        if (!http.path().equals(request.normalizedPath())) {
            respond(request, CommonProblem.MALFORMED_REQUEST, "The path must be in its normal form, without dot segments.");
            return Optional.empty();
        }
        if (!RequestOrigin.isSafe(http) && !RequestOrigin.isSameOrigin(http)) {
            respond(request, ConsoleProblem.CROSS_ORIGIN_REQUEST, "The console accepts changes from its own pages only.");
            return Optional.empty();
        }
        Optional<Session> session = cookie.read(http);
        if (session.isEmpty()) {
            respond(request, ConsoleProblem.SESSION_REQUIRED,
                    "There is no session, or it has expired; sign in.");
            return Optional.empty();
        }
        if (sizes.isExceededBy(request)) {
            responses.send(request, sizes.exceeded());
            return Optional.empty();
        }
        // The services limit the rate of the key; its address is limited only without a session.
        PresentedKey.markAuthenticated(request);
        return session;
    }

    private void forward(RoutingContext request, Target target, Session session) {
        Origin origin = new Origin(session.credential(), workspace(request.request()), String.valueOf(RequestIds.of(request)),
                telemetry.traceParent(), address(request.request().remoteAddress()));
        HttpProxy.reverseProxy(services.client())
                .originRequestProvider((incoming, client) -> client.request(target.options(incoming.method())))
                .addInterceptor(new Forwarding(target, origin, responses))
                .handle(request.request());
    }

    private void notFound(RoutingContext request, Throwable cause) {
        if (cause instanceof DeploymentAddresses.UnknownDeploymentException unknown && unknown.status() < 500) {
            respond(request, CommonProblem.NOT_FOUND, "There is no such deployment, or it has no address yet.");
        } else {
            LOG.warnf("The control-plane does not respond: %s", cause.toString());
            respond(request, CommonProblem.UNAVAILABLE,
                    "The control-plane does not respond, so the deployment's address is unknown.");
        }
    }

    private void respond(RoutingContext request, ProblemType type, String detail) {
        if (!request.response().ended() && !request.response().closed()) {
            responses.send(request, new ProblemException(type, detail));
        }
    }

    /** The application names the workspace of its address; without one, services use the key's own. */
    private static @Nullable String workspace(HttpServerRequest request) {
        String workspace = request.getHeader(WORKSPACE);
        return workspace != null && ID.matcher(workspace).matches() ? workspace : null;
    }

    /** Returns the address of the connection, or the one that a proxy forwards which this console trusts. */
    private static @Nullable String address(@Nullable SocketAddress browser) {
        return browser == null ? null : browser.hostAddress();
    }

    /**
     * The destination of a request.
     *
     * @param service name for error messages
     * @param uri path and query at the service
     */
    record Target(String service, URI address, String uri) {

        RequestOptions options(HttpMethod method) {
            boolean isTls = "https".equals(address.getScheme());
            int port = address.getPort() > 0 ? address.getPort() : isTls ? 443 : 80;
            return new RequestOptions().setMethod(method).setSsl(isTls).setHost(address.getHost()).setPort(port).setURI(uri);
        }
    }
}
