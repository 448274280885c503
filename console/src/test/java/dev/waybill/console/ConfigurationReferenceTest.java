package dev.waybill.console;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.ConfigurationReference;

class ConfigurationReferenceTest {

    @Test
    void everyKeyIsDocumented() {
        ConfigurationReference.assertComplete();
    }
}
