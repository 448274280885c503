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

import dev.waybill.console.http.Problem;
import dev.waybill.console.http.RequestOrigin;
import dev.waybill.console.session.Session;
import dev.waybill.console.session.SessionCookie;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.httpproxy.HttpProxy;

/**
 * Passes requests of the application to the services, with the API key of the session instead of its cookie. Paths outside the
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

    ProxyRoutes(SessionCookie cookie, ServiceClient services, DeploymentAddresses deployments) {
        this.cookie = cookie;
        this.services = services;
        this.deployments = deployments;
    }

    void register(@Observes Router router) {
        router.route("/v1/*").order(1).handler(this::toService);
        router.route("/v2/*").order(1).handler(this::toService);
        router.route("/api/*").order(1).handler(this::toService);
        router.route("/run/*").order(1).handler(this::toApplication);
    }

    private void toService(RoutingContext request) {
        Optional<Service> service = Service.of(request.request().path());
        if (service.isEmpty()) {
            Problem.NOT_FOUND.respond(request, "The console does not pass this path on to a service.");
            return;
        }
        admit(request).ifPresent(session -> forward(request, new Target(service.get().title(),
                services.address(service.get()), request.request().uri()), session));
    }

    private void toApplication(RoutingContext request) {
        Matcher path = APPLICATION.matcher(request.request().path());
        if (!path.matches() || !ID.matcher(path.group(1)).matches()) {
            Problem.NOT_FOUND.respond(request,
                    "The path must be /run/{deployment_id}/ followed by runs, assistants, info or ok.");
            return;
        }
        admit(request).ifPresent(session -> {
            String query = request.request().query();
            String uri = path.group(2) + (query == null ? "" : "?" + query);
            request.request().pause();
            deployments.find(UUID.fromString(path.group(1)), session.apiKey(), workspace(request.request()))
                    .onSuccess(address -> forward(request, new Target("The deployed application", address,
                            address.getRawPath() == null ? uri : address.getRawPath().replaceFirst("/$", "") + uri), session))
                    .onFailure(cause -> notFound(request, cause));
        });
    }

    /** Returns the session; without one, or for a request that the application did not send, responds itself. */
    private Optional<Session> admit(RoutingContext request) {
        HttpServerRequest http = request.request();
        if (!http.path().equals(request.normalizedPath())) {
            Problem.INVALID_REQUEST.respond(request, "The path must be in its normal form, without dot segments.");
            return Optional.empty();
        }
        if (!RequestOrigin.isSafe(http) && !RequestOrigin.isSameOrigin(http)) {
            Problem.CROSS_ORIGIN_REQUEST.respond(request, "The console accepts changes from its own pages only.");
            return Optional.empty();
        }
        Optional<Session> session = cookie.read(http);
        if (session.isEmpty()) {
            Problem.SESSION_REQUIRED.respond(request, "There is no session, or it has expired; sign in with an API key.");
        }
        return session;
    }

    private void forward(RoutingContext request, Target target, Session session) {
        HttpProxy.reverseProxy(services.client())
                .originRequestProvider((incoming, client) -> client.request(target.options(incoming.method())))
                .addInterceptor(new Forwarding(target, session.apiKey(), workspace(request.request())))
                .handle(request.request());
    }

    private static void notFound(RoutingContext request, Throwable cause) {
        if (cause instanceof DeploymentAddresses.UnknownDeploymentException unknown && unknown.status() < 500) {
            Problem.NOT_FOUND.respond(request, "There is no such deployment, or it has no address yet.");
        } else {
            LOG.warnf("The control-plane does not respond: %s", cause.toString());
            Problem.SERVICE_UNAVAILABLE.respond(request,
                    "The control-plane does not respond, so the deployment's address is unknown.");
        }
    }

    /** The application names the workspace of its address; without one, services use the key's own. */
    private static @Nullable String workspace(HttpServerRequest request) {
        String workspace = request.getHeader(WORKSPACE);
        return workspace != null && ID.matcher(workspace).matches() ? workspace : null;
    }

    /**
     * Where a request goes.
     *
     * @param service name for error messages
     * @param uri path and query at the service
     */
    record Target(String service, URI address, String uri) {

        io.vertx.core.http.RequestOptions options(io.vertx.core.http.HttpMethod method) {
            boolean isTls = "https".equals(address.getScheme());
            int port = address.getPort() > 0 ? address.getPort() : isTls ? 443 : 80;
            return new io.vertx.core.http.RequestOptions().setMethod(method).setSsl(isTls).setHost(address.getHost())
                    .setPort(port).setURI(uri);
        }
    }
}
