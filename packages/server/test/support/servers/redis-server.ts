/**
 * A Redis server for a test: private directory, unix socket, no port, nothing on disk, removed at the end.
 *
 * It takes redis-server or valkey-server if one is installed. Otherwise it installs one with apt-get, if it runs as root, or
 * throws an error that says how to install it. A test that needs Redis is never skipped.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A program, and the name it is started by. */
type Program = { readonly file: string; readonly argv0: string }

// Debian's redis-tools contains the server under the name redis-check-rdb, without the system service that the package
// redis-server starts on the default port. The program acts as a server if argv0 is redis-server.
const PROGRAMS: readonly Program[] = [
  { file: 'redis-server', argv0: 'redis-server' },
  { file: 'valkey-server', argv0: 'valkey-server' },
  { file: 'redis-check-rdb', argv0: 'redis-server' },
]

const installed = (): Program | undefined =>
  PROGRAMS.find(({ file, argv0 }) => {
    const { stdout } = spawnSync(file, ['--version'], { argv0, encoding: 'utf8', timeout: 10_000 })
    return / server v=/.test(stdout ?? '')
  })

const aptGet = (...args: string[]): boolean =>
  spawnSync('env', ['DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', '-o', 'DPkg::Lock::Timeout=120', ...args], {
    stdio: 'ignore',
  }).status === 0

const install = (): Program | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const packages = ['install', '-y', '--no-install-recommends', 'redis-tools']
  if (!aptGet(...packages) && !(aptGet('update') && aptGet(...packages))) return undefined
  return installed()
}

const findProgram = (): Program => {
  const program = installed() ?? install()
  if (program !== undefined) return program
  throw new Error(
    'These tests need a Redis server: install redis-server or valkey-server (Debian: apt-get install redis-server; macOS: brew install redis) so that it is on the PATH.',
  )
}

export class RedisServer {
  readonly url: string
  readonly #program: Program
  readonly #directory: string
  readonly #socket: string
  #child: ChildProcess | undefined

  private constructor(program: Program, directory: string) {
    this.#program = program
    this.#directory = directory
    this.#socket = join(directory, 'redis.sock')
    this.url = `unix://${this.#socket}`
  }

  /** Resolves when the server accepts connections. */
  static async start(): Promise<RedisServer> {
    const program = findProgram()
    const server = new RedisServer(program, await mkdtemp(join(tmpdir(), 'sanad-redis-')))
    await server.up()
    return server
  }

  /** Starts the server, or starts it again after a kill: at the same address, without data. */
  async up(): Promise<void> {
    const { file, argv0 } = this.#program
    const settings = { port: '0', unixsocket: this.#socket, dir: this.#directory, save: '', appendonly: 'no' }
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
    const child = spawn(file, args, { argv0, stdio: ['ignore', 'pipe', 'inherit'] })
    this.#child = child
    process.once('exit', this.#killAtExit)
    const output: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      output.push(line)
      if (line.includes('eady to accept connections')) {
        child.stdout.resume()
        return
      }
    }
    throw new Error(`${file} ended before it was ready:\n${output.join('\n')}`)
  }

  /** Kills the server without a shutdown. */
  async kill(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    process.off('exit', this.#killAtExit)
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  /** Connections stay open; nothing is answered. */
  freeze(): void {
    this.#child?.kill('SIGSTOP')
  }

  thaw(): void {
    this.#child?.kill('SIGCONT')
  }

  async stop(): Promise<void> {
    await this.kill()
    await rm(this.#directory, { recursive: true, force: true })
  }

  readonly #killAtExit = (): void => {
    this.#child?.kill('SIGKILL')
  }
}
