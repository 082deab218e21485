/** How long a follower waits for a leader's first answer, in milliseconds. */
export const welcomeMs = 1_000;
/** How often a leader says that it is alive, in milliseconds. */
export const aliveMs = 20_000;
/** How long a leader may be silent, in milliseconds. Browsers slow the timers of hidden tabs down to one a minute. */
export const silenceMs = 90_000;
/** How long a leader stays after the end, in milliseconds. */
export const lingerMs = 250;
/** How many events may wait for this tab's consumer. */
export const mostWaiting = 1_000;
