/**
 * The Sanad agent for phones, served by the service itself: `/agent/sanad-agent.mjs`, its checksum at
 * `/agent/sanad-agent.mjs.sha256`, its signature at `/agent/sanad-agent.mjs.minisig` if the package was built with one, and
 * `/agent/install`, a shell script that downloads it, checks it and makes it a command. They contain no secret and need no
 * session. The agent is bundled at the first request.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { agentSignature, bundleAgent } from '@sanad/agent/bundle'
import { checkRelease } from '@sanad/agent/termux/release/check-release'
import { version } from '@sanad/agent/termux/version'
import { wordsIn } from '@sanad/agent/termux/words'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from './answers.ts'

/** What the service hands out. `signature`: the text of its file; undefined: this agent is not signed. */
export type AgentRelease = {
  readonly bundle: () => Promise<Buffer>
  readonly signature: () => Promise<string | undefined>
}

type AgentFile = {
  readonly plain: Buffer
  readonly zipped: Buffer
  readonly sha256: string
  readonly signature: string | undefined
}

const buildAgent = async ({ bundle, signature }: AgentRelease): Promise<AgentFile> => {
  const plain = await bundle()
  const sha256 = createHash('sha256').update(plain).digest('hex')
  return { plain, zipped: await promisify(gzip)(plain, { level: 9 }), sha256, signature: await signature() }
}

const retryBuild_ms = 10_000

/** Builds the agent once. A build that failed is tried again, but not at every request. */
const buildOnce = (release: AgentRelease): (() => Promise<AgentFile>) => {
  let pending: Promise<AgentFile> | undefined
  return () => {
    pending ??= buildAgent(release).catch((fault) => {
      setTimeout(() => {
        pending = undefined
      }, retryBuild_ms).unref()
      throw fault
    })
    return pending
  }
}

/** Shared by the whole process. */
const shipped = buildOnce({ bundle: bundleAgent, signature: agentSignature })

/** The address is written into a shell script: it may contain no character with a meaning for a shell. */
const SHELL_SAFE = /^https?:\/\/[A-Za-z0-9.:[\]_-]+(?:\/[A-Za-z0-9._/-]*)?$/

const headers = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' }

export const agentFiles = (publicUrl: string | undefined, release?: AgentRelease) => async (app: FastifyInstance) => {
  const agentFile = release === undefined ? shipped : buildOnce(release)
  const originOf = (request: FastifyRequest): string => {
    const origin = (publicUrl ?? `${request.protocol}://${request.host}`).replace(/\/+$/, '')
    if (!SHELL_SAFE.test(origin)) throw notFound()
    return origin
  }

  app.get('/agent/sanad-agent.mjs', async (request, reply): Promise<FastifyReply> => {
    const { plain, zipped, sha256 } = await agentFile()
    const isZipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
    reply.headers({ ...headers, vary: 'accept-encoding', etag: `"${sha256}"` }).type('text/javascript; charset=utf-8')
    return isZipped ? reply.header('content-encoding', 'gzip').send(zipped) : reply.send(plain)
  })

  app.get('/agent/sanad-agent.mjs.sha256', async (_request, reply): Promise<FastifyReply> => {
    const { sha256 } = await agentFile()
    return reply.headers(headers).type('text/plain; charset=utf-8').send(`${sha256}  sanad-agent.mjs\n`)
  })

  app.get('/agent/sanad-agent.mjs.minisig', async (_request, reply): Promise<FastifyReply> => {
    const { signature } = await agentFile()
    if (signature === undefined) throw notFound()
    return reply.headers(headers).type('text/plain; charset=utf-8').send(signature)
  })

  app.get('/agent/install', async (request, reply): Promise<FastifyReply> => {
    const script = installScript(originOf(request), (await agentFile()).sha256)
    return reply.headers(headers).type('text/x-shellscript; charset=utf-8').send(script)
  })
}

/**
 * The program of the install script that checks the signature: with the key that the user gave (SANAD_AGENT_KEY) or that the
 * phone remembers. It ends with 1, and says why, if the agent must not be installed.
 */
const checkProgram = `const fs = require('node:fs')
const [, , folder, fresh, givenKey] = process.argv
const read = (path) => (fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : undefined)
const printed = () => {
  const { execFileSync } = require('node:child_process')
  try {
    return execFileSync(process.execPath, [folder + '/sanad-agent.mjs', '--version'], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {}
}
const check = ${checkRelease.toString()}
const { key, refused, version } = check(require('node:crypto'), {
  file: fs.readFileSync(fresh),
  signature: read(fresh + '.minisig'),
  givenKey,
  rememberedKey: read(folder + '/release-key'),
  installedSignature: read(folder + '/sanad-agent.mjs.minisig'),
  installedVersion: printed(),
})
if (key !== undefined) fs.writeFileSync(folder + '/release-key', key + '\\n')
if (refused === undefined) console.log('The signature of the agent ' + version + ' is right.')
else {
  console.error(${JSON.stringify(wordsIn('en').release('FOLDER/release-key'))}[refused].replace('FOLDER', () => folder) + ' Nothing was installed.')
  process.exitCode = 1
}`

/**
 * For the shell of Termux. The whole script is functions, and the last line calls one of them, so that an incomplete download
 * does nothing. A link after `sh -s --` connects the phone. Its code works for ten minutes, and the download of Node may take
 * longer, so the code is used first, and `setup` finds the stored answer (pair-agent.ts). Pasting the same line again
 * continues where it stopped. Programs get no input, because it would be the rest of this script.
 */
