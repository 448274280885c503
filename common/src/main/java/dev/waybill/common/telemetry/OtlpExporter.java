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

/** Creates the exporter to the operator's collector from the configuration. */
final class OtlpExporter {

    private OtlpExporter() {
    }

    static SpanExporter from(TelemetryConfig config, TrustedAuthorities authorities) {
        URI address = requireValid(config.endpoint().orElseThrow());
        if (config.sampleRatio() < 0 || config.sampleRatio() > 1) {
            throw new IllegalStateException("waybill.telemetry.sample-ratio must be between 0 and 1");
        }
        OtlpHttpSpanExporterBuilder exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(address.toString().replaceAll("/+$", "") + "/v1/traces")
                .setCompression("gzip")
                .setConnectTimeout(Telemetry.EXPORT_TIMEOUT)
                .setTimeout(Telemetry.EXPORT_TIMEOUT);
        config.headers().forEach(exporter::addHeader);
        if ("https".equalsIgnoreCase(address.getScheme())) {
            trust(exporter, authorities);
        }
        return exporter.build();
    }

    private static URI requireValid(URI address) {
        boolean web = "http".equalsIgnoreCase(address.getScheme()) || "https".equalsIgnoreCase(address.getScheme());
        if (!web || address.getHost() == null || address.getRawUserInfo() != null || address.getRawQuery() != null) {
            throw new IllegalStateException(
                    "waybill.telemetry.endpoint must be a URL such as http://collector:4318 without credentials;"
                            + " set those in waybill.telemetry.headers");
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
            throw new IllegalStateException("the JVM does not support TLS", e);
        }
    }
}
