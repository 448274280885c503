package dev.waybill.common.negotiation;

import java.util.List;

import jakarta.ws.rs.core.MediaType;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.negotiation.MediaRange.MediaRangeParser;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;

/** The media types that a client accepts ({@code Accept}); without the header, any. */
public final class AcceptHeader {

    private static final AcceptHeader ANY = new AcceptHeader(List.of(new MediaRange("*", "*", 1)));

    private final List<MediaRange> ranges;

    private AcceptHeader(List<MediaRange> ranges) {
        this.ranges = ranges;
    }

    /**
     * Parses the values of all {@code Accept} headers of a request.
     *
     * @throws ProblemException 400 for an empty or malformed header
     */
    public static AcceptHeader parse(@Nullable List<String> values) {
        if (values == null || values.isEmpty()) {
            return ANY;
        }
        try {
            List<MediaRange> ranges = MediaRangeParser.parse(String.join(",", values));
            if (ranges.isEmpty()) {
                throw malformed("empty");
            }
            return new AcceptHeader(ranges);
        } catch (IllegalArgumentException e) {
            throw malformed(e.getMessage());
        }
    }

    /** Returns whether the client accepts the media type. */
    public boolean includes(MediaType type) {
        return quality(type) > 0;
    }

    /**
     * Returns whether the client names the media type explicitly and with a higher weight than the other one; for equal
     * weights, the first one wins.
     */
    public boolean prefers(MediaType type, MediaType other) {
        MediaRange named = bestFor(type);
        if (named == null || named.quality() == 0 || named.isWildcard()) {
            return false;
        }
        MediaRange rival = bestFor(other);
        if (rival == null || rival.quality() != named.quality()) {
            return rival == null || rival.quality() < named.quality();
        }
        return rival.isWildcard() || ranges.indexOf(named) < ranges.indexOf(rival);
    }

    private double quality(MediaType type) {
        MediaRange range = bestFor(type);
        return range == null ? 0 : range.quality();
    }

    /** Returns the most specific range that contains the type; among several, the one with the highest weight. */
    private @Nullable MediaRange bestFor(MediaType type) {
        MediaRange best = null;
        int specificity = -1;
        for (MediaRange range : ranges) {
            int candidate = range.specificity(type.getType(), type.getSubtype());
            boolean better = candidate > specificity
                    || best != null && candidate == specificity && range.quality() > best.quality();
            if (candidate >= 0 && better) {
                best = range;
                specificity = candidate;
            }
        }
        return best;
    }

    private static ProblemException malformed(@Nullable String reason) {
        return new ProblemException(CommonProblem.MALFORMED_REQUEST, "The header Accept is " + reason
                + "; send media types such as application/json, or omit the header.");
    }
}
