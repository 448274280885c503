package dev.waybill.export.lake;

import java.util.Map;

import io.quarkus.test.junit.QuarkusTestProfile;

/** Enables the lake in the test bucket; days are compacted again without a delay. */
public final class LakeProfile implements QuarkusTestProfile {

    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of("waybill.lake.bucket", "${waybill.test.s3.bucket}",
                "waybill.lake.endpoint-url", "${waybill.test.s3.endpoint}",
                "waybill.lake.access-key-id", "${waybill.test.s3.access-key-id}",
                "waybill.lake.secret-access-key", "${waybill.test.s3.secret-access-key}",
                "waybill.lake.prefix", "lake-test/",
                "waybill.lake.close-after", "0s");
    }
}
