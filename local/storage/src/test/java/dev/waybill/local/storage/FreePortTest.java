package dev.waybill.local.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

class FreePortTest {

    private static final int PORT_COUNT = 200;

    @Test
    void reservesDifferentPortsInConcurrentProcesses() throws IOException, InterruptedException {
        // Given: another process that reserves ports and does not bind them
        List<Integer> ports = new ArrayList<>();
        Process other = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), FreePortTest.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        other.inputReader().lines().limit(PORT_COUNT).map(Integer::valueOf).forEach(ports::add);

        // When
        IntStream.range(0, PORT_COUNT).forEach(_ -> ports.add(FreePort.find()));
        int row = FreePort.findRange(50);
        IntStream.range(row, row + 50).forEach(ports::add);
        other.outputWriter().close();

        // Then
        assertThat(other.waitFor()).isZero();
        assertThat(ports).hasSize(2 * PORT_COUNT + 50).doesNotHaveDuplicates();
    }

    @Test
    void portInUseIsNotFree() throws IOException {
        // Given
        int port = FreePort.find();

        // When, then
        assertThat(FreePort.isFree(port)).isTrue();
        try (ServerSocket ignored = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(FreePort.isFree(port)).isFalse();
        }
    }

    /** The other process: reserves ports, prints them and waits for a byte of input. */
    public static void main(String[] arguments) throws IOException {
        IntStream.range(0, PORT_COUNT).forEach(_ -> System.out.println(FreePort.find()));
        System.out.flush();
        System.in.read();
    }
}
