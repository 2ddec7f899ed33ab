/** A start that must not go on: one sentence, no stack. Its own file, so that a command can say it without the service. */
export class StartRefused extends Error {}
