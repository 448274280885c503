package dev.waybill.controlplane.engine.kubernetes.health;

import org.jspecify.annotations.Nullable;

/**
 * How a revision does.
 *
 * @param built a pod has its files, or the image was pulled: from here on it is the application's turn
 * @param ready as many pods as are wanted are ready
 * @param serving one pod at least is ready
 * @param doing what is being done, in words
 * @param trouble null when there is none
 */
public record Health(boolean built, boolean ready, boolean serving, String doing, @Nullable Trouble trouble) {

    /** What to tell while it is not ready. */
    public String words() {
        return trouble == null ? doing : trouble.reason();
    }
}
