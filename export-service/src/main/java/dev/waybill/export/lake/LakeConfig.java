package dev.waybill.export.lake;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of the lake; without a bucket there is none. */
@ConfigMapping(prefix = "waybill.lake")
interface LakeConfig {

    /** The bucket of the files. */
    Optional<String> bucket();

    /** Prefix of all keys. */
    @WithDefault("lake/")
    String prefix();

    /** Region of the bucket. */
    @WithDefault("us-east-1")
    String region();

    /** Address of an S3-compatible store; AWS by default. */
    Optional<URI> endpointUrl();

    /** Access key; required with an endpoint, otherwise the service's own credentials are the default. */
    Optional<String> accessKeyId();

    /** Secret of the access key. */
    Optional<String> secretAccessKey();

    /** Delay between the end of a day and its compaction, and the minimum interval between compactions of the same day. */
    @WithDefault("2h")
    Duration closeAfter();
}
