/** The commands for a developer's machine (`sanad phone`, `listen`, `trigger`, `logs`, `doctor`), for a program that runs them. Needs Node. */

export type CommandContext = {
  /** The environment variables; those of the process if left out. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** One line of output; standard output if left out. */
  readonly say?: ((line: string) => void) | undefined
  /** The address of the service if neither `--url` nor `SANAD_URL` is set; `http://127.0.0.1:8080` if left out. */
  readonly defaultUrl?: (() => Promise<string> | string) | undefined
}

/** `args` begins with the command's name. Prints its output and its errors, and returns the exit code: 0 or 1. */
export declare const runCommand: (args: readonly string[], context?: CommandContext) => Promise<number>
