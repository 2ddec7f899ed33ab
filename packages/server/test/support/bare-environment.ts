/** What a process that a story starts keeps of this one's environment: where programs are, and what is compiled already. */
export const bareEnvironment: Readonly<Record<string, string>> = {
  // No load balancer watches what stories start and stop.
  SANAD_DRAIN_DELAY_S: '0',
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
}
