package dev.waybill.soak.hostile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;

import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.soak.hostile.OpenApiOperations.Operation;

/** The metrics of a service at one moment. */
record ManagementMetrics(List<String> lines) {

    static ManagementMetrics of(ServiceProcess service) {
        return new ManagementMetrics(send(HttpRequest.newBuilder(service.managementAddress().resolve("/q/metrics")).build())
                .lines().toList());
    }

    /** Calls each operation once with ids that do not exist. */
    static void call(ServiceProcess service, String key, List<Operation> operations) {
        operations.forEach(operation -> send(HttpRequest.newBuilder(service.address().resolve(operation.withRandomIds()))
                .header("X-Api-Key", key).method(operation.method(), BodyPublishers.noBody()).build()));
    }

    private static String send(HttpRequest request) {
        try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            return client.send(request, BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    double value(String name) {
        return lines.stream().filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))).sum();
    }

    /** Returns the operations without a request counter. */
    List<String> missing(List<Operation> operations) {
        // The label contains the regular expression of a path parameter; the OpenAPI description does not.
        List<String> counters = lines.stream().filter(line -> line.startsWith("http_server_requests_seconds_count{"))
                .map(line -> line.replaceAll("\\{([^:}=]+):[^}]*}", "{$1}"))
                .toList();
        return operations.stream()
                .filter(operation -> counters.stream().noneMatch(line -> line.contains("method=\"" + operation.method() + "\"")
                        && line.contains("uri=\"" + operation.path() + "\"")))
                .map(operation -> operation.method() + " " + operation.path())
                .toList();
    }
}
