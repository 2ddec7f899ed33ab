/** A command that cannot be done: one sentence that tells the user why, without a stack trace. */
export class CommandError extends Error {}
