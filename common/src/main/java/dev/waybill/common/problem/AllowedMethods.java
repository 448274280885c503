package dev.waybill.common.problem;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.Deployment;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.handlers.ClassRoutingHandler;
import org.jboss.resteasy.reactive.server.handlers.RestInitialHandler.InitialMatch;
import org.jboss.resteasy.reactive.server.mapping.RequestMapper;
import org.jboss.resteasy.reactive.server.mapping.RequestMapper.RequestMatch;
import org.jboss.resteasy.reactive.server.mapping.RuntimeResource;
import org.jboss.resteasy.reactive.server.mapping.URITemplate;
import org.jboss.resteasy.reactive.server.mapping.URITemplate.Type;

/** Determines the methods for the header {@code Allow}, which Quarkus does not send with a 405. */
final class AllowedMethods {

    private AllowedMethods() {
    }

    /**
     * Returns the methods that the path of the current request supports, always including {@code OPTIONS}. A path with its own
     * template, such as {@code /search}, supports the methods of that template only, and not those of {@code /{id}}.
     */
    static Set<String> ofCurrentRequest() {
        Set<String> methods = new TreeSet<>(Set.of("OPTIONS"));
        ResteasyReactiveRequestContext request = CurrentRequestManager.get();
        if (request != null) {
            Map<String, Integer> matching = new TreeMap<>();
            addMatching(request.getDeployment(), request.getPathWithoutPrefix(), matching);
            int fewest = matching.values().stream().min(Integer::compare).orElse(0);
            matching.forEach((method, parameters) -> {
                if (parameters == fewest) {
                    methods.add(method);
                }
            });
        }
        if (methods.contains("GET")) {
            methods.add("HEAD");
        }
        return methods;
    }

    /**
     * Repeats the two steps of routing: from the path to resource classes, from the rest of the path to their methods.
     *
     * @param matching collects the matching methods, with the number of parameters of their templates
     */
    private static void addMatching(Deployment deployment, String path, Map<String, Integer> matching) {
        RequestMapper<InitialMatch> classes = new RequestMapper<>(new ArrayList<>(deployment.getClassMappers()));
        RequestMatch<InitialMatch> match = classes.map(path);
        while (match != null) {
            String rest = match.remaining.isEmpty() ? "/" : match.remaining;
            int parameters = parameters(match.template);
            Arrays.stream(match.value.handlers)
                    .filter(ClassRoutingHandler.class::isInstance)
                    .map(handler -> ((ClassRoutingHandler) handler).getMappers())
                    .forEach(mappers -> addMatching(mappers, rest, parameters, matching));
            match = classes.continueMatching(path, match);
        }
    }

    private static void addMatching(Map<String, RequestMapper<RuntimeResource>> mappers, String rest, int ofClass,
            Map<String, Integer> matching) {
        mappers.forEach((method, mapper) -> {
            RequestMatch<RuntimeResource> match = method == null ? null : mapper.map(rest);
            if (match != null) {
                matching.merge(method, ofClass + parameters(match.template), Math::min);
            }
        });
    }

    private static int parameters(URITemplate template) {
        return (int) Arrays.stream(template.components).filter(component -> component.type != Type.LITERAL).count();
    }
}