const installScript = (origin: string, sha256: string): string => `#!/usr/bin/env sh
# Installs the Sanad agent from ${origin}
set -eu

use_code() {
  code="\${1#"$origin/pair#c="}"
  case "$code" in ''|*[!0-9A-Za-z-]*) return 0 ;; esac
  if [ "$(cat "$folder/pairing.link" 2>/dev/null)" = "$1" ]; then
    if [ -s "$folder/pairing.json" ] || [ -s "$folder/identity.json" ]; then return 0; fi
  fi
  property() { getprop "$1" 2>/dev/null | tr -cd 'A-Za-z0-9 ._()+-' | cut -c 1-50; }
  if ! printf '{"code":"%s","agent":"sanad-agent","version":"${version}","model":"%s","android":"%s"}' "$code" \\
    "$(property ro.product.manufacturer) $(property ro.product.model)" "$(property ro.build.version.release)" |
    curl -fsS --connect-timeout 30 --max-time 60 -H 'content-type: application/json' --data-binary @- \\
      -o "$folder/pairing.json.new" "$origin/api/v1/device/pair"
  then
    rm -f "$folder/pairing.json.new"
    echo 'Not connected: no internet, or the line is used or older than ten minutes. Make a new line on the set-up page.' >&2
    exit 1
  fi
  mv "$folder/pairing.json.new" "$folder/pairing.json"
  printf '%s' "$1" > "$folder/pairing.link"
  echo "The code is accepted: this phone is known to $origin."
}

check_program() {
  cat <<'END_OF_PROGRAM'
${checkProgram}
END_OF_PROGRAM
}

install_agent() {
  origin='${origin}'
  sha256='${sha256}'
  folder="\${SANAD_AGENT_HOME:-$HOME/.sanad-agent}"
  programs="\${PREFIX:-$HOME/.local}/bin"

  mkdir -p "$folder" "$programs"
  chmod 700 "$folder"
  link=''
  for argument; do link="$argument"; done
  case "$origin" in
    https://*|http://127.0.0.1*|http://localhost*|http://10.*|http://192.168.*)
      case "$link" in "$origin/pair#c="*) (umask 077 && use_code "$link") || exit 1 ;; esac ;;
  esac

  if ! command -v node >/dev/null 2>&1 || ! command -v termux-sms-list >/dev/null 2>&1; then
    if command -v pkg >/dev/null 2>&1; then
      echo 'Node is downloaded (about 25 MB).'
      pkg install -y --no-install-recommends -o Dpkg::Options::=--force-confold nodejs-lts termux-api curl </dev/null || {
        echo 'The download did not finish. Run the same line again: it continues.' >&2
        exit 1
      }
    fi
  fi
  if ! command -v node >/dev/null 2>&1; then
    echo 'Node is missing. Run: pkg install -y nodejs-lts termux-api' >&2
    exit 1
  fi
  if ! node -e 'process.exit(process.getBuiltinModule && process.getBuiltinModule("node:sqlite") ? 0 : 1)' 2>/dev/null; then
    echo "Node $(node --version) is too old: 22.13 or later is needed. Run: pkg upgrade -y && pkg install -y nodejs-lts" >&2
    exit 1
  fi

  fresh="$folder/sanad-agent.mjs.new"
  curl -fsS --compressed --retry 5 -o "$fresh" "$origin/agent/sanad-agent.mjs"
  found="$(node -e 'process.stdout.write(require("crypto").createHash("sha256").update(require("fs").readFileSync(process.argv[1])).digest("hex"))' "$fresh")"
  if [ "$found" != "$sha256" ]; then
    rm -f "$fresh"
    echo 'The download is damaged: its checksum is wrong. Nothing was installed. Run the command again.' >&2
    exit 1
  fi
  if [ -n "\${SANAD_AGENT_KEY:-}" ] || [ -e "$folder/release-key" ]; then
    rm -f "$fresh.minisig"
    curl -fsS --retry 5 -o "$fresh.minisig" "$origin/agent/sanad-agent.mjs.minisig" || rm -f "$fresh.minisig"
    if ! check_program | node - "$folder" "$fresh" "\${SANAD_AGENT_KEY:-}"; then
      rm -f "$fresh" "$fresh.minisig"
      exit 1
    fi
    mv "$fresh" "$folder/sanad-agent.mjs"
    mv "$fresh.minisig" "$folder/sanad-agent.mjs.minisig"
  else
    mv "$fresh" "$folder/sanad-agent.mjs"
    rm -f "$folder/sanad-agent.mjs.minisig"
  fi
  printf '%s\\n' "$origin" > "$folder/origin"
  {
    printf '#!%s\\n' "$(command -v sh)"
    printf 'exec node --disable-warning=ExperimentalWarning "%s" "$@"\\n' "$folder/sanad-agent.mjs"
  } > "$programs/sanad-agent"
  chmod 700 "$programs/sanad-agent"
  echo 'The Sanad agent is installed.'

  if [ "$#" -gt 0 ]; then
    "$programs/sanad-agent" setup "$@"
  else
    echo 'Now connect this phone. Run: sanad-agent setup'
  fi
}

install_agent "$@"
`
