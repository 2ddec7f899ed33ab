/** What a developer did wrong, or what a command cannot do, in one sentence: printed without a stack. */
export class CommandError extends Error {}
