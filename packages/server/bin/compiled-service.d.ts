/** A path, and of its file the size and when its content and its entry changed last. */
export type FileState = readonly [path: string, size: number, modified_ms: number, entryChanged_ms: number]
export const manifest: string
export const installation: string
export const stateOf: (path: string) => FileState
export const compiledFolder: (env: Readonly<Record<string, string | undefined>>) => string
export const keepCompiledCode: (env: Readonly<Record<string, string | undefined>>) => void
export const compiledMain: (folder: string) => string | undefined
export const compileSoon: (folder: string) => void
