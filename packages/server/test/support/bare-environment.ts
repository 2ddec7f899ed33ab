/** The environment of a process that a test starts: only the PATH, the compile cache, and no delay at shutdown. */
export const bareEnvironment: Readonly<Record<string, string>> = {
  // No load balancer watches the processes of tests.
  SANAD_DRAIN_DELAY_S: '0',
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
}
