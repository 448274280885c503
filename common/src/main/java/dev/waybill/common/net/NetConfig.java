package dev.waybill.common.net;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Restrictions on addresses that customers specify. */
@ConfigMapping(prefix = "waybill.net")
public interface NetConfig {

    /** Whether plain http is accepted in addition to https. Only for installations with a private network to their buckets. */
    @WithDefault("false")
    boolean allowHttp();

    /** Address ranges (CIDR) that are allowed although they are not public, for example that of an internal bucket. */
    Optional<List<String>> allowedRanges();

    /** PEM file with certificate authorities that are trusted for customers' endpoints in addition to those of the platform. */
    Optional<Path> caCertificates();
}
