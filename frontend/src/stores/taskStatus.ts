/** Nothing more happens in a task with this status. */
export const hasEnded = (status: string): boolean => ["completed", "failed", "canceled"].includes(status);
