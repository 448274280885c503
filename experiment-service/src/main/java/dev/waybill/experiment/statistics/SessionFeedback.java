package dev.waybill.experiment.statistics;

import java.util.Map;
import java.util.TreeMap;

import dev.waybill.common.api.trace.FeedbackStatistics;

/** Feedback statistics of a session by key: on its runs and on the session itself. */
record SessionFeedback(Map<String, FeedbackStatistics> ofRuns, Map<String, FeedbackStatistics> ofSession) {

    SessionFeedback() {
        this(new TreeMap<>(), new TreeMap<>());
    }

    Map<String, FeedbackStatistics> on(boolean wholeSession) {
        return wholeSession ? ofSession : ofRuns;
    }
}
