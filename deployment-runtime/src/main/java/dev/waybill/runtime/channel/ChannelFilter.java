package dev.waybill.runtime.channel;

import java.util.List;
import java.util.Set;

/**
 * Selects the events of a subscription.
 *
 * @param channels names of channels; {@code custom} includes all named ones
 * @param namespaces prefixes of namespaces; empty for all
 * @param depth maximum depth below a prefix
 * @param since sequence number after which events are sent
 */
public record ChannelFilter(Set<String> channels, List<List<String>> namespaces, int depth, long since) {

    static final String CUSTOM = "custom";
    private static final String NAMED = "custom:";

    /** Returns whether the channel is subscribed to, in any namespace. */
    boolean includes(String channel) {
        return channels.contains(channel) || (channel.startsWith(NAMED) && channels.contains(CUSTOM));
    }

    /** Returns whether the channel of all custom events, or a named one, is subscribed to. */
    boolean includesCustom() {
        return channels.stream().anyMatch(channel -> channel.equals(CUSTOM) || channel.startsWith(NAMED));
    }

    boolean includes(List<String> namespace) {
        return namespaces.isEmpty() || namespaces.stream()
                .anyMatch(prefix -> isPrefix(prefix, namespace) && namespace.size() - prefix.size() <= depth);
    }

    /** Segments of a namespace have the id of a task after a colon, which prefixes may omit. */
    private static boolean isPrefix(List<String> prefix, List<String> namespace) {
        if (prefix.size() > namespace.size()) {
            return false;
        }
        for (int i = 0; i < prefix.size(); i++) {
            String expected = prefix.get(i);
            String segment = namespace.get(i);
            if (!segment.equals(expected) && !(expected.indexOf(':') < 0 && nodeOf(segment).equals(expected))) {
                return false;
            }
        }
        return true;
    }

    /** Returns the name of the node in a segment of a namespace. */
    static String nodeOf(String segment) {
        int end = segment.indexOf(':');
        return end < 0 ? segment : segment.substring(0, end);
    }
}
