/**
 * `npm run voice-clips`: the recordings of number words that the counter plays where the phone has no voice. Needs eSpeak NG and LAME
 * (Debian: `apt-get install espeak-ng lame`). For each language it writes one MP3 file that holds all clips one after the other, and
 * the position of each clip, to packages/dashboard/src/speech/clips/.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { allClips } from '../packages/dashboard/src/speech/money-sentence.ts'
import { arabicPhonemes } from './voice/pronunciations.ts'

const into = join(import.meta.dirname, '../packages/dashboard/src/speech/clips')
const rate = 22_050
const kilobits = 24

const run = (program: string, args: readonly string[], input?: Buffer): Buffer => {
  const { error, status, stdout, stderr } = spawnSync(program, args, {
    maxBuffer: 100_000_000,
    ...(input && { input }),
  })
  if (error !== undefined) throw new Error(`${program} cannot be run: apt-get install espeak-ng lame`, { cause: error })
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`)
  return stdout
}

/** The samples of a WAV file of eSpeak NG: 16 bits, one channel. Its header has no length, because it writes to a pipe. */
const samplesOf = (wav: Buffer): Int16Array => {
  if (wav.readUInt32LE(24) !== rate || wav.readUInt16LE(22) !== 1) throw new Error('another format than expected')
  const from = wav.indexOf('data') + 8
  return new Int16Array(wav.buffer.slice(wav.byteOffset + from, wav.byteOffset + from + 2 * ((wav.length - from) >> 1)))
}

const silent = 250
const edge_ms = 12

/** Without the silence before and after, and with a short fade at both ends, so that no clip begins or ends with a click. */
const trimmed = (samples: Int16Array): Int16Array => {
  const edge = Math.round((edge_ms / 1000) * rate)
  const from = Math.max(0, samples.findIndex((sample) => Math.abs(sample) > silent) - edge)
  const to = Math.min(samples.length, samples.findLastIndex((sample) => Math.abs(sample) > silent) + edge)
  const word = samples.slice(from, to)
  for (let at = 0; at < edge; at += 1) {
    word[at] = (word[at]! * at) / edge
    word[word.length - 1 - at] = (word[word.length - 1 - at]! * at) / edge
  }
  return word
}

/** A noun ends the sentence: its tone falls. Every other word is spoken as before a comma. */
const isLast = (clip: string): boolean => /^و?(ريال|فل[سو])|^(riyals?|fils)$/.test(clip)

const spoken = (language: 'ar' | 'en', clip: string): Int16Array => {
  const phonemes = language === 'ar' ? arabicPhonemes(clip) : undefined
  if (language === 'ar' && phonemes === undefined) throw new Error(`no pronunciation is written for ${clip}`)
  const text = `${phonemes === undefined ? clip : `[[${phonemes}]]`}${isLast(clip) ? '.' : ','}`
  // `-g 0`: no longer pause between the two words of a number such as أحد عشر.
  const options = language === 'ar' ? ['-v', 'ar', '-s', '165'] : ['-v', 'en-us', '-s', '155']
  return trimmed(samplesOf(run('espeak-ng', [...options, '-a', '120', '-g', '0', '--stdout', text])))
}

/** Decoders of MP3 add up to 80 ms at the beginning: the player finds this tone, and so the difference. */
const marker_ms = 200
const markerTone = Int16Array.from({ length: Math.round(0.03 * rate) }, (_, at) =>
  Math.round(16_000 * Math.sin((2 * Math.PI * 1000 * at) / rate)),
)
/** More than a decoder can be off, so that no clip contains a part of its neighbour. */
const gap_ms = 120

const position = (ms: number): number => Math.round((ms / 1000) * rate)

for (const language of ['ar', 'en'] as const) {
  const words = allClips(language).map((clip) => ({ clip, samples: spoken(language, clip) }))
  let end_ms = marker_ms + 30 + gap_ms
  const clips: Record<string, [start_ms: number, length_ms: number]> = {}
  for (const { clip, samples } of words) {
    const length_ms = Math.ceil((samples.length / rate) * 1000)
    clips[clip] = [end_ms, length_ms]
    end_ms += length_ms + gap_ms
  }
  const all = new Int16Array(position(end_ms))
  all.set(markerTone, position(marker_ms))
  for (const { clip, samples } of words) all.set(samples, position(clips[clip]![0]))
  const raw = ['-r', '-s', String(rate / 1000), '--bitwidth', '16', '--signed', '--little-endian', '-m', 'm']
  const mp3 = run('lame', ['--quiet', ...raw, '-b', String(kilobits), '-q', '0', '-', '-'], Buffer.from(all.buffer))
  writeFileSync(join(into, `${language}.mp3`), mp3)
  const rows = Object.entries(clips).map(([clip, [start, length]]) => {
    const name = /^[\p{L}\p{M}]+$/u.test(clip) ? clip : `'${clip}'`
    return `    ${name}: [${start}, ${length}],\n`
  })
  writeFileSync(
    join(into, `${language}-positions.ts`),
    `/** Where each clip is in ${language}.mp3. Written by \`npm run voice-clips\`. */\n` +
      "import type { ClipPositions } from '../clip-positions.ts'\n\n" +
      `export const positions: ClipPositions = {\n  marker_ms: ${marker_ms},\n  clips: {\n${rows.join('')}  },\n}\n`,
  )
  const kB = Math.round(mp3.length / 1000)
  process.stdout.write(`${language}: ${words.length} clips, ${(end_ms / 1000).toFixed(1)} s, ${kB} kB\n`)
}
