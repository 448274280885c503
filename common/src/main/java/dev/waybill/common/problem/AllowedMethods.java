package dev.waybill.common.problem;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.Deployment;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.handlers.ClassRoutingHandler;
import org.jboss.resteasy.reactive.server.handlers.RestInitialHandler.InitialMatch;
import org.jboss.resteasy.reactive.server.mapping.RequestMapper;
import org.jboss.resteasy.reactive.server.mapping.RequestMapper.RequestMatch;
import org.jboss.resteasy.reactive.server.mapping.RuntimeResource;

/** Determines the methods for the header {@code Allow} of a 405, which Quarkus does not send. */
final class AllowedMethods {

    private AllowedMethods() {
    }

    /** Returns the methods that the path of the current request supports, always including {@code OPTIONS}. */
    static Set<String> ofCurrentRequest() {
        Set<String> methods = new TreeSet<>(Set.of("OPTIONS"));
        ResteasyReactiveRequestContext request = CurrentRequestManager.get();
        if (request != null) {
            addMatching(request.getDeployment(), request.getPathWithoutPrefix(), methods);
        }
        if (methods.contains("GET")) {
            methods.add("HEAD");
        }
        return methods;
    }

    // Repeats the two steps of routing: from the path to resource classes, from the rest of the path to their methods.
    private static void addMatching(Deployment deployment, String path, Set<String> methods) {
        RequestMapper<InitialMatch> classes = new RequestMapper<>(new ArrayList<>(deployment.getClassMappers()));
        RequestMatch<InitialMatch> match = classes.map(path);
        while (match != null) {
            String rest = match.remaining.isEmpty() ? "/" : match.remaining;
            Arrays.stream(match.value.handlers)
                    .filter(ClassRoutingHandler.class::isInstance)
                    .map(handler -> ((ClassRoutingHandler) handler).getMappers())
                    .forEach(mappers -> addMatching(mappers, rest, methods));
            match = classes.continueMatching(path, match);
        }
    }

    private static void addMatching(Map<String, RequestMapper<RuntimeResource>> mappers, String rest, Set<String> methods) {
        mappers.forEach((method, mapper) -> {
            if (method != null && mapper.map(rest) != null) {
                methods.add(method);
            }
        });
    }
}
