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
