/** What cannot be, for the person at the command line: one sentence that says why, and no stack. */
export class Refused extends Error {}
