/**
 * A phone with Termux for tests: a home folder, an inbox, notifications, and stand-ins for the programs of Termux:API. The
 * stand-ins print what the real programs print. The agent runs on the phone as a separate process, from its bundle.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { bundleAgent } from '@sanad/agent/bundle'

const folder = mkdtempSync(join(tmpdir(), 'sanad-termux-'))
const running = new Set<ChildProcess>()
after(async () => {
  for (const child of running) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

const bundle = bundleAgent()

/** Prints a page of the inbox with its newest message last, as Termux does. */
const smsList = `
limit=10
offset=0
while getopts l:o:t: option; do
  case "$option" in
    l) limit=$OPTARG ;;
    o) offset=$OPTARG ;;
    t) [ "$OPTARG" = inbox ] || exit 1 ;;
    *) exit 1 ;;
  esac
done
awk -v first="$offset" -v most="$limit" '
  NR > first && NR <= first + most { page[++n] = $0 }
  END { print "["; for (i = n; i > 0; i--) print page[i] (i > 1 ? "," : ""); print "]" }' "$PHONE/inbox"`

const programs: Readonly<Record<string, string>> = {
  'termux-sms-list': smsList,
  'termux-notification-list': 'cat "$PHONE/notifications"',
  'termux-battery-status': `echo '{ "present": true, "plugged": "PLUGGED_USB", "status": "CHARGING", "percentage": 64 }'`,
  'termux-wifi-connectioninfo': `echo '{ "ip": "192.0.2.7", "rssi": -51, "supplicant_state": "COMPLETED" }'`,
  'termux-telephony-deviceinfo': `echo '{ "data_state": "connected", "network_type": "lte" }'`,
  'termux-wake-lock': '',
  'termux-wake-unlock': '',
  'termux-job-scheduler': 'echo "Scheduling Job - response 1"',
  getprop: `case "$1" in
  persist.sys.timezone) echo Asia/Aden ;;
  ro.product.manufacturer) echo Example ;;
  ro.product.model) echo One ;;
  ro.build.version.release) echo 14 ;;
esac`,
}

export type Message = {
  readonly _id: number
  readonly type: string
  readonly address: string
  readonly received: string
  readonly body: string
}

export type Ended = { readonly code: number | null; readonly out: string; readonly err: string }

/** The local time in Aden, to the second, as Termux prints it. */
export const adenTime = (instant: number): string =>
  new Date(instant + 3 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

let phones = 0

export const termuxPhone = async () => {
  const phone = join(folder, String(++phones))
  const [home, bin] = [join(phone, 'home'), join(phone, 'bin')]
  mkdirSync(home, { recursive: true })
  mkdirSync(bin)
  const program = (name: string, body: string): void => {
    const begin = `#!/bin/sh\nPHONE='${phone}'\necho "${name} $*" >> "$PHONE/calls"\n`
    writeFileSync(join(bin, `${name}.new`), `${begin}${body}\n`)
    chmodSync(join(bin, `${name}.new`), 0o755)
    renameSync(join(bin, `${name}.new`), join(bin, name))
  }
  for (const [name, body] of Object.entries(programs)) program(name, body)
  const agent = join(phone, 'sanad-agent.mjs')
  writeFileSync(agent, await bundle)

  const write = (name: string, text: string): void => {
    writeFileSync(join(phone, `${name}.new`), text)
    renameSync(join(phone, `${name}.new`), join(phone, name))
  }
  let inbox: Message[] = []
  let ids = 0
  /** Termux sorts messages by the phone's clock, not by their ids. */
  const writeInbox = (): void => {
    const sorted = inbox.toSorted((one, other) =>
      one.received === other.received ? other._id - one._id : one.received < other.received ? 1 : -1,
    )
    write('inbox', sorted.map((one) => `${JSON.stringify(one)}\n`).join(''))
  }
  writeInbox()
  write('notifications', '[]')

  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: home,
    LANG: 'en_US.UTF-8',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
  }
  const start = (...args: string[]): { child: ChildProcess; out(): string; ended: Promise<Ended> } => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', agent, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    const ended = new Promise<Ended>((done) =>
      child.on('close', (code) => {
        running.delete(child)
        done({ code, out, err })
      }),
    )
    return { child, out: () => out, ended }
  }

  return {
    home,
    files: join(home, '.sanad-agent'),
    /** The file in which the stand-ins record their names and arguments. */
    calls: join(phone, 'calls'),
    env,
    agent,
    program,
    /** Restores the original stand-in. */
    mend: (name: string) => program(name, programs[name]!),
    start,
    run: (...args: string[]): Promise<Ended> => start(...args).ended,
    /** Messages arrive when the phone's clock says `at`. */
    receive(messages: readonly { readonly sender: string; readonly text: string; readonly at?: number }[]): Message[] {
      const received = messages.map(({ sender, text, at = Date.now() }) => ({
        threadid: 1,
        type: 'inbox',
        read: false,
        address: sender,
        number: sender,
        received: adenTime(at),
        body: text,
        _id: ++ids,
      }))
      inbox.push(...received)
      writeInbox()
      return received
    },
    /** Deletes the newest messages. Android gives their ids to the next messages. */
    deleteNewest(count: number): void {
      inbox = inbox.slice(0, inbox.length - count)
      ids = inbox.at(-1)?._id ?? 0
      writeInbox()
    },
    change(change: (message: Message) => Message): void {
      inbox = inbox.map(change)
      writeInbox()
    },
    show: (notifications: readonly unknown[]): void => write('notifications', JSON.stringify(notifications)),
  }
}

export type TermuxPhone = Awaited<ReturnType<typeof termuxPhone>>
