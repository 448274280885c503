package dev.waybill.local.node;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import dev.waybill.client.WaybillClients;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.stack.Stack;

/** Opens the pages of a running console in Chromium: runs files of {@code console/src/test/browser}. */
public final class ConsoleBrowser {

    private static final List<Path> CHROMIUM = List.of(Path.of("/usr/bin/chromium"), Path.of("/usr/bin/chromium-browser"),
            Path.of("/usr/bin/google-chrome"));

    private final Path web;
    private final Path logs;
    private final Map<String, String> environment;

    /**
     * Creates a runner.
     *
     * @param root the root of the project, whose console is built
     * @param logs the folder for the output of the files
     * @param environment from {@link #environment}
     */
    public ConsoleBrowser(Path root, Path logs, Map<String, String> environment) {
        this.web = root.resolve("console/src/main/web");
        this.logs = logs;
        this.environment = Map.copyOf(environment);
    }

    public static boolean isInstalled() {
        return CHROMIUM.stream().anyMatch(Files::isExecutable);
    }

    /** Returns the variables with which the files find the console, its services, the bucket and the stack's keys. */
    public static Map<String, String> environment(Stack stack, WaybillClients client, ServiceProcess console) {
        URI controlPlane = stack.service(ServiceKind.CONTROL_PLANE).address();
        Map<String, String> variables = new TreeMap<>();
        variables.put("WAYBILL_CONSOLE_URL", "http://localhost:" + console.address().getPort());
        variables.put("WAYBILL_CONSOLE_MANAGEMENT_URL", console.managementAddress().toString());
        variables.put("WAYBILL_CONSOLE_SIGN_IN_KEY", stack.secrets().signInKey());
        variables.put("WAYBILL_CONTROL_PLANE_URL", controlPlane.toString());
        variables.put("WAYBILL_EXPERIMENT_URL", stack.service(ServiceKind.EXPERIMENT).address().toString());
        variables.put("WAYBILL_EXPORT_URL", stack.service(ServiceKind.EXPORT).address().toString());
        variables.put("WAYBILL_S3_ENDPOINT", stack.s3().endpoint().toString());
        variables.put("WAYBILL_S3_BUCKET", Stack.BUCKET);
        variables.put("WAYBILL_S3_ACCESS_KEY_ID", stack.secrets().s3AccessKeyId());
        variables.put("WAYBILL_S3_SECRET_ACCESS_KEY", stack.secrets().s3SecretAccessKey());
        variables.put("WAYBILL_API_KEY", stack.secrets().apiKey());
        variables.put("WAYBILL_TENANT_ID", String.valueOf(client.controlPlane(controlPlane).whoami().tenantId()));
        variables.put("NO_COLOR", "1");
        return variables;
    }

    /** Runs a file; throws an exception with its output if it fails or exceeds the timeout. */
    public void run(String file, int timeoutMinutes) throws IOException, InterruptedException {
        Path output = Files.createDirectories(logs).resolve(file + ".log");
        ProcessBuilder tests = new ProcessBuilder("npm", "run", "test:browser", "--", file).directory(web.toFile())
                .redirectErrorStream(true).redirectOutput(output.toFile());
        tests.environment().putAll(environment);
        Process process = tests.start();
        boolean hasEnded = process.waitFor(timeoutMinutes, TimeUnit.MINUTES);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        if (!hasEnded) {
            throw new IllegalStateException(file + " did not end within " + timeoutMinutes + " minutes; see " + output);
        }
        if (process.exitValue() != 0) {
            throw new IllegalStateException(file + " failed:\n" + Files.readString(output));
        }
    }
}
