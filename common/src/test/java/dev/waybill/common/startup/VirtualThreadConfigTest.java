package dev.waybill.common.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Runs a separate JVM with two cores whose virtual threads wait as during class initialization. */
class VirtualThreadConfigTest {

    private static final Object LOCK = new Object();
    private static final CountDownLatch HELD = new CountDownLatch(1);
    private static final CountDownLatch CONTINUE = new CountDownLatch(1);

    @Test
    void pinnedThreadsDoNotBlockTheThreadTheyWaitFor() throws IOException, InterruptedException {
        // When
        Process service = new ProcessBuilder(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:ActiveProcessorCount=2", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp",
                System.getProperty("java.class.path"), VirtualThreadConfigTest.class.getName())).inheritIO().start();

        // Then
        assertThat(service.waitFor(2, TimeUnit.MINUTES)).as("process ends").isTrue();
        assertThat(service.exitValue()).isZero();
    }

    /** Starts a thread that holds a lock without a carrier, and two that wait for it while they initialize a class. */
    public static void main(String[] arguments) throws InterruptedException {
        VirtualThreadConfig.apply();
        Thread holder = Thread.ofVirtual().start(VirtualThreadConfigTest::hold);
        HELD.await();
        List<Thread> pinned = List.of(Thread.ofVirtual().start(() -> new First()),
                Thread.ofVirtual().start(() -> new Second()));
        for (Thread thread : pinned) {
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> thread.getState() == Thread.State.BLOCKED);
        }
        CONTINUE.countDown();
        holder.join();
        for (Thread thread : pinned) {
            thread.join();
        }
    }

    private static void hold() {
        synchronized (LOCK) {
            HELD.countDown();
            try {
                CONTINUE.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void acquireAndRelease() {
        synchronized (LOCK) {
            // Only waits for the lock.
        }
    }

    private static final class First {

        static {
            acquireAndRelease();
        }
    }

    private static final class Second {

        static {
            acquireAndRelease();
        }
    }
}
