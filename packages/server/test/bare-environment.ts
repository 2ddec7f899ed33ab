/** What a process that a story starts keeps of this one's environment: where programs are, and what is compiled already. */
export const bareEnvironment: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
}
