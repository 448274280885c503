package dev.waybill.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;

import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.packaging.NativeSourcesChecks;

/** Checks the native-image configuration of libraries that use reflection, resources or machine state. */
class NativeSourcesIT extends NativeSourcesChecks {

    NativeSourcesIT() {
        super("experiment-service");
    }

    @Test
    void bodyDigestsAreReflective() {
        assertThat(sources.isReflective("dev.waybill.experiment.body.BodyDigest")).isTrue();
    }

    @Test
    void zstdLibraryAndFieldsAreRegistered() {
        assertThat(sources.filesOfLibraries(Pattern.compile("linux/(amd64|aarch64)/libzstd-jni-.*"))).hasSize(2)
                .allMatch(sources::hasResource);
        assertThat(List.of("srcPos", "dstPos")).allMatch(
                field -> sources.isSeenByNativeCode("com.github.luben.zstd.ZstdInputStreamNoFinalizer", field));
        assertThat(sources.isInitializedAtRunTime("com.github.luben.zstd.util.Native")).isTrue();
    }

    @Test
    void duckDbLibraryAndItsTypesAreRegistered() {
        assertThat(sources.filesOfLibraries(Pattern.compile("libduckdb_java\\.so_linux_(amd64|arm64)"))).hasSize(2)
                .allMatch(sources::hasResource);
        assertThat(List.of("constlen_data", "varlen_data", "retainConstlenData", "<init>"))
                .allMatch(member -> sources.isSeenByNativeCode("org.duckdb.DuckDBVector", member));
        assertThat(sources.isSeenByNativeCode("org.duckdb.DuckDBResultSetMetaData", "<init>")).isTrue();
        assertThat(sources.isSeenByNativeCode("org.duckdb.DuckDBTimestamp", "getMicrosEpoch")).isTrue();
        assertThat(sources.isInitializedAtRunTime("org.duckdb.DuckDBNative")).isTrue();
    }

    @Test
    void asynchronousS3ClientIsIncluded() {
        assertThat(List.of("META-INF/services/software.amazon.awssdk.http.async.SdkAsyncHttpService",
                "software/amazon/awssdk/services/s3/execution.interceptors")).allMatch(sources::hasResource);
        // With useNonBlockingDnsResolver, the client creates these by name at the first connection.
        assertThat(List.of("io.netty.resolver.dns.DnsAddressResolverGroup", "io.netty.resolver.dns.DnsNameResolverBuilder"))
                .allMatch(sources::isReflective);
    }

    @Test
    void protobufIsInitializedAtRunTime() {
        assertThat(List.of("com.google.protobuf.UnsafeUtil", "com.google.protobuf.CodedOutputStream",
                "com.google.protobuf.Utf8")).allMatch(sources::isInitializedAtRunTime);
    }

    @Test
    void randomGeneratorsAreReflective() {
        assertThat(sources.isReflective(RandomSource.XO_RO_SHI_RO_128_PP.create(1L).getClass().getName())).isTrue();
        assertThat(sources.isInitializedAtRunTime("org.apache.commons.rng.simple.internal.SeedFactory")).isTrue();
    }

    @Test
    void databaseServiceFilesAreIncluded() {
        assertThat(List.of("META-INF/services/org.flywaydb.core.extensibility.Plugin", "META-INF/services/java.sql.Driver",
                "META-INF/services/io.vertx.sqlclient.spi.Driver")).allMatch(sources::hasResource);
    }
}
