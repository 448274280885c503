package dev.waybill.common.telemetry;

import java.net.URI;
import java.security.GeneralSecurityException;
import java.util.Arrays;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

import dev.waybill.common.net.TrustedAuthorities;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.trace.export.SpanExporter;

/** The operator's collector, as it is configured. */
final class Collector {

    private Collector() {
    }

    static SpanExporter at(TelemetryConfig config, TrustedAuthorities authorities) {
        URI address = checked(config.endpoint().orElseThrow());
        if (config.sampleRatio() < 0 || config.sampleRatio() > 1 || config.queue() < 1) {
            throw new IllegalStateException(
                    "waybill.telemetry.sample-ratio must be from 0 to 1, and waybill.telemetry.queue at least 1");
        }
        OtlpHttpSpanExporterBuilder exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(address.toString().replaceAll("/+$", "") + "/v1/traces")
                .setCompression("gzip")
                .setConnectTimeout(config.timeout())
                .setTimeout(config.timeout());
        config.headers().forEach(exporter::addHeader);
        if ("https".equalsIgnoreCase(address.getScheme())) {
            trust(exporter, authorities);
        }
        return exporter.build();
    }

    private static URI checked(URI address) {
        boolean web = "http".equalsIgnoreCase(address.getScheme()) || "https".equalsIgnoreCase(address.getScheme());
        if (!web || address.getHost() == null || address.getRawUserInfo() != null || address.getRawQuery() != null) {
            throw new IllegalStateException(
                    "waybill.telemetry.endpoint must be an address such as http://collector:4318, with its"
                            + " secrets in waybill.telemetry.headers");
        }
        return address;
    }

    private static void trust(OtlpHttpSpanExporterBuilder exporter, TrustedAuthorities authorities) {
        TrustManager[] managers = authorities.managers();
        X509TrustManager manager = Arrays.stream(managers).filter(X509TrustManager.class::isInstance)
                .map(X509TrustManager.class::cast).findFirst().orElseThrow();
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers, null);
            exporter.setSslContext(context, manager);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform speaks TLS", e);
        }
    }
}
