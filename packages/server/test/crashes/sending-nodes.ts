/** Nodes of the service that only send webhooks, each as a process: a test starts, freezes, kills or stops them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { bareEnvironment } from '../support/bare-environment.ts'

const main = join(import.meta.dirname, '../../src/main.ts')

export const sendingNodes = (settings: Readonly<Record<string, string>>) => {
  const nodes = new Set<ChildProcess>()
  /** The exit code and log of the last node that ended without being killed. */
  let diedBy = ''
  let leaked = false
  const signalAll = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    const gone = [...nodes].map((child) => once(child, 'exit'))
    for (const child of nodes) child.kill(signal)
    await Promise.all(gone)
  }
  return {
    count: (): number => nodes.size,
    diedBy: (): string => diedBy,
    /** Whether a node wrote the key of its database connection into its log. */
    leaked: (): boolean => leaked,
    async start(databaseUrl: string): Promise<void> {
      const child = spawn(process.execPath, [main, 'start'], {
        env: {
          ...bareEnvironment,
          DATABASE_URL: databaseUrl,
          SANAD_ROLE: 'work',
          SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
          LOG_LEVEL: 'info',
          ...settings,
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      nodes.add(child)
      let out = ''
      child.once('exit', (code, signal) => {
        nodes.delete(child)
        if (signal !== 'SIGKILL') diedBy = `${code ?? signal}: ${out}`
      })
      await new Promise<void>((ready, fail) => {
        child.stderr!.on('data', (chunk) => {
          out = `${out}${chunk}`.slice(-20_000)
          if (out.includes('secretKey')) leaked = true
          if (out.includes('"msg":"ready"')) ready()
        })
        child.once('exit', (code, signal) => fail(new Error(`a node ended (${code ?? signal}) at its start: ${out}`)))
      })
    },
    freeze(): void {
      for (const child of nodes) child.kill('SIGSTOP')
    },
    kill: () => signalAll('SIGKILL'),
    end: () => signalAll('SIGTERM'),
  }
}
