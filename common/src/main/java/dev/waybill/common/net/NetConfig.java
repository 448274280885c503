package dev.waybill.common.net;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Which addresses that customers give may be reached. */
@ConfigMapping(prefix = "waybill.net")
public interface NetConfig {

    /** Whether plain http is accepted beside https. Only for installations whose buckets are on a network of their own. */
    @WithDefault("false")
    boolean allowHttp();

    /** Address ranges (CIDR) that may be reached although they are not public, for example that of a bucket next door. */
    Optional<List<String>> allowedRanges();

    /** A file of certificates (PEM) whose authorities customers' endpoints may be certified by, beside the usual ones. */
    Optional<Path> caCertificates();
}
