package dev.waybill.experiment.lake;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Configures the bucket of the lake and the resources of its reader. */
@ConfigMapping(prefix = "waybill.lake")
interface LakeConfig {

    /** Bucket of the files; unset, all queries read PostgreSQL only. */
    Optional<String> bucket();

    /** Prefix of the object keys. */
    @WithDefault("lake/")
    String prefix();

    /** Region of the bucket. */
    @WithDefault("us-east-1")
    String region();

    /** Address of a store other than AWS, which is addressed with the bucket in the path. */
    Optional<URI> endpointUrl();

    /** Id of the access key; unset, the environment provides the credentials. */
    Optional<String> accessKeyId();

    /** Secret of the access key. */
    Optional<String> secretAccessKey();

    /** Memory of DuckDB for all concurrent queries. */
    @WithDefault("256M")
    MemorySize memory();

    /** Files on the local disk. */
    Cache cache();

    /** Configures the files on the local disk. */
    interface Cache {

        /** Directory of the files, for this replica only; a directory in {@code java.io.tmpdir} by default. */
        Optional<Path> directory();

        /** Maximum size of all files; the least recently used are deleted first. */
        @WithDefault("2G")
        MemorySize maxBytes();
    }
}
