package dev.waybill.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import dev.waybill.common.api.export.DestinationCredentials;
import dev.waybill.common.testing.packaging.NativeSourcesChecks;

/**
 * Tests the native-image configuration of libraries that find classes, resources or functions by name, or initialize at build
 * time.
 */
class NativeSourcesIT extends NativeSourcesChecks {

    NativeSourcesIT() {
        super("export-service");
    }

    @Test
    void manifestAndCredentialTypesAreReflective() {
        assertThat(
                List.of("dev.waybill.export.execution.Manifest", "dev.waybill.export.job.ManifestInput$File",
                        "dev.waybill.export.parquet.ExportSchema$Column", DestinationCredentials.class.getName()))
                .allMatch(sources::isReflective);
    }

    @Test
    void codecLibrariesAreIncludedAndLoadedAtRunTime() {
        assertThat(sources.filesOfLibraries(Pattern.compile("linux/(amd64|aarch64)/libzstd-jni-.*"))).hasSize(2)
                .allMatch(sources::hasResource);
        assertThat(sources.filesOfLibraries(
                Pattern.compile("org/xerial/snappy/native/Linux/(x86_64|aarch64)/libsnappyjava\\.so"))).hasSize(2)
                .allMatch(sources::hasResource);
        assertThat(sources.isSeenByNativeCode("org.xerial.snappy.SnappyNative", "throw_error")).isTrue();
        assertThat(List.of("com.github.luben.zstd.ZstdCompressCtx", "org.xerial.snappy.Snappy"))
                .allMatch(sources::isInitializedAtRunTime);
    }

    @Test
    void hadoopIsLinkedAndInitializedAtRunTime() {
        assertThat(sources.classes().map(each -> each.thisClass().asInternalName())).contains(
                "org/apache/hadoop/conf/Configuration", "org/apache/hadoop/thirdparty/com/google/common/base/Preconditions",
                "dev/waybill/export/parquet/HadoopFileSubstitution");
        assertThat(sources.isInitializedAtRunTime("org.apache.hadoop.conf.Configuration")).isTrue();
        assertThat(sources.arguments()).contains("--add-exports=java.base/sun.nio.ch=ALL-UNNAMED");
    }

    @Test
    void classesOfTablesAreReflective() {
        // Avro's readers create the first ones by name, caches the last ones.
        assertThat(List.of("org.apache.iceberg.GenericManifestFile", "org.apache.iceberg.GenericPartitionFieldSummary",
                "org.apache.iceberg.GenericManifestEntry", "org.apache.iceberg.GenericDataFile",
                "org.apache.iceberg.PartitionData", "com.github.benmanes.caffeine.cache.WILSMS",
                "com.github.benmanes.caffeine.cache.FDMS")).allMatch(sources::isReflective);
        assertThat(sources.hasResource("iceberg-build.properties")).isTrue();
    }

    @Test
    void cFunctionsAreResolvedAtRunTime() {
        assertThat(sources.isInitializedAtRunTime("dev.waybill.export.parquet.NativeHeap$Holder")).isTrue();
    }

    @Test
    void asynchronousS3ClientIsIncluded() {
        assertThat(List.of("META-INF/services/software.amazon.awssdk.http.async.SdkAsyncHttpService",
                "software/amazon/awssdk/services/s3/execution.interceptors")).allMatch(sources::hasResource);
        assertThat(List.of("software.amazon.awssdk.http.nio.netty.NettySdkAsyncHttpService",
                "software.amazon.awssdk.services.s3.internal.handlers.ExceptionTranslationInterceptor"))
                .allMatch(sources::isReflective);
        // With useNonBlockingDnsResolver, the client creates these by name at the first connection.
        assertThat(List.of("io.netty.resolver.dns.DnsAddressResolverGroup", "io.netty.resolver.dns.DnsNameResolverBuilder"))
                .allMatch(sources::isReflective);
    }

    @Test
    void databaseDriversAndFlywayAreIncluded() {
        assertThat(List.of("META-INF/services/org.flywaydb.core.extensibility.Plugin", "META-INF/services/java.sql.Driver",
                "META-INF/services/io.vertx.sqlclient.spi.Driver")).allMatch(sources::hasResource);
    }
}
