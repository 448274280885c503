package dev.waybill.controlplane.deployment.validation;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Environment variables that a deployment's secrets must not set: variables of the platform, and variables that change
 * which code its programs (shell, git, runtime, JVM) load before the application starts.
 */
final class ReservedVariables {

    private static final String BY_PLATFORM = "is set by the platform";
    private static final String BY_LINKER = "changes what the dynamic linker and the C library load";
    private static final String BY_SHELL = "changes what shells run";
    private static final String BY_GIT = "changes what git runs and where it reads";
    private static final String BY_RUNTIMES = "changes what the language's runtime loads before the application";

    private static final List<Reserved> RESERVED = List.of(
            new Reserved(BY_PLATFORM, Set.of("PORT", "PATH", "HOME"), List.of()),
            // The variables that glibc ignores in setuid programs (unsecvars.h), and those of macOS's linker.
            new Reserved(BY_LINKER, Set.of("GCONV_PATH", "GETCONF_DIR", "HOSTALIASES", "LOCALDOMAIN", "LOCPATH", "NIS_PATH",
                    "NLSPATH", "RESOLV_HOST_CONF", "RES_OPTIONS", "TMPDIR", "TZDIR"),
                    List.of("LD_", "DYLD_", "GLIBC_", "MALLOC_")),
            new Reserved(BY_SHELL, Set.of("BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "PS4", "IFS", "CDPATH",
                    "PROMPT_COMMAND", "SHELL"), List.of("BASH_FUNC_")),
            new Reserved(BY_GIT, Set.of("SSH_ASKPASS", "SSH_AUTH_SOCK"), List.of("GIT_")),
            new Reserved(BY_RUNTIMES, Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "JDK_JAVAC_OPTIONS", "_JAVA_OPTIONS",
                    "JAVA_OPTS", "CLASSPATH", "NODE_OPTIONS", "NODE_PATH", "NODE_REPL_EXTERNAL_MODULE", "PYTHONSTARTUP",
                    "PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "PYTHONWARNINGS", "PYTHONBREAKPOINT", "PYTHONINSPECT",
                    "PYTHONEXECUTABLE", "PYTHONPLATLIBDIR", "PYTHONPYCACHEPREFIX", "PERL5OPT", "PERL5LIB", "PERL5DB",
                    "PERLLIB", "RUBYOPT", "RUBYLIB", "OPENSSL_CONF", "OPENSSL_MODULES", "OPENSSL_ENGINES"), List.of()));
    // Matched case-insensitively, because a runtime also reads lower-case names and prefers them.
    private static final List<String> CONFIGURATION = List.of("WAYBILL_", "_WAYBILL_", "QUARKUS_", "SMALLRYE_");

    private ReservedVariables() {
    }

    /** Returns why a secret must not have the name; empty if it is allowed. */
    static Optional<String> validationError(String name) {
        if (CONFIGURATION.stream().anyMatch(name.toUpperCase(Locale.ROOT)::startsWith)) {
            return Optional.of(sentence(name, BY_PLATFORM));
        }
        return RESERVED.stream()
                .filter(group -> group.has(name))
                .findFirst()
                .map(group -> sentence(name, group.reason()));
    }

    private static String sentence(String name, String reason) {
        return "must not be " + name + ", which " + reason + "; choose another name";
    }

    private record Reserved(String reason, Set<String> names, List<String> prefixes) {

        boolean has(String name) {
            return names.contains(name) || prefixes.stream().anyMatch(name::startsWith);
        }
    }
}
