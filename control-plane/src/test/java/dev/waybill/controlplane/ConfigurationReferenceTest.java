package dev.waybill.controlplane;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.ConfigurationReference;

class ConfigurationReferenceTest {

    @Test
    void everyKeyIsDocumentedForOperators() {
        ConfigurationReference.assertComplete();
    }
}
