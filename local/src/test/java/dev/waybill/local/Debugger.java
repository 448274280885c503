package dev.waybill.local;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.Field;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.EventRequestManager;

/**
 * Suspends a service that was started with {@link #option} at a point of its code, so that a test can kill it there or continue
 * without it.
 */
public final class Debugger implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final VirtualMachine machine;

    private Debugger(VirtualMachine machine) {
        this.machine = machine;
    }

    /** Returns the required JVM option. */
    public static String option(int port) {
        return "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:" + port;
    }

    public static Debugger attach(int port) {
        AttachingConnector sockets = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(connector -> connector.name().equals("com.sun.jdi.SocketAttach"))
                .findFirst()
                .orElseThrow();
        Map<String, Connector.Argument> arguments = sockets.defaultArguments();
        arguments.get("hostname").setValue("127.0.0.1");
        arguments.get("port").setValue(Integer.toString(port));
        // The JVM accepts another debugger shortly after the previous one has detached.
        return await().atMost(TIMEOUT).ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> new Debugger(sockets.attach(arguments)), Objects::nonNull);
    }

    /** Suspends the process when it reaches the point. */
    public void arm(CodePoint point) {
        for (ReferenceType loaded : machine.classesByName(point.type())) {
            breakAt(loaded, point);
        }
        ClassPrepareRequest prepared = machine.eventRequestManager().createClassPrepareRequest();
        prepared.addClassFilter(point.type());
        prepared.enable();
    }

    /** Waits until the process has reached the point and all its threads are suspended. */
    public void awaitStop(CodePoint point) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        try {
            while (System.nanoTime() < deadline) {
                EventSet events = machine.eventQueue().remove(1000);
                if (events != null && !hasStopped(events, point)) {
                    events.resume();
                } else if (events != null) {
                    return;
                }
            }
        } catch (InterruptedException | IncompatibleThreadStateException e) {
            throw new AssertionError(e);
        }
        throw new AssertionError("the service has not reached " + point);
    }

    /** Resumes the process and waits until it reaches the point again. */
    public void awaitNextStop(CodePoint point) {
        machine.resume();
        awaitStop(point);
    }

    /** Resumes the process and removes all breakpoints. */
    public void resume() {
        EventRequestManager requests = machine.eventRequestManager();
        requests.deleteAllBreakpoints();
        requests.deleteEventRequests(List.copyOf(requests.classPrepareRequests()));
        machine.resume();
    }

    /** Detaches from the process if it is alive. */
    @Override
    public void close() {
        try {
            machine.dispose();
        } catch (VMDisconnectedException _) {
            // The process was killed.
        }
    }

    private boolean hasStopped(EventSet events, CodePoint point) throws IncompatibleThreadStateException {
        for (Event event : events) {
            if (event instanceof ClassPrepareEvent prepared) {
                breakAt(prepared.referenceType(), point);
            } else if (event instanceof BreakpointEvent stopped && hasArgument(stopped, point)) {
                return true;
            }
        }
        return false;
    }

    private void breakAt(ReferenceType type, CodePoint point) {
        try {
            BreakpointRequest request = machine.eventRequestManager()
                    .createBreakpointRequest(type.methodsByName(point.method()).getFirst().allLineLocations().getFirst());
            request.setSuspendPolicy(EventRequest.SUSPEND_ALL);
            if (point.times() > 1) {
                request.addCountFilter(point.times());
            }
            request.enable();
        } catch (AbsentInformationException e) {
            throw new AssertionError(point + " has no line number", e);
        }
    }

    private static boolean hasArgument(BreakpointEvent stopped, CodePoint point) throws IncompatibleThreadStateException {
        String argument = point.argument();
        if (argument == null) {
            return true;
        }
        return stopped.thread().frame(0).getArgumentValues().stream()
                .flatMap(value -> withFields(value, point.type()))
                .anyMatch(value -> value instanceof ObjectReference object && isConstant(object, argument));
    }

    /** Returns an argument, and its fields if its type is nested in the type of the code point. */
    private static Stream<@Nullable Value> withFields(@Nullable Value value, String type) {
        if (value instanceof ObjectReference object && object.referenceType().name().startsWith(type + "$")) {
            return object.getValues(object.referenceType().fields()).values().stream();
        }
        return Stream.of(value);
    }

    private static boolean isConstant(ObjectReference object, String name) {
        ReferenceType type = object.referenceType();
        Field field = type.fieldByName(name);
        return field != null && field.isStatic() && object.equals(type.getValue(field));
    }
}
