package dev.waybill.controlplane.deployment.validation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReservedVariablesTest {

    @ParameterizedTest
    @ValueSource(strings = { "PORT", "PATH", "HOME", "WAYBILL_X", "waybill_runtime_directory", "_WAYBILL_MARK", "Quarkus_x",
            "SMALLRYE_CONFIG_LOCATIONS", "LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "LD_DEBUG", "DYLD_INSERT_LIBRARIES",
            "GLIBC_TUNABLES", "MALLOC_TRACE", "GCONV_PATH", "RES_OPTIONS", "TMPDIR", "BASH_ENV", "ENV", "SHELLOPTS", "PS4",
            "BASH_FUNC_ls", "GIT_SSH_COMMAND", "GIT_CONFIG_COUNT", "GIT_EXEC_PATH", "SSH_ASKPASS", "JAVA_TOOL_OPTIONS",
            "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH", "NODE_OPTIONS", "NODE_PATH", "PYTHONSTARTUP", "PYTHONPATH",
            "PYTHONHOME", "PYTHONWARNINGS", "PERL5OPT", "RUBYOPT", "OPENSSL_CONF" })
    void reservedNamesAreRejected(String name) {
        assertThat(ReservedVariables.validationError(name)).hasValueSatisfying(why -> assertThat(why)
                .startsWith("must not be " + name + ", which ").endsWith("; choose another name"));
    }

    @ParameterizedTest
    @ValueSource(strings = { "OPENAI_API_KEY", "DATABASE_URL", "NODE_ENV", "PYTHONUNBUFFERED", "PIP_INDEX_URL", "NPM_TOKEN",
            "GITHUB_TOKEN", "ENVIRONMENT", "ldap_url", "LDAP_URL", "HTTPS_PROXY", "JAVA_APP_KEY", "SSL_CERT_FILE" })
    void commonNamesAreAllowed(String name) {
        assertThat(ReservedVariables.validationError(name)).isEmpty();
    }
}
