package dev.waybill.bench.deployments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** Reads metrics of a service. */
final class MetricsReader {

    private MetricsReader() {
    }

    /** Returns the sum of all samples of a metric with this label. */
    static double sum(URI address, String name, String label) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString()).body().lines()
                    .filter(line -> line.startsWith(name + "{") && line.contains(label))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
