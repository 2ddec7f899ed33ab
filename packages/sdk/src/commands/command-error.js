/** A mistake of the developer, or something a command cannot do, in one sentence: printed without a stack. */
export class CommandError extends Error {}
