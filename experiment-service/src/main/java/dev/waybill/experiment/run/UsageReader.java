package dev.waybill.experiment.run;

import java.io.IOException;
import java.math.BigDecimal;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

/** Reads tokens and costs: strictly from a run's own members, leniently from its outputs and metadata. */
final class UsageReader {

    private final JsonParser json;
    private final Violations violations;
    private boolean hasUsage;
    private @Nullable Long promptTokens;
    private @Nullable Long completionTokens;
    private @Nullable Long totalTokens;
    private @Nullable BigDecimal promptCost;
    private @Nullable BigDecimal completionCost;
    private @Nullable BigDecimal totalCost;

    UsageReader(JsonParser json, Violations violations) {
        this.json = json;
        this.violations = violations;
    }

    /** Reads the current value if the member is a token count or a cost; returns false for other members. */
    boolean readIfUsage(String member) throws IOException {
        switch (member) {
            case "prompt_tokens", "completion_tokens", "total_tokens" -> count(member);
            case "prompt_cost", "completion_cost", "total_cost" -> cost(member);
            default -> {
                return false;
            }
        }
        hasUsage = true;
        return true;
    }

    Usage read() {
        return hasUsage ? new Usage(promptTokens, completionTokens, totalTokens, promptCost, completionCost, totalCost)
                : Usage.UNKNOWN;
    }

    private void count(String member) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        Long count = JsonValues.count(json, member, violations);
        switch (member) {
            case "prompt_tokens" -> promptTokens = count;
            case "completion_tokens" -> completionTokens = count;
            default -> totalTokens = count;
        }
    }

    private void cost(String member) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        BigDecimal cost = JsonValues.cost(json, member, violations);
        switch (member) {
            case "prompt_cost" -> promptCost = cost;
            case "completion_cost" -> completionCost = cost;
            default -> totalCost = cost;
        }
    }

    /** Reads the current {@code usage_metadata} object to its end; ignores values of other types. */
    static Usage readLeniently(JsonParser json) throws IOException {
        UsageReader usage = new UsageReader(json, Violations.none());
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String member = json.currentName();
            json.nextToken();
            switch (member) {
                case "input_tokens" -> usage.promptTokens = JsonValues.countOrNull(json);
                case "output_tokens" -> usage.completionTokens = JsonValues.countOrNull(json);
                case "total_tokens" -> usage.totalTokens = JsonValues.countOrNull(json);
                case "input_cost" -> usage.promptCost = JsonValues.costOrNull(json);
                case "output_cost" -> usage.completionCost = JsonValues.costOrNull(json);
                case "total_cost" -> usage.totalCost = JsonValues.costOrNull(json);
                default -> {
                    // Details of tokens and costs are not stored.
                }
            }
            json.skipChildren();
        }
        usage.hasUsage = true;
        return usage.read();
    }
}
